"""Recoveries from performance drops at drifts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from streamgauge.report._format import count, listed
from streamgauge.report.performance_drops import RECOVERED, drops_table, performance_drops
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class Recovered:
    """A learner whose performance dropped at a known drift and recovered before the next one.

    Computed in windows of w items, the size of the sliding window. Level before the drift: the mean
    loss over the preceding five windows, back to the previous drift at most. Drop: within five
    windows of the drift's end, accuracy in one of them falls below 95 % of that level (an error
    rises above 105 %), by more than the fluctuation before the drift explains. Fluctuation: the
    variance of sums of many losses, per item, from differences of losses at a distance of w items
    since the previous drift, which allows for errors in bursts; a window must be worth 30
    independent items. Recovery: the first place after it where a window reaches 95 % of the earlier
    level (105 % of the earlier error; Shaker and Hüllermeier 2015) and the mean of the five windows
    from there is significantly above. Counted in labels from the start of the drift. The
    probability of stating a recovery or its absence wrongly is at most 5 % over all drifts and
    learners; what is not decided is not stated.
    """

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        recovered = [d for d in performance_drops(results) if not math.isnan(d.recovery_items)]
        if not recovered:
            return
        if len({d.learner for d in recovered}) == 1:
            items = listed(count(d.recovery_items) for d in recovered)
            where = listed(count(d.drift) for d in recovered)
            what = "its earlier accuracy" if results.classification else "its earlier error"
            level = f"{100 * (RECOVERED if results.classification else 2 - RECOVERED):.0f}\u00a0%"
            drift = "drift" if len(recovered) == 1 else "drifts"
            sentence = (
                f"{recovered[0].learner} recovered to {level} of {what} {items} items after the "
                f"{drift} at {where}."
            )
        else:
            names = listed(dict.fromkeys(d.learner for d in recovered))
            fastest, slowest = (f(recovered, key=lambda d: d.recovery_items) for f in (min, max))
            sentence = (
                f"{len(recovered)} recoveries after known drifts ({names}), after a median of "
                f"{count(median(d.recovery_items for d in recovered))} items; the fastest is "
                f"{fastest.learner} after {count(fastest.recovery_items)} items, the slowest "
                f"{slowest.learner} after {count(slowest.recovery_items)}."
            )
        yield Remark("good", sentence, drops_table(results, recovered))

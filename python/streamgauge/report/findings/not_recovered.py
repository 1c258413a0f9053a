"""Performance drops at drifts without recovery."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report._format import count, listed, number, share
from streamgauge.report.performance_drops import drops_table, performance_drops
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class NotRecovered:
    """A learner whose performance dropped at a known drift and did not recover before the next one.

    Computed in windows of w items, the size of the sliding window. Level before the drift: the mean
    loss over the preceding five windows, back to the previous drift at most. Drop: within five
    windows of the drift's end, accuracy in one of them falls below 95 % of that level (an error
    rises above 105 %), by more than the fluctuation before the drift explains. Fluctuation: the
    variance of sums of many losses, per item, from differences of losses at a distance of w items
    since the previous drift, which allows for errors in bursts; a window must be worth 30
    independent items. Not recovered: nowhere after it does a window and the mean of the five from
    there reach 95 % of the earlier level (105 % of the earlier error; Shaker and Hüllermeier 2015),
    and the last five windows are significantly below. The probability of stating a recovery or its
    absence wrongly is at most 5 % over all drifts and learners; what is not decided is not stated.
    """

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        unrecovered = [d for d in performance_drops(results) if math.isnan(d.recovery_items)]
        if not unrecovered:
            return
        show = share if results.classification else number
        worst = max(unrecovered, key=lambda d: d.loss)
        where = f"after the drift at {count(worst.drift)}"
        change = f"{results.main_measure} went from {show(worst.before)} to {show(worst.worst)}"
        if len(unrecovered) == 1:
            sentence = f"{worst.learner} did not recover {where}: {change}."
        else:
            names = listed(dict.fromkeys(d.learner for d in unrecovered))
            sentence = (
                f"{len(unrecovered)} drops at known drifts without recovery ({names}). "
                f"The largest: {worst.learner} {where}, {change}."
            )
        yield Remark("warning", sentence, drops_table(results, unrecovered))

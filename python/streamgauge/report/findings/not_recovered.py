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

    Computed in the sliding window of w items. Level before the drift: the mean over the preceding
    five windows. Drop: accuracy falls below that level by more than 2/√w (an error grows by 25 %).
    Recovery: after the minimum, accuracy reaches 95 % of the earlier level (105 % of the earlier
    error; Shaker and Hüllermeier 2015) and its mean over the next five windows stays there.
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

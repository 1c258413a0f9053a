"""A drop after a drift that was not made good."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.case import Case, Seen
from streamgauge.report.drops import drops, listing
from streamgauge.report.wording import count, listed, number, share


@dataclass(frozen=True, slots=True)
class NotRecovered:
    """A learner that fell at a known drift and was not back before the next one, or the end.

    Read off the sliding window. Before the drift: the mean over the five windows that led up to
    it. It fell: accuracy dropped below that by more than 2/√w (an error grew by a quarter). It is
    back when, after its worst, it reaches 95 % of the earlier accuracy (105 % of the earlier
    error; paper 004) and keeps it on average over the next five windows.
    """

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        open_ends = [d for d in drops(case) if math.isnan(d.back)]
        if not open_ends:
            return
        show = share if case.classification else number
        worst = max(open_ends, key=lambda d: d.loss)
        where = f"after the drift at {count(worst.drift)}"
        fell = f"{case.main} went from {show(worst.before)} to {show(worst.worst)}"
        if len(open_ends) == 1:
            sentence = f"{worst.learner} has not recovered {where}: {fell} and did not come back."
        else:
            names = listed(dict.fromkeys(d.learner for d in open_ends))
            sentence = (
                f"{len(open_ends)} drops at known drifts were not made good ({names}). "
                f"The largest: {worst.learner} {where}, {fell} and did not come back."
            )
        yield Seen("warning", sentence, listing(case, open_ends))

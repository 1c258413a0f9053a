"""Drops after drifts that were made good."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from streamgauge.report.case import Case, Seen
from streamgauge.report.drops import BACK, drops, listing
from streamgauge.report.wording import count, listed


@dataclass(frozen=True, slots=True)
class Recovered:
    """A learner that fell at a known drift and came back before the next one.

    Read off the sliding window. Before the drift: the mean over the five windows that led up to
    it. It fell: accuracy dropped below that by more than 2/√w (an error grew by a quarter). It is
    back when, after its worst, it reaches 95 % of the earlier accuracy (105 % of the earlier
    error; paper 004) and keeps it on average over the next five windows. Counted in items since
    the drift began.
    """

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        made_good = [d for d in drops(case) if not math.isnan(d.back)]
        if not made_good:
            return
        if len({d.learner for d in made_good}) == 1:
            backs = listed(count(d.back) for d in made_good)
            where = listed(count(d.drift) for d in made_good)
            what = "its accuracy" if case.classification else "its earlier error"
            near = f"{100 * (BACK if case.classification else 2 - BACK):.0f}\u00a0%"
            drift = "drift" if len(made_good) == 1 else "drifts"
            sentence = (
                f"{made_good[0].learner} was back at {near} of {what} {backs} items after the "
                f"{drift} at {where}."
            )
        else:
            names = listed(dict.fromkeys(d.learner for d in made_good))
            quickest, slowest = (f(made_good, key=lambda d: d.back) for f in (min, max))
            sentence = (
                f"{len(made_good)} drops at known drifts were made good ({names}), half of them "
                f"within {count(median(d.back for d in made_good))} items; the quickest was "
                f"{quickest.learner} after {count(quickest.back)}, the slowest {slowest.learner} "
                f"after {count(slowest.back)}."
            )
        yield Seen("good", sentence, listing(case, made_good))

"""Labels depend on the labels before them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.case import Case, Seen
from streamgauge.report.findings._repeats import listing, repeats
from streamgauge.report.wording import share


@dataclass(frozen=True, slots=True)
class TemporalDependence:
    """A stream whose labels repeat the one before clearly more, or less, often than by chance.

    Independent labels would repeat with probability Σ pᵢ², where pᵢ is the share of class i.
    Dependence is present when the observed share is at least 5 points away from that and more
    than 3 standard errors. Then accuracy and kappa flatter learners that merely follow the last
    label, and kappa_temporal or kappa_plus are the measures to look at (paper 001).
    """

    apart: float = 0.05
    errors: float = 3.0

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        seen = repeats(case)
        if seen is None:
            return
        gap = seen.observed - seen.by_chance
        error = math.sqrt(seen.by_chance * (1 - seen.by_chance) / seen.pairs)
        if abs(gap) >= self.apart and abs(gap) > self.errors * error:
            advice = (
                "judge learners by kappa_temporal or kappa_plus rather than by accuracy"
                if gap > 0
                else "a learner can profit from the order alone"
            )
            yield Seen(
                "note",
                f"Labels depend on the ones before: {share(seen.observed)} repeat the previous "
                f"label, {share(seen.by_chance)} would if they were independent; {advice}.",
                listing(seen),
            )

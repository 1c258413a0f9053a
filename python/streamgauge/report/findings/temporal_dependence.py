"""Dependence of labels on the previous label."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report._format import share
from streamgauge.report.findings._label_repeats import label_repeats, repeats_table
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class TemporalDependence:
    """A stream whose labels equal the previous label clearly more, or less, often than by chance.

    Independent labels repeat with probability Σ pᵢ², where pᵢ is the share of class i. Labels are
    dependent if the observed share differs from that by at least 5 percentage points and by more
    than 3 standard errors. Accuracy and kappa then overrate learners that merely repeat the last
    label; kappa_temporal and kappa_plus correct for it (Žliobaitė et al. 2015).
    """

    min_difference: float = 0.05
    min_standard_errors: float = 3.0

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        repeats = label_repeats(results)
        if repeats is None:
            return
        difference = repeats.observed - repeats.by_chance
        error = math.sqrt(repeats.by_chance * (1 - repeats.by_chance) / repeats.pairs)
        if (
            abs(difference) >= self.min_difference
            and abs(difference) > self.min_standard_errors * error
        ):
            advice = (
                "compare learners by kappa_temporal or kappa_plus rather than by accuracy"
                if difference > 0
                else "a learner can use the order of labels alone"
            )
            yield Remark(
                "note",
                f"Labels depend on the previous label: {share(repeats.observed)} repeat it, "
                f"{share(repeats.by_chance)} would if they were independent; {advice}.",
                repeats_table(repeats),
            )

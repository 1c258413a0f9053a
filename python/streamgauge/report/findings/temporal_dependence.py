"""Dependence of labels on earlier labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report._format import count, share
from streamgauge.report.findings._label_repeats import label_repeats, sequence_table
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class TemporalDependence:
    """A stream whose labels depend on earlier labels.

    Tested within blocks of 50 labels, so that a slow drift of the class shares is not taken for
    dependence. Repeats: labels equal the previous label at least 5 percentage points more, or less,
    often than Σ pᵢ², where pᵢ is the share of class i, and within the blocks the number of repeats
    differs from that in random order by more than 3 standard errors. Otherwise successions: at one
    of the lags 1 to 10 a class follows a class at least 5 points more, or less, often than in
    random order, significantly (5 % over all classes and lags). Accuracy and kappa
    overrate learners that merely repeat the last label; kappa_temporal and kappa_plus correct for
    it (Žliobaitė et al. 2015). Of streams with labels in random order, at most 5 % are reported.
    """

    min_difference: float = 0.05

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        repeats = label_repeats(results)
        if repeats is None:
            return
        if repeats.differ(self.min_difference):
            advice = (
                "compare learners by kappa_temporal or kappa_plus rather than by accuracy"
                if repeats.observed > repeats.by_chance
                else "a learner can use the order of labels alone"
            )
            yield Remark(
                "note",
                f"Labels depend on the previous label: {share(repeats.observed)} repeat it, "
                f"{share(repeats.by_chance)} would if they were independent; {advice}.",
                sequence_table(results, repeats),
            )
            return
        strong = [
            s
            for s in repeats.sequence.successions
            if abs(s.rate - s.expected) >= self.min_difference
        ]
        if strong:
            classes, most = results.schema.classes or (), strong[0]
            later = "directly" if most.lag == 1 else f"{count(most.lag)} labels"
            yield Remark(
                "note",
                f"Labels depend on earlier labels: class {classes[most.after]!r} comes {later} "
                f"after class {classes[most.before]!r} in {share(most.rate)} of cases, in random "
                f"order in {share(most.expected)} (its share is "
                f"{share(float(repeats.sequence.shares[most.after]))}); a learner can use the "
                "order of labels alone.",
                sequence_table(results, repeats, most),
            )

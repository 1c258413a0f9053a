"""Accuracy below that of the majority-class baseline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.findings._baseline_comparison import (
    compared_values,
    comparison_table,
    subject_verb,
    worse_than,
)
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class BelowMajority:
    """A learner whose accuracy over the whole stream is below that of the majority-class baseline.

    The baseline predicts the most frequent class so far and uses no features. The difference must
    be significant in the long run, as by `compare`, over all learners together at a significance
    level of 5 % (Holm), also if errors come in bursts: in spells of at most 200 labels on average,
    or a twentieth of the labels if there are fewer than 2,000; fewer than 100 labels decide
    nothing.
    """

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        beaten = worse_than(results, results.majority) if results.classification else []
        if beaten and results.majority:
            yield Remark(
                "warning",
                f"{subject_verb(beaten, 'is', 'are')} less accurate than the majority-class "
                "baseline, "
                "which predicts the most frequent class so far "
                f"({compared_values(results, beaten, results.majority)}).",
                comparison_table(results, beaten, [results.majority]),
            )

"""Accuracy below that of the persistent baseline."""

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
class BelowPersistent:
    """A learner whose accuracy over the whole stream is below that of the persistent baseline.

    The baseline predicts the last label it learned and uses no features. The difference must be
    significant in the long run, as by `compare`, over all learners together at a significance level
    of 5 % (Holm), also if errors come in bursts: in spells of at most 200 labels on average, or a
    twentieth of the labels if there are fewer than 2,000; fewer than 100 labels decide nothing.
    Without label delays this is a kappa_temporal clearly below 0. With delays it is not: the
    reference of kappa_temporal is the previous label in stream order, which the baseline may not
    know yet.
    """

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        beaten = worse_than(results, results.persistent) if results.classification else []
        if beaten and results.persistent:
            yield Remark(
                "warning",
                f"{subject_verb(beaten, 'is', 'are')} less accurate than the persistent baseline, "
                "which predicts the last known label "
                f"({compared_values(results, beaten, results.persistent)}).",
                comparison_table(results, beaten, [results.persistent]),
            )

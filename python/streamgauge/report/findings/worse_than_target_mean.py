"""Error above that of the target-mean baseline."""

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
class WorseThanTargetMean:
    """A learner whose mean absolute error over the whole stream exceeds that of the target mean.

    The baseline predicts the mean of the targets so far and uses no features. The difference must
    be significant in the long run, as by `compare`, over all learners together at a significance
    level of 5 % (Holm), also if errors come in bursts: in spells of at most 200 labels on average,
    or a twentieth of the labels if there are fewer than 2,000; fewer than 100 labels decide
    nothing.
    """

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        beaten = [] if results.classification else worse_than(results, results.majority)
        if beaten and results.majority:
            yield Remark(
                "warning",
                f"{subject_verb(beaten, 'has', 'have')} a larger error than the target-mean "
                "baseline, "
                "which predicts the mean so far (mae "
                f"{compared_values(results, beaten, results.majority)}).",
                comparison_table(results, beaten, [results.majority]),
            )

"""Error above that of the last-value baseline."""

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
class WorseThanLastValue:
    """A learner whose mean absolute error over the whole stream exceeds that of the last value.

    The baseline predicts the last target it learned and uses no features. The difference must be
    significant in the long run, as by `compare`, over all learners together at a significance level
    of 5 % (Holm), also if errors come in bursts: in spells of at most 200 labels on average, or a
    twentieth of the labels if there are fewer than 2,000; fewer than 100 labels decide nothing.
    """

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        beaten = [] if results.classification else worse_than(results, results.persistent)
        if beaten and results.persistent:
            yield Remark(
                "warning",
                f"{subject_verb(beaten, 'has', 'have')} a larger error than the last-value "
                "baseline, "
                "which predicts the last known target (mae "
                f"{compared_values(results, beaten, results.persistent)}).",
                comparison_table(results, beaten, [results.persistent]),
            )

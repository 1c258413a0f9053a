"""Labels without dependence on the previous label."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report._format import share
from streamgauge.report.findings._label_repeats import label_repeats, repeats_table
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class IndependentLabels:
    """A stream whose labels equal the previous label about as often as independent labels would.

    Within 2 percentage points of Σ pᵢ², where pᵢ is the share of class i, over at least 1,000
    pairs of consecutive labels. Only the order of labels is tested: features and concepts may
    still drift.
    """

    max_difference: float = 0.02
    min_pairs: int = 1000

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        repeats = label_repeats(results)
        if repeats is None or repeats.pairs < self.min_pairs:
            return
        if abs(repeats.observed - repeats.by_chance) < self.max_difference:
            yield Remark(
                "good",
                f"Labels show no dependence on the previous label ({share(repeats.observed)} "
                "repeat "
                f"it, {share(repeats.by_chance)} expected under independence), so accuracy and "
                "kappa are not inflated by temporal dependence.",
                repeats_table(repeats),
            )

"""Labels look independent of the labels before them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.case import Case, Seen
from streamgauge.report.findings._repeats import listing, repeats
from streamgauge.report.wording import share


@dataclass(frozen=True, slots=True)
class IndependentLabels:
    """A stream whose labels repeat the one before about as often as independent ones would.

    Within 2 points of Σ pᵢ², where pᵢ is the share of class i, seen over at least 1,000 pairs
    of neighbours. Only the order of labels is looked at: features and concepts may still drift.
    """

    apart: float = 0.02
    least: int = 1000

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        seen = repeats(case)
        if seen is None or seen.pairs < self.least:
            return
        if abs(seen.observed - seen.by_chance) < self.apart:
            yield Seen(
                "good",
                f"Labels look independent of the ones before ({share(seen.observed)} repeat, "
                f"{share(seen.by_chance)} would by chance), so accuracy and kappa are not "
                "flattered by temporal dependence.",
                listing(seen),
            )

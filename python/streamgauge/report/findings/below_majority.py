"""Below the majority baseline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.case import Case, Seen
from streamgauge.report.findings._against import against, behind, listing, verb


@dataclass(frozen=True, slots=True)
class BelowMajority:
    """A learner whose accuracy over the whole stream lies below that of the majority baseline.

    That baseline always says the class that was most frequent so far and knows no features. The
    gap must be wider than 1/√n, the half width of a 95 % interval around a share of n items.
    """

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        beaten = behind(case, case.majority) if case.classification else []
        if beaten and case.majority:
            yield Seen(
                "warning",
                f"{verb(beaten, 'is', 'are')} right less often than the majority baseline, which "
                f"always says the commonest class ({against(case, beaten, case.majority)}).",
                listing(case, beaten, [case.majority]),
            )

"""Below the persistent baseline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.case import Case, Seen
from streamgauge.report.findings._against import against, behind, listing, verb


@dataclass(frozen=True, slots=True)
class BelowPersistent:
    """A learner whose accuracy over the whole stream lies below that of the persistent baseline.

    That baseline only repeats the last label it was told and knows no features. The gap must be
    wider than 1/√n, the half width of a 95 % interval around a share of n items. Where each label
    comes at once, the same as a kappa_temporal clearly below 0; a label that comes late is known
    to kappa_temporal's reference, the previous label in stream order, but not to the baseline.
    """

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        beaten = behind(case, case.persistent) if case.classification else []
        if beaten and case.persistent:
            yield Seen(
                "warning",
                f"{verb(beaten, 'is', 'are')} right less often than the persistent baseline, "
                f"which only repeats the last label ({against(case, beaten, case.persistent)}).",
                listing(case, beaten, [case.persistent]),
            )

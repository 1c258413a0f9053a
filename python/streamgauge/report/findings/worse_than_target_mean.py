"""Worse than saying the mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.case import Case, Seen
from streamgauge.report.findings._against import against, behind, listing, verb


@dataclass(frozen=True, slots=True)
class WorseThanTargetMean:
    """A learner whose mean absolute error over the whole stream exceeds that of the target mean.

    That baseline answers with the mean of the targets so far and knows no features. The error
    must be more than 1 % larger.
    """

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        beaten = [] if case.classification else behind(case, case.majority)
        if beaten and case.majority:
            yield Seen(
                "warning",
                f"{verb(beaten, 'errs', 'err')} more than the target-mean baseline, which always "
                f"says the mean so far (mae {against(case, beaten, case.majority)}).",
                listing(case, beaten, [case.majority]),
            )

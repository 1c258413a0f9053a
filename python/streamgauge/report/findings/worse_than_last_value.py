"""Worse than saying the last value again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.case import Case, Seen
from streamgauge.report.findings._against import against, behind, listing, verb


@dataclass(frozen=True, slots=True)
class WorseThanLastValue:
    """A learner whose mean absolute error over the whole stream exceeds that of the last value.

    That baseline answers with the last target it was told and knows no features. The error must
    be more than 1 % larger.
    """

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        beaten = [] if case.classification else behind(case, case.persistent)
        if beaten and case.persistent:
            yield Seen(
                "warning",
                f"{verb(beaten, 'errs', 'err')} more than the last-value baseline, which only "
                f"repeats the last target (mae {against(case, beaten, case.persistent)}).",
                listing(case, beaten, [case.persistent]),
            )

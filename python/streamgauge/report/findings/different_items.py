"""Learners that were not measured on the same items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.case import Case, Seen
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.wording import count


@dataclass(frozen=True, slots=True)
class DifferentItems:
    """Logs of one stream that hold different numbers of labels.

    Their numbers are then about different parts of the stream and cannot be compared as pairs.
    """

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        ran = [m for m in case.measured if not m.derived]
        known = [m.counts.known for m in ran]
        if len(set(known)) > 1:
            yield Seen(
                "warning",
                f"The learners were not measured on the same items: from {count(min(known))} to "
                f"{count(max(known))} labels. Their numbers cannot be compared as they stand.",
                Table(
                    (Column("learner", "learner"), Column("known", "labels", "count")),
                    tuple(Row((m.name, m.counts.known)) for m in ran),
                ),
            )

"""Labels that never came."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.case import Case, Seen
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.wording import count, share


@dataclass(frozen=True, slots=True)
class MissingLabels:
    """A stream in which some of the items asked about never got a label.

    Nothing can be measured on them, so every number is about the labelled ones. More than half
    missing is a warning: the rest may not be a fair sample of the whole.
    """

    grave: float = 0.5

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        counts = case.fullest.counts
        if counts.missing > 0:
            yield Seen(
                "warning" if counts.missing > self.grave else "note",
                f"{count(counts.asked - counts.known)} of {count(counts.asked)} items "
                f"({share(counts.missing)}) never got a label; every number here is about the "
                "others.",
                Table(
                    (
                        Column("asked", "asked about", "count"),
                        Column("known", "labelled", "count"),
                        Column("missing", "missing", "share"),
                    ),
                    (Row((counts.asked, counts.known, counts.missing)),),
                ),
            )

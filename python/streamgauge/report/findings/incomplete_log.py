"""A run that was cut off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.case import Case, Seen
from streamgauge.report.findings._against import verb
from streamgauge.report.page import Column, Row, Table


@dataclass(frozen=True, slots=True)
class IncompleteLog:
    """A log without its end marker: the run was stopped, failed or is still going on.

    What is there is measured as it is. Numbers may change when the run is resumed.
    """

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        cut = [m for m in case.measured if not m.log.complete and not m.derived]
        if cut:
            yield Seen(
                "warning",
                f"{verb(cut, 'was', 'were')} cut off before the end of the stream; the numbers "
                "cover only what was written until then.",
                Table(
                    (Column("learner", "learner"), Column("known", "labels", "count")),
                    tuple(Row((m.name, m.counts.known)) for m in cut),
                ),
            )

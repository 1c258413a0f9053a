"""Only one class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.case import Case, Seen
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.wording import count


@dataclass(frozen=True, slots=True)
class OneClass:
    """A stream in which every known label is the same class.

    Then any learner that says this class is perfect, and kappa, kappa_temporal and kappa_plus
    are undefined: they compare with a baseline that cannot be wrong.
    """

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        labels = case.fullest.counts.labels
        if (labels > 0).sum() != 1:
            return
        only = (case.schema.classes or ())[int(labels.argmax())]
        yield Seen(
            "warning",
            f"All {count(labels.sum())} labels are the same class, {only!r}: accuracy says "
            "nothing here, and kappa and its relatives are undefined.",
            Table(
                (Column("class", "class"), Column("labels", "labels", "count")),
                tuple(
                    Row((str(name), int(n)))
                    for name, n in zip(case.schema.classes or (), labels, strict=True)
                ),
            ),
        )

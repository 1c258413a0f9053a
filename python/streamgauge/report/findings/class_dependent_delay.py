"""Labels of one class that come later than those of others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.log.lateness import lateness
from streamgauge.report.case import Case, Seen
from streamgauge.report.page import Column, Row, Table


@dataclass(frozen=True, slots=True)
class ClassDependentDelay:
    """Labels of a class that take clearly longer to become known than those of other classes.

    By ranks: the chance that a label of the class takes longer than one of another class is at
    least 6 points from one half, and p is below 0.001 (Wilcoxon, corrected for the number of
    classes). Curves and comparisons take labels in the order they became known: at any moment
    they have seen fewer of the late class than have come, and an anytime-valid verdict is about
    the mean difference in that order.
    """

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        seen = lateness(case.fullest.log)
        if seen is None or not seen.words():
            return
        unit = "items" if seen.clock == "item" else "µs"
        yield Seen(
            "warning",
            f"{seen.words()} Numbers over part of the stream, and verdicts, are about the order "
            "in which labels became known; that class is under-counted until its labels are in.",
            Table(
                (
                    Column("class", "class"),
                    Column("labels", "labels", "count"),
                    Column("middle", f"median delay ({unit})", "number"),
                    Column("later", "later than others", "share"),
                ),
                tuple(
                    Row((str(name), int(n), float(middle), float(later)))
                    for name, n, middle, later in zip(
                        seen.classes, seen.counts, seen.middle, seen.later, strict=True
                    )
                ),
            ),
        )

"""Label delays that depend on the class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.log.lateness import lateness
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class ClassDependentDelay:
    """A class whose labels have clearly longer or shorter delays than those of the other classes.

    By ranks: the probability that the delay of a label of the class exceeds that of a label of
    another class is at least 6 percentage points from one half, and p is below 0.001 (Wilcoxon
    rank-sum test, corrected for the number of classes and for labels and delays that come in runs);
    both sides have at least 30 labels. Curves and comparisons use labels in the order they became
    known: at any moment a class with longer delays is under-represented, one with shorter delays
    over-represented, and an anytime-valid verdict is about the mean difference in that order.
    """

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        # repetitions with the same labels are no further evidence
        different = {run.counts.digest: run.log for run in results.most_labelled.each}
        delays = lateness(*different.values())
        if delays is None or not delays.to_text():
            return
        unit = "items" if delays.clock == "item" else "µs"
        yield Remark(
            "warning",
            f"{delays.to_text()} Values over part of the stream, and verdicts, use the order in "
            f"which labels became known; {delays.consequence}.",
            Table(
                (
                    Column("class", "class"),
                    Column("labels", "labels", "count"),
                    Column("median", f"median delay ({unit})", "number"),
                    Column("later", "P(later than others)", "share"),
                ),
                tuple(
                    Row((str(name), int(n), float(middle), float(later)))
                    for name, n, middle, later in zip(
                        delays.classes, delays.counts, delays.middle, delays.later, strict=True
                    )
                ),
            ),
        )

"""Items without a label."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report._format import count, share
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class MissingLabels:
    """A stream in which some predicted items never get a label.

    Every value is computed on the labelled items only. More than half missing is a warning: the
    labelled items may not be a representative sample.
    """

    warn_above: float = 0.5

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        counts = results.most_labelled.counts
        if counts.missing > 0:
            yield Remark(
                "warning" if counts.missing > self.warn_above else "note",
                f"{count(counts.items - counts.known)} of {count(counts.items)} items "
                f"({share(counts.missing)}) never got a label; every value here is computed on "
                "the others.",
                Table(
                    (
                        Column("items", "predicted items", "count"),
                        Column("known", "labelled", "count"),
                        Column("missing", "missing", "share"),
                    ),
                    (Row((counts.items, counts.known, counts.missing)),),
                ),
            )

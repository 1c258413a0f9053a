"""Streams with a single class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report._format import count
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class OneClass:
    """A stream in which every known label is the same class.

    Predicting this class is then always correct, and kappa, kappa_temporal and kappa_plus are
    undefined: the reference they compare with makes no error.
    """

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        counts = results.most_labelled.counts
        labels = counts.labels
        if (labels > 0).sum() != 1:
            return
        only = (results.schema.classes or ())[int(labels.argmax())]
        yield Remark(
            "warning",
            f"All {count(labels.sum())} labels{_over(counts.repetitions)} are the same class, "
            f"{only!r}: accuracy is not informative, and kappa and its variants are undefined.",
            Table(
                (Column("class", "class"), Column("labels", "labels", "count")),
                tuple(
                    Row((str(name), int(n)))
                    for name, n in zip(results.schema.classes or (), labels, strict=True)
                ),
            ),
        )


def _over(repetitions: int) -> str:
    return f" of {repetitions} repetitions" if repetitions > 1 else ""

"""Logs of one stream with different numbers of labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report._format import count
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class DifferentItems:
    """Logs of one stream that hold different numbers of labels.

    Their values then describe different parts of the stream and cannot be compared in pairs.
    """

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        ran = [m for m in results.measured if not m.derived]
        known = [m.known for m in ran]
        if len(set(known)) > 1:
            yield Remark(
                "warning",
                f"The learners were not measured on the same items: from {count(min(known))} to "
                f"{count(max(known))} labels. Their values are not comparable.",
                Table(
                    (Column("learner", "learner"), Column("known", "labels", "count")),
                    tuple(Row((m.name, m.known)) for m in ran),
                ),
            )

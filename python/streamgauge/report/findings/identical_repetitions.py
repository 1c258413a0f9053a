"""Repetitions with the same predictions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report._format import count, listed
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class IdenticalRepetitions:
    """Repetitions of a learner that have the same labels and predictions, item by item.

    Neither the stream nor the learner depends on the seed (a file, a learner without random
    numbers). They are one run: their standard deviation is 0 by construction and states nothing
    about precision, so none is shown, and the verdicts are those of one run.
    """

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        identical = [m for m in results.measured if m.identical and not m.derived]
        if not identical:
            return
        runs = " or ".join(count(n) for n in sorted({len(m.runs) for m in identical}))
        yield Remark(
            "note",
            f"The {runs} repetitions of {listed(m.name for m in identical)} are identical: "
            "neither the stream nor the learner depends on the seed, so they are one run and show "
            "no spread.",
            Table(
                (Column("learner", "learner"), Column("runs", "identical runs", "count")),
                tuple(Row((m.name, len(m.runs))) for m in identical),
            ),
        )

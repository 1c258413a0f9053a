"""Learners with different repetitions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.repetitions._by_learner import seed_of
from streamgauge.report._format import count, listed
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class MissingRepetitions:
    """Learners of one stream whose repetitions have different seeds, or some of which are missing.

    Their means are then over different runs. Differences to baselines, and verdicts, use the
    repetitions that both learners have.
    """

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        ran = [m for m in results.measured if not m.derived]
        seeds = {m.name: {seed_of(run.log) for run in m.each} for m in ran}
        every = set().union(*seeds.values())
        fewer = [m for m in ran if len(seeds[m.name]) < len(every)]
        if not fewer or not any(m.runs for m in ran):
            return
        yield Remark(
            "warning",
            f"{listed(m.name for m in fewer)} {'has' if len(fewer) == 1 else 'have'} fewer than "
            f"the {count(len(every))} repetitions of this stream; means over different "
            "repetitions are not comparable.",
            Table(
                (Column("learner", "learner"), Column("runs", "repetitions", "count")),
                tuple(Row((m.name, len(m.each))) for m in ran),
            ),
        )

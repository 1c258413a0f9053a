"""Items without a prediction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report._format import count, listed, share
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class ColdStart:
    """A learner that abstained on a visible share of the labelled items.

    Coverage is the share of labelled items with a prediction. Below 99.95 % it is noted, below
    95 % it is a warning. Whether an abstention counts as an error or is skipped is the cold-start
    policy, stated in the definitions.
    """

    note_below: float = 0.9995
    warn_below: float = 0.95

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        abstaining = [m for m in results.learners if m.counts.coverage < self.note_below]
        if not abstaining:
            return
        policies = {
            c.definition["cold_start"]
            for m in abstaining
            for (name, _), c in m.curves.items()
            if name == results.main_measure and "cold_start" in c.definition
        }
        worst = min(abstaining, key=lambda m: m.counts.coverage)
        missing = worst.counts.known - worst.counts.covered
        policy = f" Policy: {listed(sorted(policies))}." if policies else ""
        most = f", most often {worst.name}: " if len(abstaining) > 1 else ": "
        yield Remark(
            "warning" if worst.counts.coverage < self.warn_below else "note",
            f"{listed(m.name for m in abstaining)} abstained{most}{count(missing)} of "
            f"{count(worst.counts.known)} labelled items have no prediction (coverage "
            f"{share(worst.counts.coverage)}).{policy}",
            Table(
                (
                    Column("learner", "learner"),
                    Column("predicted", "predicted", "count"),
                    Column("known", "labels", "count"),
                    Column("coverage", "coverage", "share"),
                ),
                tuple(
                    Row((m.name, m.counts.covered, m.counts.known, m.counts.coverage))
                    for m in abstaining
                ),
            ),
        )

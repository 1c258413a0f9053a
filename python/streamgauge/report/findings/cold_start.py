"""Questions that were not answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.case import Case, Seen
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.wording import count, listed, share


@dataclass(frozen=True, slots=True)
class ColdStart:
    """A learner that left enough questions unanswered to show in its numbers.

    Coverage is the share of labels for which an answer had been given. Less than 99.95 % is said,
    less than 95 % is a warning. Whether silence counts as wrong or is skipped is the cold-start
    policy, which is named with every definition.
    """

    said: float = 0.9995
    grave: float = 0.95

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        silent = [m for m in case.learners if m.counts.coverage < self.said]
        if not silent:
            return
        policies = {
            c.definition["cold_start"]
            for m in silent
            for (name, _), c in m.curves.items()
            if name == case.main and "cold_start" in c.definition
        }
        worst = min(silent, key=lambda m: m.counts.coverage)
        left = worst.counts.known - worst.counts.answered
        policy = f" Policy: {listed(sorted(policies))}." if policies else ""
        most = f", {worst.name} most: " if len(silent) > 1 else ": "
        yield Seen(
            "warning" if worst.counts.coverage < self.grave else "note",
            f"{listed(m.name for m in silent)} left questions unanswered{most}{count(left)} of "
            f"{count(worst.counts.known)} (coverage {share(worst.counts.coverage)}).{policy}",
            Table(
                (
                    Column("learner", "learner"),
                    Column("answered", "answered", "count"),
                    Column("known", "labels", "count"),
                    Column("coverage", "coverage", "share"),
                ),
                tuple(
                    Row((m.name, m.counts.answered, m.counts.known, m.counts.coverage))
                    for m in silent
                ),
            ),
        )

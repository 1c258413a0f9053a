"""Learners that changed their minds while labels were on their way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.late.changing import wavering
from streamgauge.report.case import Case, Seen
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.wording import share


@dataclass(frozen=True, slots=True)
class ChangedMinds:
    """Items that were asked about again, and whose last answer is another than the first.

    Only where classes are answered: a number changes with nearly every asking. Less than one item
    in a hundred is not mentioned. The first answer is what could be acted upon when the item
    came; a score of last answers is about what was known when the label came.
    """

    least: float = 0.01

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        again = [m for m in case.learners if m.log.about.get("asks_last") == "True"]
        if not case.classification:
            return
        seen = {m.name: wavering(m.log) for m in again if m.counts.known and not m.derived}
        fickle = {name: one for name, one in seen.items() if one.share_changed >= self.least}
        if not fickle:
            return
        name, most = max(fickle.items(), key=lambda pair: pair[1].share_changed)
        first = next(m for m in again if m.name == name).value(case.main)
        more = f"; so do {len(fickle) - 1} others" if len(fickle) > 2 else ""
        more = "; so does one other" if len(fickle) == 2 else more
        yield Seen(
            "note",
            f"{name} changes its mind while labels are on their way: for "
            f"{share(most.share_changed)} of items the last answer is another than the first"
            f"{more}. {share(first)} of its first answers are right, and "
            f"{share(most.share_right)} of its last.",
            Table(
                (
                    Column("learner", "learner"),
                    Column("changes", "changes of mind", "number", None, "an item"),
                    Column("changed", "last ≠ first", "share"),
                    Column("right", "last right", "share"),
                ),
                tuple(
                    Row((name, one.mean_changes, one.share_changed, one.share_right))
                    for name, one in seen.items()
                ),
            ),
        )

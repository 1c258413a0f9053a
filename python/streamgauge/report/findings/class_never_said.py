"""A class that is never answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.case import Case, Seen
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.wording import listed


@dataclass(frozen=True, slots=True)
class ClassNeverSaid:
    """A class with at least 1 % of the labels (and at least 30) that a learner never answers.

    Its recall is 0, which an accuracy or a kappa over all classes may hide. Learners that always
    give the same answer are left to the rule about those.
    """

    share: float = 0.01
    least: int = 30

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        classes = case.schema.classes or ()
        missed = [
            (m, code)
            for m in case.learners
            if m.counts.varied
            for code, labels in enumerate(m.counts.labels.tolist())
            if labels >= max(self.least, self.share * m.counts.known) and not m.counts.answers[code]
        ]
        if not missed:
            return
        names = listed(dict.fromkeys(m.name for m, _ in missed))
        which = listed(dict.fromkeys(repr(classes[code]) for _, code in missed))
        many = len({code for _, code in missed}) > 1
        yield Seen(
            "warning",
            f"{names} never {'says' if len({m.name for m, _ in missed}) == 1 else 'say'} "
            f"{'classes' if many else 'class'} {which}, which the stream does have.",
            Table(
                (
                    Column("learner", "learner"),
                    Column("class", "class"),
                    Column("labels", "labels", "count"),
                    Column("share", "share", "share"),
                ),
                tuple(
                    Row(
                        (
                            m.name,
                            str(classes[code]),
                            int(m.counts.labels[code]),
                            float(m.counts.labels[code] / m.counts.known),
                        )
                    )
                    for m, code in missed
                ),
            ),
        )

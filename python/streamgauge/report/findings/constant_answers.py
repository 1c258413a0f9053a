"""A learner that always says the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from streamgauge.report.case import Case, Seen
from streamgauge.report.findings._against import verb
from streamgauge.report.page import Column, Row, Table


@dataclass(frozen=True, slots=True)
class ConstantAnswers:
    """A learner that gave one and the same answer throughout, though the labels varied.

    Over at least 30 answers. It may never have been taught, or have been given features it
    cannot use.
    """

    least: int = 30

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        counts = case.fullest.counts
        if counts.repeats == counts.pairs:
            return
        stuck = [
            m for m in case.learners if m.counts.answered >= self.least and not m.counts.varied
        ]
        if stuck:
            classes = case.schema.classes or ()
            answers = [
                str(classes[int(np.argmax(m.counts.answers))]) if classes else None for m in stuck
            ]
            yield Seen(
                "warning",
                f"{verb(stuck, 'gives', 'give')} the same answer to every question.",
                Table(
                    (
                        Column("learner", "learner"),
                        Column("answer", "always says"),
                        Column("answered", "times", "count"),
                    ),
                    tuple(
                        Row((m.name, answer, m.counts.answered))
                        for m, answer in zip(stuck, answers, strict=True)
                    ),
                ),
            )

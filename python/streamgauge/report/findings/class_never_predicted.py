"""Classes that are never predicted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report._format import listed
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class ClassNeverPredicted:
    """A class with at least 1 % of the labels (and at least 30) that is never predicted.

    Its recall is 0, which accuracy or kappa over all classes may hide. Learners with constant
    predictions are reported by another rule.
    """

    min_share: float = 0.01
    min_labels: int = 30

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        classes = results.schema.classes or ()
        missed = [
            (m, code)
            for m in results.learners
            if m.counts.varied
            for code, labels in enumerate(m.counts.labels.tolist())
            if m.counts.per_repetition(labels) >= self.min_labels
            and labels >= self.min_share * m.counts.known
            and not m.counts.predictions[code]
        ]
        if not missed:
            return
        names = listed(dict.fromkeys(m.name for m, _ in missed))
        which = listed(dict.fromkeys(repr(classes[code]) for _, code in missed))
        many = len({code for _, code in missed}) > 1
        yield Remark(
            "warning",
            f"{names} never {'predicts' if len({m.name for m, _ in missed}) == 1 else 'predict'} "
            f"{'classes' if many else 'class'} {which}, which {'occur' if many else 'occurs'} "
            "among the labels.",
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

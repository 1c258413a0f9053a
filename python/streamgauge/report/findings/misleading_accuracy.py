"""An accuracy that looks good because one class is common."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.case import Case, Seen
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.wording import listed, share


@dataclass(frozen=True, slots=True)
class MisleadingAccuracy:
    """A learner whose accuracy is about the share of the commonest class, with a kappa near 0.

    Looked for where the classes are uneven (the commonest has at least 10 points more than an
    even share): an accuracy within 2 points of its share and a kappa below 0.1.
    """

    near: float = 0.02
    kappa: float = 0.1
    uneven: float = 0.1

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        labels = case.fullest.counts.labels
        classes = int((labels > 0).sum())
        if classes < 2:
            return
        common = float(labels.max() / labels.sum())
        if common - 1 / classes < self.uneven:
            return
        fooled = [
            m
            for m in case.learners
            if abs(m.value("accuracy") - common) <= self.near and m.value("kappa") < self.kappa
        ]
        if fooled:
            what = "accuracy" if len(fooled) == 1 else "accuracies"
            yield Seen(
                "warning",
                f"The {what} of {listed(m.name for m in fooled)} mislead: {share(common)} of the "
                "labels are one class, and saying that class would be right as often. Kappa, "
                "which allows for it, is near 0.",
                Table(
                    (
                        Column("learner", "learner"),
                        Column("accuracy", "accuracy", "share"),
                        Column("common", "commonest class", "share"),
                        Column("kappa", "kappa", "index"),
                    ),
                    tuple(
                        Row((m.name, m.value("accuracy"), common, m.value("kappa"))) for m in fooled
                    ),
                ),
            )

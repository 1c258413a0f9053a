"""Accuracy explained by the most frequent class alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report._format import listed, share
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class MisleadingAccuracy:
    """A learner whose accuracy is about the share of the most frequent class, with kappa near 0.

    Tested where classes are imbalanced (the share of the most frequent class exceeds an equal share
    by at least 10 percentage points): an accuracy within 2 percentage points of that share and a
    kappa below 0.1, over the items seen and at least 1,000 labels.
    """

    max_difference: float = 0.02
    max_kappa: float = 0.1
    min_imbalance: float = 0.1
    min_labels: int = 1000

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        labels = results.most_labelled.counts.labels
        classes = int((labels > 0).sum())
        if classes < 2 or results.most_labelled.known < self.min_labels:
            return
        most_frequent = float(labels.max() / labels.sum())
        if most_frequent - 1 / classes < self.min_imbalance:
            return
        misleading = [
            m
            for m in results.learners
            if abs(m.value("accuracy") - most_frequent) <= self.max_difference
            and m.value("kappa") < self.max_kappa
        ]
        if misleading:
            yield Remark(
                "warning",
                f"The accuracy of {listed(m.name for m in misleading)} is misleading: "
                f"{share(most_frequent)} of the labels are one class, so predicting only that "
                "class is about as accurate on these items. Kappa, which corrects for it, is near "
                "0.",
                Table(
                    (
                        Column("learner", "learner"),
                        Column("accuracy", "accuracy", "share"),
                        Column("most_frequent", "most frequent class", "share"),
                        Column("kappa", "kappa", "index"),
                    ),
                    tuple(
                        Row((m.name, m.cell("accuracy"), most_frequent, m.cell("kappa")))
                        for m in misleading
                    ),
                ),
            )

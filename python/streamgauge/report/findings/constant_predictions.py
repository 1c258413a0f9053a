"""Learners with constant predictions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from streamgauge.report.findings._baseline_comparison import subject_verb
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class ConstantPredictions:
    """A learner whose predictions are all equal although the labels vary.

    Over at least 30 predictions. Possible reasons: it learned no labels, or it cannot use the
    features.
    """

    min_predictions: int = 30

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        counts = results.most_labelled.counts
        if counts.repeats == counts.with_previous:
            return
        constant = [
            m
            for m in results.learners
            if m.counts.per_repetition(m.counts.covered) >= self.min_predictions
            and not m.counts.varied
        ]
        if constant:
            classes = results.schema.classes or ()
            predictions = [
                str(classes[int(np.argmax(m.counts.predictions))]) if classes else None
                for m in constant
            ]
            yield Remark(
                "warning",
                f"{subject_verb(constant, 'predicts', 'predict')} the same value for every item.",
                Table(
                    (
                        Column("learner", "learner"),
                        Column("prediction", "constant prediction"),
                        Column("predicted", "predictions", "count"),
                    ),
                    tuple(
                        Row((m.name, prediction, m.counts.covered))
                        for m, prediction in zip(constant, predictions, strict=True)
                    ),
                ),
            )

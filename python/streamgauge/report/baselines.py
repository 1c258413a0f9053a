"""Logs of baselines, computed from the labels of another log without a run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from streamgauge.late._event_sequence import EventSequence, Segment, event_sequence, segments
from streamgauge.learners.last_value import LastValue
from streamgauge.learners.majority_class import MajorityClass
from streamgauge.learners.persistent import Persistent
from streamgauge.learners.target_mean import TargetMean
from streamgauge.log.about import stated_number
from streamgauge.log.alarms import Alarms
from streamgauge.log.labelled_predictions import LabelledPredictions, join_labels
from streamgauge.log.rows import Arrived, Labels, Perturbed, Predictions, Training, of_fold
from streamgauge.log.selections import Selections
from streamgauge.log.table import Log
from streamgauge.log.vitals import Vitals
from streamgauge.report._reevaluated_baseline import ReevaluatedBaseline
from streamgauge.report.label_only_folds import LabelOnlyFolds
from streamgauge.types import I64, nothing

BASELINES: dict[str, dict[str, Any]] = {
    "classification": {"persistent": Persistent(), "majority_class": MajorityClass()},
    "regression": {"last_value": LastValue(), "target_mean": TargetMean()},
}
"""Baselines by task and name."""


def baselines(log: Log) -> dict[str, Log]:
    """Logs of the baselines under the protocol of this log, by name.

    Each prediction uses the labels that its fold had learned by then. Empty if these labels cannot
    be determined from the log (`event_sequence`).

    Examples
    --------
    >>> from streamgauge.log.table import from_columns
    >>> from streamgauge.types import Feature, Schema
    >>> schema = Schema((Feature("x"),), classes=("no", "yes"))
    >>> label = np.array([1, 1, 0, 0, 0, 1], np.int32)
    >>> for name, derived in baselines(from_columns(schema, label, label)).items():
    ...     print(name, [p.prediction.tolist() for p in derived.labelled_predictions()])
    persistent [[-1, 1, 1, 0, 0, 0]]
    majority_class [[-1, 1, 1, 1, 0, 0]]
    """
    sequence = event_sequence(log)
    if sequence is None:
        return {}
    return {
        name: replace(
            log,
            tables=BaselineTables(log, sequence, learner),
            about={**log.about, "learner": name},
            resources={},
        )
        for name, learner in BASELINES[log.schema.task].items()
    }


@dataclass(frozen=True, slots=True)
class BaselineTables:
    """Tables of the log of a baseline, computed from the labels of `log`."""

    log: Log
    sequence: EventSequence
    learner: Any

    @property
    def labels_in_order(self) -> bool:
        """Whether labels arrived in the order of their items."""
        return self.log.tables.labels_in_order

    def alarms(self) -> Alarms:
        """No alarms: baselines have no detector."""
        return Alarms()

    def perturbed(self) -> Iterator[Perturbed]:
        """No perturbed copies: a baseline does not read features, and noise changes nothing."""
        return iter(())

    def vitals(self) -> Vitals:
        """No vitals: the baseline is computed from the labels."""
        return Vitals()

    def selections(self) -> Selections:
        """No selections: baselines do not read the features."""
        return Selections()

    def labelled_predictions(self, fold: int | None = None) -> Iterator[LabelledPredictions]:
        """Labels beside the first predictions of the baseline."""
        firsts = (rows for _, rows, _ in self._segments(0))
        return join_labels(of_fold(firsts, fold), self.labels, self.labels_in_order)

    def label_count(self) -> int:
        """Number of labels."""
        return self.log.label_count()

    def predictions(self) -> Iterator[Predictions]:
        """First predictions, and later ones that differ from the previous one."""
        every = stated_number(self.log.about, "predicts_again", 0, "report") or 0
        repeated = ReevaluatedBaseline(every, self.log.about.get("first_at_zero") == "True")
        for part, firsts, folds in self._segments(every):
            yield repeated.predictions(part, firsts, folds) if every else firsts

    def labels(self) -> Iterator[Labels]:
        """The same labels."""
        return self.log.labels()

    def training(self) -> Iterator[Training]:
        """The same training rows."""
        return self.log.training()

    def arrivals(self) -> Iterator[Arrived]:
        """The same items."""
        return self.log.tables.arrivals()

    def _segments(self, keep: int) -> Iterator[tuple[Segment, Predictions, LabelOnlyFolds]]:
        """Segments of the log, first predictions of the baseline, and its folds after each."""
        folds = LabelOnlyFolds(
            lambda: self.learner.bind(self.log.schema), self.log.training(), keep
        )
        for part in segments(self.log, self.sequence):
            if len(part.labels):
                folds.learn(part.labels)
            yield part, _predicted(part.first, part.labels_before, folds), folds


def _predicted(rows: Predictions, labels: I64, folds: LabelOnlyFolds) -> Predictions:
    """The same rows with the predictions of a learner that knows `labels` labels at each."""
    made = np.full(len(rows), nothing(rows.prediction), rows.prediction.dtype)
    for fold in np.unique(rows.fold).tolist():
        own = rows.fold == fold
        made[own] = folds.after(fold, labels[own], rows.prediction)
    return replace(rows, prediction=made, scores=None)

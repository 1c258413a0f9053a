"""The bound half of `Pipeline` around a model, a wrapper, or with own transformers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from streamgauge.errors import LearnerError
from streamgauge.learners import _wrapping as wrapping
from streamgauge.preprocessing._native import NativeRows
from streamgauge.preprocessing._transformer import checked_rows
from streamgauge.types import F64, U32, U64, Codes, Flags, missing, nothing


@dataclass(slots=True)
class PipelineLearner:
    """See `Pipeline`. Statistics do not depend on predictions, so rows are transformed first."""

    transformers: tuple[Any, ...]
    learner: Any
    keeps_columns: bool

    one_by_one: ClassVar[None] = None

    @property
    def numbered(self) -> bool:
        """True if the learner inside takes items in any order."""
        return bool(self.learner.numbered)

    @property
    def tracks_items(self) -> bool:
        """True if the learner inside keeps data of items."""
        return bool(self.learner.tracks_items)

    @property
    def has_alarms(self) -> bool:
        """True if there is a detector inside."""
        return bool(self.learner.has_alarms)

    @property
    def has_selections(self) -> bool:
        """True if features are selected inside and are those of the stream."""
        return self.keeps_columns and bool(self.learner.has_selections)

    @property
    def measured(self) -> bool:
        """True if the learner inside has `memory` and `vitals`."""
        return bool(self.learner.measured)

    @property
    def takes_missing(self) -> bool:
        """True if rows may have missing values."""
        filled = any(one.fills_missing for one in self.transformers)
        return filled or bool(self.learner.takes_missing)

    @property
    def has_scores(self) -> bool:
        """True if it has scores."""
        return bool(self.learner.has_scores)

    @property
    def about(self) -> dict[str, str]:
        """What is stored in the log about the learner inside."""
        return dict(self.learner.about)

    def predict(self, rows: F64, first: int = 0, items: U64 | None = None) -> Codes | F64:
        """Predict each row, transformed by the statistics so far."""
        numbers = {} if items is None else {"items": items}
        predictions: Codes | F64 = self.learner.predict(self._transformed(rows), first, **numbers)
        return predictions

    def scores(self, rows: F64, first: int = 0, items: U64 | None = None) -> F64:
        """The scores of each row, transformed by the statistics so far."""
        numbers = {} if items is None else {"items": items}
        scores: F64 = self.learner.scores(self._transformed(rows), first, **numbers)
        return scores

    def learn(
        self,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        items: U64 | None = None,
    ) -> None:
        """Learn labelled items, in order, each with the statistics that include it."""
        _, trained = self._learned(rows, ~missing(labels), weights)
        wrapping.learn_rows(self.learner, trained, labels, weights, items)

    def predicted(self, first: int, predictions: Codes | F64) -> None:
        """Pass the predictions to the learner inside, if it tracks items."""
        wrapping.predicted(self.learner, first, predictions)

    def forget(self, keep_from: int) -> None:
        """Make the learner inside forget items, if it tracks them."""
        wrapping.forget(self.learner, keep_from)

    def alarms(self) -> list[tuple[int, str, str]]:
        """Signals of a detector inside since the last call."""
        return wrapping.alarms(self.learner)

    def selections(self) -> list[tuple[int, Sequence[int] | U32]]:
        """Changes of the selected features since the last call."""
        return wrapping.selections(self.learner)

    def test_then_train(
        self,
        first: int,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        scores: F64 | None = None,
    ) -> Codes | F64:
        """Predict each item, then learn it unless its label is missing; fill `scores`."""
        known: Flags = ~missing(labels)
        before, after = self._learned(rows, known, weights)
        driver = self.learner.one_by_one
        if driver is not None:  # a model that is called item by item, in a compiled loop
            predictions: Codes | F64 = driver.test_then_train_pairs(
                first, before, after, labels, weights, scores
            )
            return predictions
        predictions = np.full_like(labels, nothing(labels))
        for i in range(len(labels)):
            one, item = slice(i, i + 1), first + i
            predictions[one] = self.learner.predict(before[one], item)
            if scores is not None:
                scores[one] = self.learner.scores(before[one], item)
            wrapping.predicted(self.learner, item, predictions[one])
            if known[i]:
                weight = None if weights is None else weights[one]
                number = np.array([item], np.uint64)
                try:
                    wrapping.learn_rows(self.learner, after[one], labels[one], weight, number)
                except LearnerError as error:
                    raise LearnerError(
                        error.model, error.verb, item, 0, error.cause, predictions[: i + 1]
                    ) from error.cause
        return predictions

    def fresh(self, seed: int) -> PipelineLearner:
        """An untrained copy, with its own seed."""
        transformers = tuple(one.fresh() for one in self.transformers)
        return PipelineLearner(transformers, self.learner.fresh(seed), self.keeps_columns)

    def memory(self) -> float:
        """Bytes of the transformers and of the learner inside; NaN if unknown."""
        own = [
            one.native.memory() if isinstance(one, NativeRows) else float("nan")
            for one in self.transformers
        ]
        return float(sum(own) + self.learner.memory())

    def vitals(self) -> dict[str, float]:
        """Vitals of the learner inside."""
        vitals: dict[str, float] = self.learner.vitals()
        return vitals

    def _transformed(self, rows: F64) -> F64:
        for one in self.transformers:
            rows = checked_rows(one, rows)
        return rows

    def _learned(self, rows: F64, learned: Flags, weights: F64 | None) -> tuple[F64, F64]:
        """Update the statistics in order; each row transformed before and after its update."""
        before = after = np.ascontiguousarray(rows)
        for one in self.transformers:
            if isinstance(one, NativeRows):
                before, after = one.transform_and_learn(before, after, learned, weights)
            else:
                before, after = _transform_and_learn(one, before, after, learned, weights)
        return before, after


def _transform_and_learn(
    one: Any, before: F64, after: F64, learned: Flags, weights: F64 | None
) -> tuple[F64, F64]:
    """What `NativeRows` has compiled, for an own transformer."""
    width = len(one.schema.features)
    first, second = np.empty((len(before), width)), np.empty((len(after), width))
    for i in range(len(before)):
        row = slice(i, i + 1)
        first[row] = checked_rows(one, before[row])
        weight = 1.0 if weights is None else float(weights[i])
        if learned[i] and weight > 0:
            one.learn(after[i], weight)
        second[row] = checked_rows(one, after[row])
    return first, second

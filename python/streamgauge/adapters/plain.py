"""Any object with `predict(x)` and `learn(x, y)`: array rows, class codes."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, ClassVar

from streamgauge._core import Driver
from streamgauge.adapters.driving import (
    Drive,
    codes_by_prediction,
    codes_of,
    gathered,
    known_of,
    refusal,
    shown,
)
from streamgauge.types import F64, Codes, Schema


@dataclass(slots=True)
class PlainLearner:
    """Drives an object of your own.

    Asked, it is shown `predict(x)`: a read-only float64 row, nominal cells as codes, missing
    ones NaN; it gives a class code (or a number), or None for no answer. Taught, it is shown
    `learn(x, y)` with `y` a class code (or a number), and `learn(x, y, weight=w)` where the
    weight is not 1.

    What it may have besides: `fresh(seed)`, a copy that knows nothing (without it the object is
    deep-copied as it was handed over); `scores(x)`, one number a class; `predict_many(rows)` and
    `learn_many(rows, labels)`, the same for many rows in one call; `takes_missing = True`.
    """

    model: Any
    schema: Schema
    origin: Any
    takes_missing: bool = field(init=False)
    _drive: Drive = field(init=False, repr=False)
    numbered: ClassVar[bool] = False
    remembers: ClassVar[bool] = False
    watches: ClassVar[bool] = False
    measured: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self.takes_missing = bool(getattr(self.model, "takes_missing", False))
        classes = codes_of(self.schema)
        driver = Driver(
            self.model.predict,
            self.model.learn,
            refusal(classes or [], "a class code"),
            score=getattr(self.model, "scores", None),
            classes=classes,
            codes=None if classes is None else codes_by_prediction(self.schema),
        )
        self._drive = Drive(self.name, driver, "predict", "scores", "learn")

    @property
    def name(self) -> str:
        """What errors and tables call it."""
        return type(self.model).__name__

    @property
    def about(self) -> dict[str, str]:
        """What a log should say of it: nothing is known."""
        return {}

    @property
    def has_scores(self) -> bool:
        """Can it be asked for scores?"""
        return self.schema.classes is not None and hasattr(self.model, "scores")

    def test_then_train(
        self,
        first: int,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        scores: F64 | None = None,
    ) -> Codes | F64:
        """Ask about each row, then teach it unless its label is missing."""
        return self._drive.test_then_train(first, rows, labels, weights, scores)

    def answer(self, rows: F64, first: int = 0) -> Codes | F64:
        """Ask about each row, in one call if it has `predict_many`."""
        if len(rows) > 1 and hasattr(self.model, "predict_many"):
            return self._drive.at_once(
                lambda: gathered(self.model.predict_many(shown(rows)), len(rows), self.schema),
                "predict_many",
                first,
            )
        return self._drive.answer(rows, first)

    def scores(self, rows: F64, first: int = 0) -> F64:
        """One number a class for each row."""
        return self._drive.scores(rows, len(self.schema.classes or ()), first)

    def learn(
        self, rows: F64, labels: Codes | F64, weights: F64 | None = None, first: int = 0
    ) -> None:
        """Teach each row whose label is not missing."""
        if len(rows) > 1 and hasattr(self.model, "learn_many"):
            self._drive.at_once(
                lambda: self._learn_many(rows, labels, weights), "learn_many", first
            )
        else:
            self._drive.teach(rows, labels, weights, first)

    @property
    def one_by_one(self) -> Drive | None:
        """How it is driven where it is asked about one item at a time; None if it need not be."""
        return None if hasattr(self.model, "predict_many") else self._drive

    def fresh(self, seed: int) -> PlainLearner:
        """A copy that knows what the object knew when it was handed over."""
        if hasattr(self.origin, "fresh"):
            return PlainLearner(self.origin.fresh(seed), self.schema, self.origin)
        return PlainLearner(deepcopy(self.origin), self.schema, self.origin)

    def _learn_many(self, rows: F64, labels: Codes | F64, weights: F64 | None) -> None:
        known = known_of(labels)
        if not known.all():
            rows, labels = rows[known], labels[known]
            weights = None if weights is None else weights[known]
        if weights is None or (weights == 1).all():
            self.model.learn_many(shown(rows), shown(labels))
        else:
            self.model.learn_many(shown(rows), shown(labels), weight=shown(weights))

    def __reduce__(self) -> tuple[type[PlainLearner], tuple[object, ...]]:
        return PlainLearner, (self.model, self.schema, self.origin)


def adapt(model: Any, schema: Schema) -> PlainLearner:
    """Take any object with `predict` and `learn`."""
    learner = PlainLearner(model, schema, model)
    return learner.fresh(0) if not hasattr(model, "fresh") else learner

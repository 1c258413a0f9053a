"""Objects with `predict(x)` and `learn(x, y)`: array rows, class codes."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, ClassVar

from streamgauge._core import Driver
from streamgauge.adapters._model_driver import (
    ModelDriver,
    checked_predictions,
    codes_by_prediction,
    codes_of,
    known_of,
    no_parameter,
    read_only,
    refusal,
)
from streamgauge.types import F64, Codes, Schema


@dataclass(slots=True)
class PlainLearner:
    """Calls an object of any class through `predict` and `learn`.

    `predict(x)` gets a read-only float64 row, with codes for nominal values and NaN for missing
    ones, and returns a class code (or a number), or None to abstain. `learn(x, y)` gets the same
    row and a class code (or a number); it is `learn(x, y, weight=w)` if the weight is not 1.

    Optional: `fresh(seed)`, an untrained copy (by default the object is deep-copied as given);
    `scores(x)`, one number from 0 to 1 per class; `predict_many(rows)` and
    `learn_many(rows, labels)`, the same for many rows in one call; `takes_missing = True`;
    `vitals()`, named numbers about the object for the log, its size in bytes as `bytes`.
    """

    model: Any
    schema: Schema
    origin: Any
    takes_missing: bool = field(init=False)
    measured: bool = field(init=False)
    _driver: ModelDriver = field(init=False, repr=False)
    numbered: ClassVar[bool] = False
    tracks_items: ClassVar[bool] = False
    has_alarms: ClassVar[bool] = False
    has_selections: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self.takes_missing = bool(getattr(self.model, "takes_missing", False))
        self.measured = hasattr(self.model, "vitals")
        classes = codes_of(self.schema)
        compiled = Driver(
            self.model.predict,
            self.model.learn,
            refusal(classes or [], "a class code"),
            score=getattr(self.model, "scores", None),
            classes=classes,
            codes=None if classes is None else codes_by_prediction(self.schema),
        )
        self._driver = ModelDriver(self.name, compiled, "predict", "scores", "learn")

    @property
    def name(self) -> str:
        """The name in errors and tables."""
        return type(self.model).__name__

    @property
    def about(self) -> dict[str, str]:
        """Facts for the log: none."""
        return {}

    @property
    def no_weights(self) -> str:
        """Why the object takes no weights; empty if it does."""
        return no_parameter(self.model.learn, "weight")

    @property
    def has_scores(self) -> bool:
        """Whether `scores` can be called."""
        return self.schema.classes is not None and hasattr(self.model, "scores")

    def test_then_train(
        self,
        first: int,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        scores: F64 | None = None,
    ) -> Codes | F64:
        """Predict each row, then learn it unless its label is missing."""
        return self._driver.test_then_train(first, rows, labels, weights, scores)

    def predict(self, rows: F64, first: int = 0) -> Codes | F64:
        """Predict each row, in one call if the object has `predict_many`."""
        if len(rows) > 1 and hasattr(self.model, "predict_many"):
            return self._driver.call(
                lambda: checked_predictions(
                    self.model.predict_many(read_only(rows)), len(rows), self.schema
                ),
                "predict_many",
                first,
            )
        return self._driver.predictions(rows, first)

    def scores(self, rows: F64, first: int = 0) -> F64:
        """One number per class for each row."""
        return self._driver.scores(rows, len(self.schema.classes or ()), first)

    def learn(
        self, rows: F64, labels: Codes | F64, weights: F64 | None = None, first: int = 0
    ) -> None:
        """Learn each row whose label is not missing."""
        if len(rows) > 1 and hasattr(self.model, "learn_many"):
            self._driver.call(lambda: self._learn_many(rows, labels, weights), "learn_many", first)
        else:
            self._driver.learn_rows(rows, labels, weights, first)

    @property
    def one_by_one(self) -> ModelDriver | None:
        """The driver for calls item by item; None if the object has `predict_many`."""
        return None if hasattr(self.model, "predict_many") else self._driver

    def memory(self) -> float:
        """Bytes of the object, if its vitals state them."""
        return float(self.model.vitals().get("bytes", float("nan")))

    def vitals(self) -> dict[str, float]:
        """The vitals of the object."""
        return dict(self.model.vitals())

    def fresh(self, seed: int) -> PlainLearner:
        """`fresh(seed)` of the object, or a deep copy of it as it was given."""
        if hasattr(self.origin, "fresh"):
            return PlainLearner(self.origin.fresh(seed), self.schema, self.origin)
        return PlainLearner(deepcopy(self.origin), self.schema, self.origin)

    def _learn_many(self, rows: F64, labels: Codes | F64, weights: F64 | None) -> None:
        known = known_of(labels) if weights is None else known_of(labels) & (weights != 0)
        if not known.any():
            return
        if not known.all():
            rows, labels = rows[known], labels[known]
            weights = None if weights is None else weights[known]
        if weights is None or (weights == 1).all():
            self.model.learn_many(read_only(rows), read_only(labels))
        else:
            self.model.learn_many(read_only(rows), read_only(labels), weight=read_only(weights))

    def __reduce__(self) -> tuple[type[PlainLearner], tuple[object, ...]]:
        return PlainLearner, (self.model, self.schema, self.origin)


def adapt(model: Any, schema: Schema) -> PlainLearner:
    """Adapt an object with `predict` and `learn`."""
    learner = PlainLearner(model, schema, model)
    return learner.fresh(0) if not hasattr(model, "fresh") else learner

"""scikit-learn estimators with `partial_fit`: array rows, class codes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from inspect import signature
from typing import Any, ClassVar

import numpy as np

from streamgauge._core import Driver
from streamgauge.adapters._facts import sklearn_facts
from streamgauge.adapters._model_driver import (
    ModelDriver,
    about_model,
    checked_predictions,
    codes_of,
    known_of,
    no_parameter,
    read_only,
    refusal,
)
from streamgauge.adapters._object_bytes import object_bytes
from streamgauge.adapters._sklearn_pipeline import PipelineFit, can_be_fitted, steps_of
from streamgauge.errors import DataError, LearnerError, ParameterError
from streamgauge.types import F64, NONE, Codes, Schema


@dataclass(slots=True)
class SklearnLearner:
    """Calls an estimator through `predict`, `predict_proba` and `partial_fit`.

    It gets one-row arrays with codes for nominal values and labels; `partial_fit` gets all class
    codes in the first call. It learns one item per call, so that the result does not depend on
    the batches of a stream (an SGD estimator shuffles the rows of a call). It predicts many rows
    in one call.

    An estimator cannot predict before its first label: until then the learner abstains.

    A Pipeline has no `partial_fit`; its steps are trained one after the other (`PipelineFit`).
    """

    model: Any
    schema: Schema
    origin: Any
    notes: tuple[str, ...] = ()
    fitted: bool = False
    takes_missing: bool = field(init=False)
    _first: ModelDriver = field(init=False, repr=False)
    _driver: ModelDriver = field(init=False, repr=False)
    numbered: ClassVar[bool] = False
    tracks_items: ClassVar[bool] = False
    has_alarms: ClassVar[bool] = False
    has_selections: ClassVar[bool] = False
    measured: ClassVar[bool] = True
    one_by_one: ClassVar[None] = None

    def __post_init__(self) -> None:
        steps = steps_of(self.model)
        get_tags = import_module("sklearn.utils").get_tags
        self.takes_missing = all(get_tags(step).input_tags.allow_nan for step in steps)
        own = hasattr(self.model, "partial_fit")
        learn: Any = self.model.partial_fit if own else PipelineFit(steps).partial_fit
        named = "classes" in signature(steps[-1].partial_fit).parameters
        names_classes = self.schema.classes is not None and named
        first = {"classes": np.arange(len(self.schema.classes or ()))} if names_classes else {}
        self._first = self._driven_by(partial(learn, **first))
        self._driver = self._driven_by(learn)

    def _driven_by(self, learn: Any) -> ModelDriver:
        classes = codes_of(self.schema)
        compiled = Driver(
            self.model.predict,
            learn,
            refusal(classes or [], "a class code"),
            score=self.model.predict_proba if self.has_scores else None,
            table=True,
            classes=classes,
            codes=None if classes is None else {code: code for code in classes},
            weight="sample_weight",
        )
        return ModelDriver(self.name, compiled, "predict", "predict_proba", "partial_fit")

    @property
    def name(self) -> str:
        """The name in errors and tables."""
        return type(self.model).__name__

    @property
    def about(self) -> dict[str, str]:
        """Facts for the log."""
        return about_model(self.notes, "scikit-learn")

    @property
    def no_weights(self) -> str:
        """Why the estimator takes no weights; empty if it does."""
        last = (steps_of(self.model) or (self.model,))[-1]
        return no_parameter(last.partial_fit, "sample_weight")

    @property
    def has_scores(self) -> bool:
        """Whether `scores` can be called."""
        return self.schema.classes is not None and hasattr(self.model, "predict_proba")

    def test_then_train(
        self,
        first: int,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        scores: F64 | None = None,
    ) -> Codes | F64:
        """Predict each row, then learn it unless its label is missing."""
        try:
            begun = self._begin(rows, labels, weights, first)
        except LearnerError as error:
            error.predictions = self._nothing(error.item - first + 1)
            raise
        abstained = self._nothing(begun)
        if scores is not None:
            scores[:begun] = np.nan
        try:
            predictions = self._driver.test_then_train(
                first + begun,
                rows[begun:],
                labels[begun:],
                None if weights is None else weights[begun:],
                None if scores is None else scores[begun:],
            )
        except LearnerError as error:
            error.predictions = np.concatenate([abstained, error.predictions])
            raise
        return np.concatenate([abstained, predictions]) if begun else predictions

    def predict(self, rows: F64, first: int = 0) -> Codes | F64:
        """Predict all rows in one call."""
        if not self.fitted or not len(rows):
            return self._nothing(len(rows))

        def predict() -> Codes | F64:
            return checked_predictions(self.model.predict(read_only(rows)), len(rows), self.schema)

        return self._driver.call(predict, "predict", first)

    def scores(self, rows: F64, first: int = 0) -> F64:
        """One probability per class for each row; NaN before the first label."""
        classes = len(self.schema.classes or ())
        if not self.has_scores:
            raise ParameterError(f"{self.name}: must have predict_proba to give scores")
        if not self.fitted or not len(rows):
            return np.full((len(rows), classes), np.nan)

        def score() -> F64:
            scores = np.asarray(self.model.predict_proba(read_only(rows)), dtype=np.float64)
            if scores.shape != (len(rows), classes):
                shape = (len(rows), classes)
                raise DataError(f"scores must have the shape {shape}, got {scores.shape}")
            return scores

        return self._driver.call(score, "predict_proba", first)

    def learn(
        self, rows: F64, labels: Codes | F64, weights: F64 | None = None, first: int = 0
    ) -> None:
        """Learn each row whose label is not missing, one per call."""
        begun = self._begin(rows, labels, weights, first)
        rest = None if weights is None else weights[begun:]
        self._driver.learn_rows(rows[begun:], labels[begun:], rest, first + begun)

    def memory(self) -> float:
        """Bytes of the model: the objects that can be reached from it, each once."""
        return float(object_bytes(self.model))

    def vitals(self) -> dict[str, float]:
        """What the model tells about its structure."""
        return sklearn_facts(self.model)

    def fresh(self, seed: int) -> SklearnLearner:
        """A clone of the given estimator, seeded where `random_state` is None."""
        clone = import_module("sklearn.base").clone(self.origin)
        unset = {
            name: seed % 2**32
            for name, value in clone.get_params().items()
            if name.rpartition("__")[2] == "random_state" and value is None
        }
        clone.set_params(**unset)
        notes = [f"{type(clone).__name__} had no {k}: it was given {v}" for k, v in unset.items()]
        return SklearnLearner(clone, self.schema, self.origin, tuple(notes))

    def _begin(self, rows: F64, labels: Codes | F64, weights: F64 | None, first: int) -> int:
        """Learn the first labelled item with a weight, once; returns the number of items done."""
        if self.fitted:
            return 0
        labelled = known_of(labels)
        known = np.flatnonzero(labelled if weights is None else labelled & (weights != 0))
        if not len(known):
            return len(labels)
        at = int(known[0])
        one = slice(at, at + 1)
        self._first.learn_rows(
            rows[one], labels[one], None if weights is None else weights[one], first + at
        )
        self.fitted = True
        return at + 1

    def _nothing(self, count: int) -> Codes | F64:
        if self.schema.classes is None:
            return np.full(count, np.nan)
        return np.full(count, NONE, dtype=np.int32)

    def __reduce__(self) -> tuple[type[SklearnLearner], tuple[object, ...]]:
        return SklearnLearner, (self.model, self.schema, self.origin, self.notes, self.fitted)


def adapt(model: Any, schema: Schema) -> SklearnLearner:
    """Adapt a scikit-learn classifier or regressor with `partial_fit`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import Perceptron
    >>> from streamgauge.types import Feature
    >>> learner = adapt(Perceptron(), Schema((Feature("a"),), classes=("no", "yes")))
    >>> rows, labels = np.array([[0.0], [9.0], [8.0]]), np.array([0, 1, 1], dtype=np.int32)
    >>> learner.test_then_train(0, rows, labels, None)
    array([-1,  0,  1], dtype=int32)
    """
    if isinstance(model, type):
        raise ParameterError(
            f"{model.__name__}: must be an object, got the class; give {model.__name__}(…)"
        )
    name, base = type(model).__name__, import_module("sklearn.base")
    *transformers, last = steps_of(model) or (model,)
    for step in (*transformers, last):
        if not (hasattr(last, "partial_fit") if step is last else can_be_fitted(step)):
            within = "" if step is model else f" (the step {type(step).__name__})"
            more = "" if step is model else "; or use streamgauge.learners.Pipeline"
            raise ParameterError(
                f"{name}: must have partial_fit to learn item by item, got an estimator "
                f"without it{within}{more}"
            )
    fits, kind = (
        (base.is_regressor, "regressor")
        if schema.classes is None
        else (base.is_classifier, "classifier")
    )
    if not fits(model):
        on = "a real target" if schema.classes is None else f"{len(schema.classes)} classes"
        got = "regressor" if base.is_regressor(model) else "classifier"
        got = got if base.is_classifier(model) or base.is_regressor(model) else name
        raise ParameterError(f"{name}: must be a {kind} on a stream with {on}, got a {got}")
    return SklearnLearner(model, schema, model).fresh(0)

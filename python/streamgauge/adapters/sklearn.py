"""scikit-learn estimators with `partial_fit`: array rows, class codes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from inspect import signature
from typing import Any, ClassVar

import numpy as np

from streamgauge._core import Driver
from streamgauge.adapters.driving import Drive, codes_of, gathered, known_of, refusal, shown, told
from streamgauge.errors import DataError, LearnerError, ParameterError
from streamgauge.types import F64, NONE, Codes, Schema


@dataclass(slots=True)
class SklearnLearner:
    """Drives an estimator through `predict`, `predict_proba` and `partial_fit`.

    It is shown one-row arrays, nominal cells and labels as codes; `partial_fit` is told all class
    codes at the first call. It is taught one item at a time, also where many are taught in a row,
    so that nothing depends on how a stream is cut into batches (an SGD estimator shuffles the
    rows of a call). It is asked about many rows in one call.

    Before its first label an estimator cannot answer at all: the answer is none, as for any
    learner that knows nothing, and no class is made up.
    """

    model: Any
    schema: Schema
    origin: Any
    notes: tuple[str, ...] = ()
    fitted: bool = False
    takes_missing: bool = field(init=False)
    _first: Drive = field(init=False, repr=False)
    _drive: Drive = field(init=False, repr=False)
    numbered: ClassVar[bool] = False
    remembers: ClassVar[bool] = False
    watches: ClassVar[bool] = False
    measured: ClassVar[bool] = False
    one_by_one: ClassVar[None] = None

    def __post_init__(self) -> None:
        tags = import_module("sklearn.utils").get_tags(self.model)
        self.takes_missing = bool(tags.input_tags.allow_nan)
        learn = self.model.partial_fit
        names_classes = self.schema.classes is not None and "classes" in signature(learn).parameters
        told = {"classes": np.arange(len(self.schema.classes or ()))} if names_classes else {}
        self._first = self._driven_by(partial(learn, **told))
        self._drive = self._driven_by(learn)

    def _driven_by(self, learn: Any) -> Drive:
        classes = codes_of(self.schema)
        driver = Driver(
            self.model.predict,
            learn,
            refusal(classes or [], "a class code"),
            score=self.model.predict_proba if self.has_scores else None,
            table=True,
            classes=classes,
            codes=None if classes is None else {code: code for code in classes},
            weight="sample_weight",
        )
        return Drive(self.name, driver, "predict", "predict_proba", "partial_fit")

    @property
    def name(self) -> str:
        """What errors and tables call it."""
        return type(self.model).__name__

    @property
    def about(self) -> dict[str, str]:
        """What a log should say of it."""
        return told(self.notes, "scikit-learn")

    @property
    def has_scores(self) -> bool:
        """Can it be asked for scores?"""
        return self.schema.classes is not None and hasattr(self.model, "predict_proba")

    def test_then_train(
        self,
        first: int,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        scores: F64 | None = None,
    ) -> Codes | F64:
        """Ask about each row, then teach it unless its label is missing."""
        try:
            begun = self._begin(rows, labels, weights, first)
        except LearnerError as error:
            error.answers = self._nothing(error.item - first + 1)
            raise
        silent = self._nothing(begun)
        if scores is not None:
            scores[:begun] = np.nan
        try:
            said = self._drive.test_then_train(
                first + begun,
                rows[begun:],
                labels[begun:],
                None if weights is None else weights[begun:],
                None if scores is None else scores[begun:],
            )
        except LearnerError as error:
            error.answers = np.concatenate([silent, error.answers])
            raise
        return np.concatenate([silent, said]) if begun else said

    def answer(self, rows: F64, first: int = 0) -> Codes | F64:
        """Ask about all rows in one call."""
        if not self.fitted or not len(rows):
            return self._nothing(len(rows))

        def ask() -> Codes | F64:
            return gathered(self.model.predict(shown(rows)), len(rows), self.schema)

        return self._drive.at_once(ask, "predict", first)

    def scores(self, rows: F64, first: int = 0) -> F64:
        """One probability a class for each row; NaN before the first label."""
        classes = len(self.schema.classes or ())
        if not self.has_scores:
            raise ParameterError(f"{self.name}: must have predict_proba to be asked for scores")
        if not self.fitted or not len(rows):
            return np.full((len(rows), classes), np.nan)

        def ask() -> F64:
            said = np.asarray(self.model.predict_proba(shown(rows)), dtype=np.float64)
            if said.shape != (len(rows), classes):
                want = (len(rows), classes)
                raise DataError(f"scores must have the shape {want}, got {said.shape}")
            return said

        return self._drive.at_once(ask, "predict_proba", first)

    def learn(
        self, rows: F64, labels: Codes | F64, weights: F64 | None = None, first: int = 0
    ) -> None:
        """Teach each row whose label is not missing, one after the other."""
        begun = self._begin(rows, labels, weights, first)
        rest = None if weights is None else weights[begun:]
        self._drive.teach(rows[begun:], labels[begun:], rest, first + begun)

    def fresh(self, seed: int) -> SklearnLearner:
        """A clone of the estimator that was handed over, seeded where `random_state` is None."""
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
        """Teach the very first labelled item, once; gives how many items are done by then."""
        if self.fitted:
            return 0
        known = np.flatnonzero(known_of(labels))
        if not len(known):
            return len(labels)
        at = int(known[0])
        one = slice(at, at + 1)
        self._first.teach(
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
    """Take any scikit-learn classifier or regressor that has `partial_fit`.

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
    if not hasattr(model, "partial_fit"):
        raise ParameterError(
            f"{name}: must have partial_fit to learn item by item, got an estimator without it"
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

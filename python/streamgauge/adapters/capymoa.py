"""CapyMOA learners: a row becomes a MOA instance with a schema converted from ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from inspect import signature
from typing import Any, ClassVar, NoReturn

from streamgauge._core import Driver
from streamgauge.adapters._facts import moa_facts
from streamgauge.adapters._model_driver import ModelDriver, about_model, codes_of, refusal
from streamgauge.errors import ParameterError
from streamgauge.types import F64, NONE, Codes, Schema, Value


@dataclass(frozen=True, slots=True)
class ModelOrigin:
    """The class and parameters from which a learner is made for a schema."""

    kind: Any
    given: Mapping[str, Any]
    seed: int | None
    from_object: bool = False

    @property
    def name(self) -> str:
        """The name in errors."""
        return str(self.kind.__name__)

    def make(self, schema: Any, seed: int) -> tuple[Any, tuple[str, ...]]:
        """The learner, and notes about parameters that were set by the adapter."""
        if self.from_object:
            return self.kind.from_params(schema, dict(self.given), self.seed), ()
        if self.seed is not None or "random_seed" not in signature(self.kind).parameters:
            own = {} if self.seed is None else {"random_seed": self.seed}
            return self.kind(schema=schema, **self.given, **own), ()
        short = seed % 2**31  # a Java int
        note = f"{self.name} had no random_seed: it was given {short}"
        return self.kind(schema=schema, random_seed=short, **self.given), (note,)


@dataclass(slots=True)
class CapymoaLearner:
    """Calls a CapyMOA classifier or regressor through `predict`, `predict_proba` and `train`.

    It predicts an instance whose class is missing and learns another one that has it, so that no
    label is visible before the prediction. Empty votes mean that it abstains; CapyMOA's own
    evaluators count them as class 0 or 0.0.
    """

    model: Any
    schema: Schema
    origin: ModelOrigin
    notes: tuple[str, ...] = ()
    takes_missing: bool = field(init=False)
    _driver: ModelDriver = field(init=False, repr=False)
    numbered: ClassVar[bool] = False
    tracks_items: ClassVar[bool] = False
    has_alarms: ClassVar[bool] = False
    has_selections: ClassVar[bool] = False
    measured: ClassVar[bool] = True

    def __post_init__(self) -> None:
        core, base = import_module("capymoa.core"), import_module("capymoa.base")
        moa_schema = self.model.schema
        # MOA's own learners accept NaN for a missing cell; it is not known whether others do.
        java = hasattr(self.model, "moa_learner")
        self.takes_missing = java
        classes = codes_of(self.schema)
        labelled = core.RegressionInstance if classes is None else core.LabeledInstance
        predict = self.model.predict
        if getattr(type(self.model), "predict", None) is base.MOARegressor.predict:
            predict = partial(_vote, self.model.moa_learner)

        def wrap(x: F64) -> Any:
            return core.Instance.from_array(moa_schema, x)

        def learn(instance: Any, y: float, weight: float = 1.0) -> None:
            item = labelled.from_array(moa_schema, instance.x, y)
            if weight != 1.0:
                if not java:
                    raise TypeError(f"weight must be 1 for a learner outside MOA, got {weight}")
                item.java_instance.setWeight(weight)
            self.model.train(item)

        compiled = Driver(
            predict,
            learn,
            refusal(classes or [], "a class code"),
            score=self.model.predict_proba if self.has_scores else None,
            wrap=wrap,
            classes=classes,
            codes=None if classes is None else {code: code for code in [NONE, *classes]},
            from_scores=classes is not None and type(self.model).predict is base.Classifier.predict,
        )
        self._driver = ModelDriver(self.name, compiled, "predict", "predict_proba", "train")

    @property
    def name(self) -> str:
        """The name in errors and tables."""
        return type(self.model).__name__

    @property
    def about(self) -> dict[str, str]:
        """Facts for the log."""
        return about_model(self.notes, "capymoa")

    @property
    def no_weights(self) -> str:
        """Why the learner takes no weights; empty if it does."""
        return "" if hasattr(self.model, "moa_learner") else "which is outside MOA"

    @property
    def has_scores(self) -> bool:
        """Whether `scores` can be called."""
        return self.schema.classes is not None

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
        """Predict each row."""
        return self._driver.predictions(rows, first)

    def scores(self, rows: F64, first: int = 0) -> F64:
        """The share of votes per class for each row; NaN if there are no votes."""
        return self._driver.scores(rows, len(self.schema.classes or ()), first)

    def learn(
        self, rows: F64, labels: Codes | F64, weights: F64 | None = None, first: int = 0
    ) -> None:
        """Learn each row whose label is not missing."""
        self._driver.learn_rows(rows, labels, weights, first)

    @property
    def one_by_one(self) -> ModelDriver:
        """The driver for calls item by item."""
        return self._driver

    def memory(self) -> float:
        """Bytes as MOA measures them; NaN if its agent for sizes is not loaded."""
        if not hasattr(self.model, "moa_learner"):
            return float("nan")
        size = float(self.model.moa_learner.measureByteSize())
        return size if size > 0 else float("nan")

    def vitals(self) -> dict[str, float]:
        """What a model of MOA tells about its structure; nothing if it is not one of MOA."""
        if not hasattr(self.model, "moa_learner"):
            return {}
        stated = self.model.moa_learner.getModelMeasurements()
        return moa_facts({str(one.getName()): float(one.getValue()) for one in stated})

    def fresh(self, seed: int) -> CapymoaLearner:
        """An untrained learner with its own seed or else with this one."""
        return _bound(self.origin, self.schema, seed)

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{self.name}: is a Java object and cannot be pickled")


def adapt(model: Any, schema: Schema) -> CapymoaLearner:
    """Adapt a CapyMOA classifier or regressor: the class, a `partial` of it, or an object.

    CapyMOA binds a learner to a schema when it is made, so a new one is made for ours, with the
    parameters of the `partial` or of the object.
    """
    origin = _origin(model)
    base = import_module("capymoa.base")
    want = base.Regressor if schema.classes is None else base.Classifier
    if not issubclass(origin.kind, want):
        on = "a real target" if schema.classes is None else f"{len(schema.classes)} classes"
        raise ParameterError(
            f"{origin.name}: must be a CapyMOA {want.__name__.lower()} on a stream with {on}"
        )
    return _bound(origin, schema, 0)


def _origin(model: Any) -> ModelOrigin:
    if isinstance(model, type):
        return ModelOrigin(model, {}, None)
    if isinstance(model, partial):
        given = dict(model.keywords)
        if model.args or "schema" in given:
            raise ParameterError(
                f"{model.func.__name__}: parameters must be named and not the schema, "
                f"got {model.args or given['schema']!r}"
            )
        seed = given.pop("random_seed", None)
        return ModelOrigin(model.func, given, seed)
    return ModelOrigin(type(model), model.get_params(), model.random_seed, from_object=True)


def _bound(origin: ModelOrigin, schema: Schema, seed: int) -> CapymoaLearner:
    model, notes = origin.make(_moa_schema(schema), seed)
    return CapymoaLearner(model, schema, origin, notes)


def _moa_schema(schema: Schema) -> Any:
    """The same columns and classes as a schema of MOA; codes do not change."""
    names = [*_distinct([*schema.names, schema.target])]
    nominal = {
        name: _distinct(feature.values)
        for name, feature in zip(names[:-1], schema.features, strict=True)
        if feature.values is not None
    }
    if schema.classes is not None:
        nominal[names[-1]] = _distinct(schema.classes)
    make = import_module("capymoa.stream").Schema.from_custom
    return make(features=names, target=names[-1], categories=nominal, name="stream")


def _distinct(values: Sequence[Value]) -> list[str]:
    """Values as text, with their index as a prefix if two are equal."""
    texts = [str(value) for value in values]
    return texts if len(set(texts)) == len(texts) else [f"{i}:{t}" for i, t in enumerate(texts)]


def _vote(moa_learner: Any, item: Any) -> float | None:
    """The vote of a MOA regressor, None if empty; CapyMOA's `predict` returns 0.0 then."""
    votes = moa_learner.getVotesForInstance(item.java_instance)
    return float(votes[0]) if len(votes) else None

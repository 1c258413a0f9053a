"""CapyMOA learners: a row becomes a MOA instance of a schema made from ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from inspect import signature
from typing import Any, ClassVar, NoReturn

from streamgauge._core import Driver
from streamgauge.adapters.driving import Drive, codes_of, refusal, told
from streamgauge.errors import ParameterError
from streamgauge.types import F64, NONE, Codes, Schema, Value


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to make a learner for a schema, as often as is needed."""

    kind: Any
    given: Mapping[str, Any]
    seed: int | None
    from_object: bool = False

    @property
    def name(self) -> str:
        """What errors call it."""
        return str(self.kind.__name__)

    def make(self, schema: Any, seed: int) -> tuple[Any, tuple[str, ...]]:
        """The learner, and what it was given that nobody asked for."""
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
    """Drives a CapyMOA classifier or regressor through `predict`, `predict_proba` and `train`.

    It is asked about an instance whose class is missing, and taught another one that has it, so
    that nothing it is shown before it answers can give the label away. A vote of nobody is no
    answer: neither class 0 nor 0.0, as CapyMOA's own evaluators would have it.
    """

    model: Any
    schema: Schema
    origin: Recipe
    notes: tuple[str, ...] = ()
    takes_missing: bool = field(init=False)
    _drive: Drive = field(init=False, repr=False)
    numbered: ClassVar[bool] = False
    remembers: ClassVar[bool] = False
    watches: ClassVar[bool] = False
    measured: ClassVar[bool] = False

    def __post_init__(self) -> None:
        core, base = import_module("capymoa.core"), import_module("capymoa.base")
        moa_schema = self.model.schema
        # MOA's own learners take NaN for a missing cell; of others nothing is known.
        java = hasattr(self.model, "moa_learner")
        self.takes_missing = java
        classes = codes_of(self.schema)
        labelled = core.RegressionInstance if classes is None else core.LabeledInstance
        answer = self.model.predict
        if getattr(type(self.model), "predict", None) is base.MOARegressor.predict:
            answer = partial(_vote, self.model.moa_learner)

        def wrap(x: F64) -> Any:
            return core.Instance.from_array(moa_schema, x)

        def learn(asked: Any, y: float, weight: float = 1.0) -> None:
            item = labelled.from_array(moa_schema, asked.x, y)
            if weight != 1.0:
                if not java:
                    raise TypeError(f"weight must be 1 for a learner outside MOA, got {weight}")
                item.java_instance.setWeight(weight)
            self.model.train(item)

        driver = Driver(
            answer,
            learn,
            refusal(classes or [], "a class code"),
            score=self.model.predict_proba if self.has_scores else None,
            wrap=wrap,
            classes=classes,
            codes=None if classes is None else {code: code for code in [NONE, *classes]},
            from_scores=classes is not None and type(self.model).predict is base.Classifier.predict,
        )
        self._drive = Drive(self.name, driver, "predict", "predict_proba", "train")

    @property
    def name(self) -> str:
        """What errors and tables call it."""
        return type(self.model).__name__

    @property
    def about(self) -> dict[str, str]:
        """What a log should say of it."""
        return told(self.notes, "capymoa")

    @property
    def has_scores(self) -> bool:
        """Can it be asked for scores?"""
        return self.schema.classes is not None

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
        """Ask about each row."""
        return self._drive.answer(rows, first)

    def scores(self, rows: F64, first: int = 0) -> F64:
        """One share of the votes a class for each row; NaN where nobody votes."""
        return self._drive.scores(rows, len(self.schema.classes or ()), first)

    def learn(
        self, rows: F64, labels: Codes | F64, weights: F64 | None = None, first: int = 0
    ) -> None:
        """Teach each row whose label is not missing."""
        self._drive.teach(rows, labels, weights, first)

    @property
    def one_by_one(self) -> Drive:
        """How it is driven where it is asked about one item at a time."""
        return self._drive

    def fresh(self, seed: int) -> CapymoaLearner:
        """The learner built anew, with its own seed or else with this one."""
        return _bound(self.origin, self.schema, seed)

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{self.name}: lives in the Java machine and does not pickle")


def adapt(model: Any, schema: Schema) -> CapymoaLearner:
    """Take a CapyMOA classifier or regressor: the class, a `partial` of it, or an object.

    CapyMOA binds a learner to a schema when it is made, so it is made anew for ours: the class
    with the parameters of the `partial`, or those the object was made with.
    """
    recipe = _recipe(model)
    base = import_module("capymoa.base")
    want = base.Regressor if schema.classes is None else base.Classifier
    if not issubclass(recipe.kind, want):
        on = "a real target" if schema.classes is None else f"{len(schema.classes)} classes"
        raise ParameterError(
            f"{recipe.name}: must be a CapyMOA {want.__name__.lower()} on a stream with {on}"
        )
    return _bound(recipe, schema, 0)


def _recipe(model: Any) -> Recipe:
    if isinstance(model, type):
        return Recipe(model, {}, None)
    if isinstance(model, partial):
        given = dict(model.keywords)
        if model.args or "schema" in given:
            raise ParameterError(
                f"{model.func.__name__}: parameters must be named and not the schema, "
                f"got {model.args or given['schema']!r}"
            )
        seed = given.pop("random_seed", None)
        return Recipe(model.func, given, seed)
    return Recipe(type(model), model.get_params(), model.random_seed, from_object=True)


def _bound(recipe: Recipe, schema: Schema, seed: int) -> CapymoaLearner:
    model, notes = recipe.make(_moa_schema(schema), seed)
    return CapymoaLearner(model, schema, recipe, notes)


def _moa_schema(schema: Schema) -> Any:
    """The same columns and classes in MOA's words; codes stay as they are."""
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
    """Values as text; numbered where two would read the same."""
    texts = [str(value) for value in values]
    return texts if len(set(texts)) == len(texts) else [f"{i}:{t}" for i, t in enumerate(texts)]


def _vote(moa_learner: Any, item: Any) -> float | None:
    """A MOA regressor's vote; CapyMOA's `predict` makes 0.0 of a vote of nobody."""
    votes = moa_learner.getVotesForInstance(item.java_instance)
    return float(votes[0]) if len(votes) else None

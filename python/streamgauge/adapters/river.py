"""river classifiers and regressors: rows as dicts, labels as the user's own values."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from streamgauge._core import Driver
from streamgauge.adapters._facts import river_facts
from streamgauge.adapters._model_driver import ModelDriver, about_model, no_parameter, refusal
from streamgauge.adapters._object_bytes import object_bytes
from streamgauge.errors import LearnerError, ParameterError
from streamgauge.types import F64, Codes, Feature, Schema

SEEDS = ("seed", "random_state")

LEARNS_WHILE_PREDICTING = "_LEARN_UNSUPERVISED_DURING_PREDICT"
"""The attribute that `compose.learn_during_predict()` sets for all pipelines."""

NAMED = 8
"""Maximum number of columns named in an error."""

DEALS_WITH_MISSING = ("river.preprocessing.impute", "river.dummy")
"""Modules of the models that fill in missing cells or ignore features."""


@dataclass(slots=True)
class RiverLearner:
    """Calls a river model through `predict_one`, `predict_proba_one` and `learn_one`.

    A row is a new dict from feature name to number or nominal value, None if missing. Labels are
    the user's own values, except for a binary classifier (its `_multiclass` is False): it gets
    False and True in place of other classes, because it cannot learn them; `notes` states it.

    Predictions are those of `predict_one`. If scores are recorded and `predict_one` is river's own
    "class with the highest probability", they are derived from the scores.
    """

    model: Any
    schema: Schema
    origin: Any
    notes: tuple[str, ...] = ()
    takes_missing: bool = field(init=False)
    _driver: ModelDriver = field(init=False, repr=False)
    numbered: ClassVar[bool] = False
    tracks_items: ClassVar[bool] = False
    has_alarms: ClassVar[bool] = False
    has_selections: ClassVar[bool] = False
    measured: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.takes_missing = any(
            type(step).__module__.startswith(DEALS_WITH_MISSING) for step in _steps(self.model)
        )
        for step in _steps(self.model):
            if hasattr(step, LEARNS_WHILE_PREDICTING):  # of a pipeline; predicting must not learn
                setattr(step, LEARNS_WHILE_PREDICTING, False)
        own = _own_classes(self.model, self.schema)
        compiled = Driver(
            self.model.predict_one,
            self.model.learn_one,
            refusal(own or ()),
            score=self.model.predict_proba_one if self.has_scores else None,
            columns=[(feature.name, feature.values) for feature in self.schema.features],
            classes=own,
            codes=None if own is None else {value: code for code, value in enumerate(own)},
            weight="w",
            from_scores=not _overrides(self.model, "predict_one"),
        )
        verbs = ("predict_one", "predict_proba_one", "learn_one")
        self._driver = ModelDriver(self.name, compiled, *verbs, advice=_advice(self.schema))

    @property
    def name(self) -> str:
        """The name in errors and tables."""
        return str(self.model)

    @property
    def about(self) -> dict[str, str]:
        """Facts for the log."""
        return about_model(self.notes, "river")

    @property
    def no_weights(self) -> str:
        """Why the model takes no weights; empty if it does."""
        return _no_weights(self.model)

    @property
    def has_scores(self) -> bool:
        """Whether `scores` can be called."""
        return self.schema.classes is not None and _overrides(self.model, "predict_proba_one")

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
        """One probability per class for each row; NaN if the model gives none yet."""
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
        """Bytes of the model: the objects that can be reached from it, each once."""
        return float(object_bytes(self.model))

    def vitals(self) -> dict[str, float]:
        """What the model tells about its structure."""
        return river_facts(self.model)

    def fresh(self, seed: int) -> RiverLearner:
        """A clone of the given model, seeded where it has no seed of its own."""
        seeded, notes = _seeded(self.origin, seed % 2**32)
        clone = self.origin.clone(seeded) if seeded else self.origin.clone()
        return RiverLearner(
            # A clone shares objects given as *args (for example the means of a StatImputer).
            deepcopy(clone),
            self.schema,
            self.origin,
            (*_label_notes(self.origin, self.schema), *notes),
        )

    def __reduce__(self) -> tuple[type[RiverLearner], tuple[object, ...]]:
        return RiverLearner, (self.model, self.schema, self.origin, self.notes)


def adapt(model: Any, schema: Schema) -> RiverLearner:
    """Adapt a river classifier or regressor, alone or at the end of a pipeline.

    Examples
    --------
    >>> import numpy as np
    >>> from river import naive_bayes
    >>> from streamgauge.types import Feature
    >>> schema = Schema((Feature("length"), Feature("size")), classes=("a", "b"))
    >>> learner = adapt(naive_bayes.GaussianNB(), schema)
    >>> learner.name
    'GaussianNB'
    """
    if isinstance(model, type):
        raise ParameterError(
            f"{model.__name__}: must be an object, got the class; give {model.__name__}(…)"
        )
    base = import_module("river.base")
    want, other = (
        (base.Regressor, "regressor") if schema.classes is None else (base.Classifier, "classifier")
    )
    target = f"{len(schema.classes)} classes" if schema.classes is not None else "a real target"
    last = _last(model)
    if not isinstance(last, want) or type(last).__module__.startswith("river.active"):
        raise ParameterError(
            f"{model}: must be a river {other} on a stream with {target}, got a {_kind(last, base)}"
        )
    _own_classes(model, schema)
    learner = RiverLearner(model, schema, model).fresh(0)
    _check_text(learner)
    return learner


def _advice(schema: Schema) -> str:
    """Advice if a model fails on a stream with columns of text."""
    text = _text(schema)
    return f"if it takes numbers only, not {text}, give {_encoded(schema)}" if text else ""


def _text(schema: Schema) -> str:
    """The columns of text, for an error message."""
    names = [repr(feature.name) for feature in schema.features if _is_text(feature)]
    more = ", …" if len(names) > NAMED else ""
    return f"text in {', '.join(names[:NAMED])}{more}" if names else ""


def _encoded(schema: Schema) -> str:
    """A pipeline that encodes text as numbers and keeps numbers."""
    kinds = {type(v) for f in schema.features if not _is_text(f) for v in f.values or (0.0,)}
    numbers = f"compose.SelectType({', '.join(sorted(kind.__name__ for kind in kinds))})"
    encoder = "preprocessing.OneHotEncoder()"
    if kinds:
        encoder = f"{numbers} + (compose.SelectType(str) | {encoder})"
    return f"{encoder} | model"


def _is_text(feature: Feature) -> bool:
    return any(isinstance(value, str) for value in feature.values or ())


def _check_text(learner: RiverLearner) -> None:
    """Refuse a model of river that fails on text but not on numbers, before the first item.

    A copy is tested on a few items made from the schema.
    """
    schema = learner.schema
    own = all(_rivers_own(part) for part in _all_parts(learner.origin))
    if not own or not any(map(_is_text, schema.features)):
        return
    count = 4 * max(2, min(len(schema.classes or ()), 8))
    sizes = [len(feature.values or ()) or count for feature in schema.features]
    rows = (np.arange(count)[:, None] // 2 % np.array(sizes)).astype(np.float64)
    labels: Codes | F64 = np.arange(count, dtype=np.float64)
    if schema.classes is not None:
        labels = (np.arange(count) % max(len(schema.classes), 1)).astype(np.int32)
    cause = _failure(learner, rows, labels)
    if cause is None:
        return
    features = tuple(Feature(f.name) if _is_text(f) else f for f in schema.features)
    numeric = RiverLearner(learner.origin, replace(schema, features=features), learner.origin)
    if _failure(numeric, rows, labels):
        return  # it fails on numbers too: the first item will raise the error
    raise ParameterError(
        f"{learner.name}: every feature must be a number for this model, got {_text(schema)}; "
        f"give {_encoded(schema)}"
    ) from cause


def _failure(learner: RiverLearner, rows: F64, labels: Codes | F64) -> BaseException | None:
    """The exception that a copy of the model raises on these items, if any."""
    try:
        learner.fresh(0).test_then_train(0, rows, labels)
    except LearnerError as error:
        return error.cause
    return None


def _all_parts(model: Any) -> Iterator[Any]:
    """The model and all models inside it."""
    yield model
    base = import_module("river.base").Base
    for value in _parts(model).values():
        for part in value if isinstance(value, list | tuple) else (value,):
            if isinstance(part, base):
                yield from _all_parts(part)


def _rivers_own(model: Any) -> bool:
    return type(model).__module__.partition(".")[0] == "river"


def _kind(model: Any, base: Any) -> str:
    """The kind of a model, in river's terms."""
    for name in ("Regressor", "Classifier", "Clusterer", "Transformer", "AnomalyDetector"):
        if isinstance(model, getattr(base, name)):
            module = type(model).__module__
            return "active learner" if module.startswith("river.active") else name.lower()
    return type(model).__name__


def _steps(model: Any) -> Iterable[Any]:
    """The model, and the steps of the pipelines in it."""
    yield model
    for step in getattr(model, "steps", {}).values():
        yield from _steps(step)


def _no_weights(model: Any) -> str:
    """Why a model takes no weights; empty if it does.

    A pipeline leaves them out if its last step takes none; a model around others passes them on.
    """
    last, base = _last(model), import_module("river.base")
    reason = no_parameter(last.learn_one, "w")
    if reason:
        return reason if last is model else f"{reason} in its step {type(last).__name__}"
    if "w" in inspect.signature(last.learn_one).parameters:
        return ""
    inside = (part for part in _all_parts(last) if part is not last)
    learning = [one for one in inside if isinstance(one, base.Classifier | base.Regressor)]
    return next((why for one in learning if (why := no_parameter(one.learn_one, "w"))), "")


def _last(model: Any) -> Any:
    """The model, or the last step of a pipeline."""
    while hasattr(model, "_last_step"):
        model = model._last_step
    return model


def _own_classes(model: Any, schema: Schema) -> list[object] | None:
    """The label that the model learns for each class code; None for a regressor."""
    classes = schema.classes
    if classes is None:
        return None
    if model._multiclass or set(classes) <= {False, True}:
        return list(classes)
    if len(classes) > 2:
        raise ParameterError(
            f"{model}: must be multiclass for {len(classes)} classes, got a binary classifier "
            "(its _multiclass is False); wrap it in river.multiclass.OneVsRestClassifier"
        )
    binary: list[object] = [False, True]
    return binary[: len(classes)]


def _label_notes(model: Any, schema: Schema) -> Iterable[str]:
    """Notes on labels that the model learns under another value."""
    own = _own_classes(model, schema)
    if own is not None and own != list(schema.classes or ()):
        mapped = ", ".join(
            f"{mine!r} as {its!r}" for mine, its in zip(schema.classes or (), own, strict=True)
        )
        yield f"{model} is a binary classifier: it gets {mapped}"


def _overrides(model: Any, verb: str) -> bool:
    """Whether the model, or the last step of a pipeline, overrides a method of river's base class.

    The default `predict_one` gives the class with the highest probability, the default
    `predict_proba_one` raises.
    """
    last = _last(model)
    default = import_module("river.base").Classifier
    return getattr(type(last), verb, None) is not getattr(default, verb)


def _seeded(model: Any, seed: int) -> tuple[dict[str, Any], list[str]]:
    """New parameters with `seed` in place of every seed that is None, and notes about them.

    They are arguments of river's `clone`: for a pipeline a dict of steps, otherwise of parameters.
    """
    base = import_module("river.base").Base
    new: dict[str, Any] = {}
    notes: list[str] = []
    for name, value in _parts(model).items():
        if name in SEEDS and value is None:
            new[name] = seed
            notes.append(f"{type(model).__name__} had no {name}: it was given {seed}")
        elif isinstance(value, base):
            inner, more = _seeded(value, seed)
            if inner:
                new[name] = value.clone(inner)
                notes += more
        elif isinstance(value, list | tuple) and any(isinstance(one, base) for one in value):
            members = [_seeded(one, seed) if isinstance(one, base) else ({}, []) for one in value]
            if any(inner for inner, _ in members):
                new[name] = type(value)(
                    one.clone(inner) if isinstance(one, base) else one
                    for one, (inner, _) in zip(value, members, strict=True)
                )
                notes += [note for _, more in members for note in more]
    return new, notes


def _parts(model: Any) -> Mapping[str, Any]:
    """The steps of a pipeline or union, the parameters of any other model."""
    for name in ("steps", "transformers"):
        parts = getattr(model, name, None)
        if isinstance(parts, Mapping):
            return parts
    named = inspect.signature(type(model).__init__).parameters.values()
    return {
        parameter.name: getattr(model, parameter.name)
        for parameter in named
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        and hasattr(model, parameter.name)
    }

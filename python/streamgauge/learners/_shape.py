"""From a learner's description and a schema to the native learner."""

from __future__ import annotations

from dataclasses import Field, fields, is_dataclass
from math import isfinite
from typing import Any, ClassVar, Literal, Protocol

from streamgauge._core import NativeLearner
from streamgauge.errors import ParameterError
from streamgauge.kinds import check_seed
from streamgauge.preprocessing._native import values_per_column
from streamgauge.types import Schema, Value

MOST = 1_000_000_000
"""Largest count."""


class Spec(Protocol):
    """Description of a learner that is not bound yet: a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def task(self) -> Literal["classification", "regression"]:
        """The kind of target it predicts."""


def native(learner: Spec, schema: Schema, seed: int, **given: int | None) -> NativeLearner:
    """Make the native learner of the same name, whose parameters are the dataclass's fields.

    The fields of a field that is a dataclass are parameters too. `given` replaces a field whose
    value depends on the schema.

    Examples
    --------
    >>> from streamgauge.learners import Perceptron
    >>> from streamgauge.types import Feature
    >>> native(Perceptron(learning_rate=0.5), Schema((Feature("x"),), "y", ("bad", "good")), seed=1)
    NativeLearner(perceptron(learning_rate=0.5, standardise=true) for columns 0, classes 2, seed 1)
    """
    columns, classes = shape(learner, schema)
    parameters: dict[str, Any] = {}
    for field in fields(learner):
        value = getattr(learner, field.name)
        if is_dataclass(value):
            parameters |= {part.name: in_range(value, part) for part in fields(value)}
        else:
            parameters[field.name] = in_range(learner, field)
    parameters |= given
    name = type(learner).__module__.rpartition(".")[2]
    check_seed(learner, seed)
    try:
        return NativeLearner(name, columns, classes, seed, parameters)
    except ValueError as error:  # a parameter that does not fit the columns and classes
        raise ParameterError(str(error)) from None


def in_range(spec: Any, field: Field[Any]) -> Any:
    """The value of a field; a whole number that the core cannot hold is refused.

    Where a field is real, whole numbers are too: the core takes them for counts otherwise.

    Examples
    --------
    >>> from streamgauge.learners import LastValue
    >>> in_range(LastValue(first=10**20), fields(LastValue)[0])
    1e+20
    """
    value = getattr(spec, field.name)
    if isinstance(value, bool) or not isinstance(value, int):
        return value
    if "float" in str(field.type) and "int" not in str(field.type):
        return float(value)
    if not -(2**63) <= value < 2**63:
        raise ParameterError.of(spec, field.name, "a whole number below 2**63", value)
    return value


def shape(learner: Spec, schema: Schema) -> tuple[list[int], int]:
    """The number of values of each column (0: numeric), and of classes (0: a real target).

    Examples
    --------
    >>> from streamgauge.learners import NaiveBayes
    >>> from streamgauge.types import Feature
    >>> features = Feature("size"), Feature("colour", ("red", "blue"))
    >>> shape(NaiveBayes(), Schema(features, "y", ("bad", "good")))
    ([0, 2], 2)
    >>> shape(NaiveBayes(), Schema((Feature("size"),), "price"))
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: NaiveBayes: target must be one of classes, got 'price' \
with real values; use a learner for a real target, or declare classes
    """
    name = type(learner).__name__
    if learner.task == "classification" and schema.classes is None:
        raise ParameterError(
            f"{name}: target must be one of classes, got {schema.target!r} with real values; "
            "use a learner for a real target, or declare classes"
        )
    if learner.task == "regression" and schema.classes is not None:
        raise ParameterError(
            f"{name}: target must be a real number, got {schema.target!r} with "
            f"{len(schema.classes)} classes; use a learner for classes"
        )
    return values_per_column(schema), len(schema.classes or ())


def code_of(learner: Spec, first: Value | None, schema: Schema) -> int | None:
    """The code of the class that is predicted before any label."""
    classes = schema.classes
    if first is None or classes is None:
        return None
    if first not in classes:
        raise ParameterError.of(learner, "first", f"one of {', '.join(map(repr, classes))}", first)
    return classes.index(first)


def check_first(learner: Spec, first: float | None) -> None:
    """Refuse a number to predict before any label that is not finite."""
    if first is not None and not isfinite(first):
        raise ParameterError.of(learner, "first", "a finite number or None", first)


def positive(learner: Spec, what: str, got: float) -> None:
    """Refuse anything but a number above 0."""
    if not (isfinite(got) and got > 0):
        raise ParameterError.of(learner, what, "a number above 0", got)


def count(learner: Spec, what: str, got: int) -> None:
    """Refuse anything but a whole number from 1 on."""
    if not isinstance(got, int) or isinstance(got, bool) or not 1 <= got <= MOST:
        raise ParameterError.of(learner, what, f"a whole number from 1 to {MOST:,}", got)

"""What a native learner must know of a schema before it can be made."""

from __future__ import annotations

from math import isfinite
from typing import Literal, Protocol

from streamgauge.errors import ParameterError
from streamgauge.types import Schema, Value


class Spec(Protocol):
    """A learner that is described and not yet bound."""

    @property
    def task(self) -> Literal["classification", "regression"]:
        """What it can be asked for."""


def shape(learner: Spec, schema: Schema) -> tuple[list[int], int]:
    """How many values each column has (0: numeric), and how many classes there are (0: reals).

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
with real values; take a learner of numbers, or declare classes
    """
    name = type(learner).__name__
    if learner.task == "classification" and schema.classes is None:
        raise ParameterError(
            f"{name}: target must be one of classes, got {schema.target!r} with real values; "
            "take a learner of numbers, or declare classes"
        )
    if learner.task == "regression" and schema.classes is not None:
        raise ParameterError(
            f"{name}: target must be a real number, got {schema.target!r} with "
            f"{len(schema.classes)} classes; take a learner of classes"
        )
    # A nominal column without values has one that is never seen, so that 0 can mean numeric.
    columns = [0 if f.values is None else max(1, len(f.values)) for f in schema.features]
    return columns, len(schema.classes or ())


def code_of(learner: Spec, first: Value | None, schema: Schema) -> int | None:
    """The code of the class to answer before any label."""
    classes = schema.classes or ()
    if first is None:
        return None
    if first not in classes:
        raise ParameterError.of(learner, "first", f"one of {', '.join(map(repr, classes))}", first)
    return classes.index(first)


def positive(learner: Spec, what: str, got: float) -> None:
    """Refuse a parameter that is not a number above 0."""
    if not (isfinite(got) and got > 0):
        raise ParameterError.of(learner, what, "a number above 0", got)

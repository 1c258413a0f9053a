"""Interface of feature selectors, and the check of their parameters."""

from __future__ import annotations

from dataclasses import fields
from math import isfinite
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

from streamgauge._core import NativeSelector
from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, at_most, check_seed
from streamgauge.types import F64, I64, Codes, Flags, Schema

MOST = 1_000_000_000
"""Largest count."""

MOST_ROWS = 1_000_000
"""Largest number of items that a selector holds."""

FEATURES_PER_SELECTED = 10
"""By default one of so many features is selected."""


class Selector(Protocol):
    """A feature selector, bound to a schema: native, or the user's."""

    def selected(self) -> Flags:
        """Whether each feature is selected."""

    def mask(self, rows: F64, fill: float) -> F64:
        """The rows with `fill` in the cells of features that are not selected."""

    def mask_and_learn(
        self, rows: F64, labels: Codes, weights: F64 | None, fill: float
    ) -> tuple[F64, I64, Flags]:
        """Mask each row by the features selected before it, then learn it if its label is known.

        Returns the masked rows; the rows after which the selection changed, and the first row ever
        learned; the features selected after each of these.
        """

    def fresh(self, seed: int) -> Selector:
        """A copy with its own seed that has learned nothing."""


@runtime_checkable
class SelectorParameters(Protocol):
    """Parameters of a selector; `bind` creates it."""

    def bind(self, schema: Schema, seed: int = 0) -> Any:
        """Create the selector for the features and classes of a stream."""


class Spec(Protocol):
    """Parameters of a native selector: a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def task(self) -> Literal["classification", "any"]:
        """The kinds of target it can use."""


def native(spec: Spec, schema: Schema, seed: int) -> NativeSelector:
    """Create the native selector of the same name, whose parameters are the dataclass's fields.

    Examples
    --------
    >>> from streamgauge.selectors import RandomFeatures
    >>> from streamgauge.types import Feature
    >>> schema = Schema((Feature("a"), Feature("b", ("x", "y"))), "y", ("no", "yes"))
    >>> native(RandomFeatures(n_features=1), schema, seed=1)
    NativeSelector(random_features(n_features=1, every=100) for columns 0 2, classes 2, seed 1)
    >>> native(RandomFeatures(n_features=3), schema, seed=1)
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: RandomFeatures: n_features must be at most 2, the number \
of features of the stream, got 3
    """
    who, width = type(spec).__name__, len(schema.features)
    if spec.task == "classification" and schema.classes is None:
        raise ParameterError(
            f"{who}: target must be one of classes, got {schema.target!r} with real values; use "
            "a selector for a real target, such as largest_variance"
        )
    check_seed(spec, seed)
    parameters = {field.name: getattr(spec, field.name) for field in fields(spec)}
    if parameters.get("n_features", 0) is None:
        parameters["n_features"] = -(-width // FEATURES_PER_SELECTED)
    name = type(spec).__module__.rpartition(".")[2]
    if width == 0 and getattr(spec, "n_features", None) is None:
        name, parameters = "all_features", {}  # of no features, none can be selected
    # A nominal column without values gets one that does not occur, since 0 means numeric.
    columns = [0 if f.values is None else max(1, len(f.values)) for f in schema.features]
    for what, kind in ((f.name, str(f.type)) for f in fields(spec)):
        if kind == "float" and what in parameters:
            parameters[what] = float(parameters[what])
    try:
        return NativeSelector(name, columns, len(schema.classes or ()), seed, parameters)
    except ValueError as error:
        raise ParameterError(str(error)) from None


def check_count(spec: object, what: str, least: int = 1, most: int = MOST) -> None:
    """Refuse anything but a whole number in a range."""
    value = getattr(spec, what)
    at_least(spec, what, value, least)
    at_most(spec, what, value, most)


def check_n_features(spec: object) -> None:
    """Refuse anything but None or a whole number from 1 on."""
    if getattr(spec, "n_features") is not None:  # noqa: B009 (mypy)
        check_count(spec, "n_features")


def check_number(spec: object, what: str, zero: bool = False) -> None:
    """Refuse anything but a finite number above 0, or 0 where that is legal."""
    value = getattr(spec, what)
    number = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    if not (number and (value > 0 or (zero and value == 0))):
        must = "a number, at least 0" if zero else "a number above 0"
        raise ParameterError.of(spec, what, must, value)

"""Base of measures: a formula over a summary, its range and its best value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, Literal, TypeVar

import numpy as np

from streamgauge.errors import ParameterError, StreamgaugeError, error_line
from streamgauge.names import description, refuse_unnamed
from streamgauge.types import F64, Schema

S = TypeVar("S", contravariant=True)

BLOCKS = frozenset({"whole", "sliding", "tumbling"})
"""Windows in which an item counts fully or not at all."""

LINEAR = BLOCKS | {"fading"}
"""Windows of anything that can be summed."""

ALL = LINEAR | {"ewma"}
"""All windows; in `"ewma"` the counts are shares."""

PARTS: dict[str, frozenset[str]] = {
    "confusion": frozenset(
        {
            "true_positives",
            "labels",
            "predictions",
            "matrix",
            "repeats",
            "first_repeats",
            "majority",
        }
    ),
    "moments": frozenset(),
    "losses": frozenset(),
    "ranking": frozenset({"each", "rest", "pairs"}),
}
"""Summary -> the parts that `needs` may list; what is always there needs no listing."""

MAX_BINS = 10_000
"""Largest number of bins of a calibration curve."""

STATED: dict[str, str] = {
    "best": "a number, or NaN if the value does not judge the learner",
    "span": "the smallest and the largest value, like (0.0, 1.0)",
    "formula": "text",
}
"""Attributes that every measure states, and what each must be."""


class Measure(ABC, Generic[S]):
    """A number about a log: a formula over a summary of labels and predictions.

    A subclass states, as class attributes,

    `best`
        The best value; NaN for a value that does not judge the learner (a baseline).
    `span`
        The smallest and the largest value.
    `formula`
        The formula as one line of text, for tables and reports.
    `task`
        `"classification"` (the default) or `"regression"`.
    `summary`
        What `value` reads: `"confusion"` (the default: counts of labels and predictions),
        `"moments"` (sums of errors, for regression), `"losses"` or `"ranking"` (from scores).
    `needs`
        Parts of the summary that are not always there; see the table below. None by default.
    `windows`
        Kinds of windows in which it is defined: by default all but `"ewma"`, whose summary
        has shares and no counts.
    `takes_weights`
        Whether it is defined if items have weights; True by default.
    `averages`
        What it is a mean of: `"items"` if it is the mean of a number per item, `"squares"` if it
        is the root of the mean of squares, nothing otherwise (the default). Bounds of mixtures of
        streams need it.

    and implements `value(summary)`. All arrays of a summary have one entry per point of the
    curve on their last axis; counts per class (`true_positives`, `labels`, `predictions`) have the
    class on the first axis, `matrix` the label on the first and the prediction on the second.
    `value` returns one number per point: reduce over all axes but the last.
    It need not guard against zeros: where it divides zero by zero, the number is NaN. The arrays
    are read-only. Parameters are the fields of a frozen dataclass; its text is its name and the
    parameters that are not default, from which it is made again.

    ==============  ====================================  =====================================
    summary         always there                          parts to list in `needs`
    ==============  ====================================  =====================================
    `"confusion"`   `total`, `correct`                    `"true_positives"`, `"labels"`,
                                                          `"predictions"` (per class);
                                                          `"matrix"` (label x prediction);
                                                          `"repeats"`, `"first_repeats"`,
                                                          `"majority"`
    `"moments"`     all sums, as `summary["total"]`       none
    `"losses"`      `total`, `negative_log`, `squared`    `"bins:10"`: so many bins
    `"ranking"`     none                                  `"each"`, `"rest"`, `"pairs"`
    ==============  ====================================  =====================================

    Examples
    --------
    The share of items of the last class among the predictions:

    >>> from dataclasses import dataclass
    >>> import streamgauge as sg
    >>> @dataclass(frozen=True)
    ... class Alerts(sg.measures.Measure):
    ...     best = float("nan")
    ...     span = (0.0, 1.0)
    ...     formula = "predictions of the last class / items"
    ...     needs = frozenset({"predictions"})
    ...     def value(self, summary):
    ...         return summary.predictions[-1] / summary.total
    >>> log = sg.run("sea(items=1000)", "naive_bayes")
    >>> 0 < sg.measure(log, Alerts(), "sliding(100)").final < 1
    True
    """

    __slots__ = ()

    best: ClassVar[float]
    span: ClassVar[tuple[float, float]]
    formula: ClassVar[str]
    task: ClassVar[Literal["classification", "regression"]] = "classification"
    summary: ClassVar[Literal["confusion", "moments", "losses", "ranking"]] = "confusion"
    needs: ClassVar[frozenset[str]] = frozenset()
    windows: ClassVar[frozenset[str]] = LINEAR
    takes_weights: ClassVar[bool] = True
    averages: ClassVar[Literal["", "items", "squares"]] = ""
    aliases: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def value(self, summary: S) -> F64:
        """The formula, without guards against zeros."""

    def over(self, summary: S) -> F64:
        """The measure for every summary in a stack."""
        with undefined_is_nan():
            return np.asarray(self.value(summary), dtype=np.float64)

    def parts(self) -> frozenset[str]:
        """The parts of the summary that it reads."""
        return self.needs

    def supports(self) -> frozenset[str]:
        """The kinds of windows in which it is defined."""
        return self.windows

    def weighable(self) -> bool:
        """Whether it is defined if items have weights; MOA's variants of means are not."""
        return self.takes_weights and getattr(self, "variant", "default") != "moa"

    def check(self, schema: Schema) -> None:
        """Raise if it cannot be used with a schema, before any work is done."""

    def __str__(self) -> str:
        """Its name, with the non-default parameters."""
        return description("measure", self)


def check_measure(measure: Measure[Any]) -> None:
    """Raise if a measure does not keep the contract; the error names the class and attribute."""
    refuse_unnamed(measure, Measure)
    for name, must in STATED.items():
        stated = getattr(measure, name, None)
        if not _is_stated(name, stated):
            raise ParameterError.of(measure, name, must, stated)
    one_of(measure, "task", measure.task, ("classification", "regression"))
    one_of(measure, "summary", measure.summary, tuple(PARTS))
    one_of(measure, "averages", measure.averages, ("", "items", "squares"))
    for name, given, legal in (
        ("needs", measure.parts(), PARTS[measure.summary]),
        ("windows", measure.supports(), ALL),
    ):
        if not isinstance(given, set | frozenset):
            raise ParameterError.of(measure, name, "a set of text", given)
        bins = measure.summary == "losses" and name == "needs"
        unknown = [p for p in given if p not in legal and not (bins and _is_bins(p))]
        if unknown:
            known = ", ".join(sorted(legal))
            if bins:
                known = f"bins:10, with at most {MAX_BINS:,} bins"
            must = f"a set of these: {known}" if known else "empty"
            raise ParameterError.of(measure, name, must, min(unknown, key=str))


def point_values(measure: Measure[Any], summary: Any, points: int) -> F64:
    """The values of a measure for a stack of summaries, one per point."""
    if not type(measure).__module__.startswith("streamgauge."):
        _make_read_only(summary)
    try:
        found = np.asarray(measure.value(summary), dtype=np.float64)
    except StreamgaugeError:
        raise
    except (Exception, SystemExit) as error:
        who = type(measure).__name__
        part = {*error.args} & PARTS[measure.summary] if isinstance(error, KeyError) else set()
        if part and part <= measure.parts():
            raise ParameterError(
                f"{who}: windows must not have 'ewma', whose summary has no {error}; leave it out"
            ) from error
        if part:
            raise ParameterError(f"{who}: needs must list {error}, which value reads") from error
        if type(measure).__module__.startswith("streamgauge."):
            raise
        raise ParameterError(f"{who}: value failed: {error_line(error)}") from error
    if found.shape != (points,):
        raise ParameterError.of(
            measure, "value", f"one number per point, of shape ({points},)", found.shape
        )
    return found


def _make_read_only(summary: object) -> None:
    """Other measures read the same arrays."""
    for part in vars(summary).values():
        for array in part.values() if isinstance(part, Mapping) else (part,):
            if isinstance(array, np.ndarray):
                array.flags.writeable = False


def _is_stated(name: str, value: object) -> bool:
    if name == "formula":
        return isinstance(value, str)
    if name == "span":
        return isinstance(value, tuple) and len(value) == 2 and all(map(_is_number, value))
    return _is_number(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_bins(part: str) -> bool:
    number = part.removeprefix("bins:") if isinstance(part, str) else ""
    return part != number and number.isdecimal() and 1 <= int(number) <= MAX_BINS


def undefined_is_nan() -> np.errstate:
    """Context of formulas: dividing zero by zero gives NaN without a warning."""
    return np.errstate(divide="ignore", invalid="ignore", over="ignore")


def one_of(who: object, what: str, value: object, legal: tuple[str, ...]) -> None:
    """Raise unless a parameter is one of the legal values."""
    if value not in legal:
        raise ParameterError.of(who, what, f"one of {', '.join(legal)}", value)

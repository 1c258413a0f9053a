"""Averages over classes, for measures that are defined per class."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.lazy import suggestion
from streamgauge.summaries import Confusion
from streamgauge.summaries._class_sum import class_sum
from streamgauge.types import F64, Value


class PerClass(Protocol):
    """A measure of one class, or of the average over classes."""

    @property
    def of(self) -> Value | None:
        """The class; None for an average."""

    @property
    def average(self) -> str:
        """How classes are averaged: `macro` or `weighted`."""

    @property
    def variant(self) -> str:
        """Which definition: `default`, `sklearn` or `moa`."""


def class_average(measure: PerClass, summary: Confusion, values: F64) -> F64:
    """The value of the class `measure.of`, or the average of the values of all classes.

    Undefined values are left out of the average; variants of scikit-learn and MOA count them as
    0. scikit-learn averages over the classes that occur, MOA over all declared classes.
    """
    if measure.of is not None:
        value: F64 = values[class_code(measure, measure.of, summary.classes)]
        return value if measure.variant == "default" else zero_if_undefined(value, summary.total)
    weights = summary.labels if measure.average == "weighted" else np.ones_like(values)
    if measure.variant == "default":
        return class_nanmean(values, weights)
    if measure.variant == "sklearn":
        weights = weights * (summary.labels + summary.predictions > 0)
    mean = class_nanmean(zero_if_undefined(values, summary.total), weights)
    return zero_if_undefined(mean, summary.total)


def class_nanmean(values: F64, weights: F64 | None = None) -> F64:
    """The weighted mean over the classes, without those that are NaN; NaN if all are."""
    weight = ~np.isnan(values) * (1.0 if weights is None else weights)
    return class_sum(np.where(weight > 0, values, 0.0) * weight) / class_sum(weight)


def zero_if_undefined(value: F64, total: F64) -> F64:
    """0 instead of NaN, as in scikit-learn and MOA; NaN stays where there are no items."""
    return np.where(np.isnan(value) & (total > 0), 0.0, value)


def class_code(measure: object, of: Value, classes: tuple[Value, ...]) -> int:
    """The code of a class; raises ParameterError with the nearest class, or all, otherwise."""
    if of in classes:
        return classes.index(of)
    texts = [str(c) for c in classes]
    if str(of) in texts:  # the command line passes text
        return texts.index(str(of))
    hint = suggestion(str(of), texts) or f"; classes: {', '.join(texts)}"
    raise ParameterError(f"{type(measure).__name__}: of must be a class, got {of!r}{hint}")

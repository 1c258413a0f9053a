"""What measures of one class and their averages share."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from streamgauge.doors import suggestion
from streamgauge.errors import ParameterError
from streamgauge.summaries import Confusion
from streamgauge.summaries.totals import total
from streamgauge.types import F64, Value


class PerClass(Protocol):
    """A measure that is about a class or an average."""

    @property
    def of(self) -> Value | None:
        """The class it is about."""

    @property
    def average(self) -> str:
        """How classes are averaged."""

    @property
    def variant(self) -> str:
        """Whose definition."""


def averaged(who: PerClass, c: Confusion, above: F64, below: F64) -> F64:
    """A ratio of counts per class: that of one class, or their average."""
    if who.of is not None:
        value: F64 = above / below
        value = value[class_code(who, who.of, c.classes)]
        return value if who.variant == "default" else _zero(value, c)
    if who.average == "micro":
        value = total(above) / total(below)
        return value if who.variant == "default" else _zero(value, c)
    weights = c.truths if who.average == "weighted" else np.ones_like(above)
    each: F64 = above / below
    if who.variant == "default":
        return mean_defined(each, weights)
    if who.variant == "sklearn":
        weights = weights * (c.truths + c.answers > 0)
    return _zero(mean_defined(_zero(each, c), weights), c)


def mean_defined(each: F64, weights: F64 | None = None) -> F64:
    """The weighted mean over the classes for which there is a number; NaN if there are none."""
    weight = ~np.isnan(each) * (1.0 if weights is None else weights)
    return total(np.where(weight > 0, each, 0.0) * weight) / total(weight)


def class_code(who: object, of: Value, classes: tuple[Value, ...]) -> int:
    """The code of a class; an error that names the classes if it is none."""
    if of in classes:
        return classes.index(of)
    texts = [str(c) for c in classes]
    if str(of) in texts:  # from the command line everything may come as text
        return texts.index(str(of))
    hint = suggestion(str(of), texts) or f"; classes: {', '.join(texts)}"
    raise ParameterError(f"{type(who).__name__}: of must be a class, got {of!r}{hint}")


def _zero(value: F64, c: Confusion) -> F64:
    """The word for undefined of scikit-learn and MOA; nothing at all stays NaN."""
    return np.where(np.isnan(value) & (c.total > 0), 0.0, value)

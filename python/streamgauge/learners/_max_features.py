"""How many columns each leaf of a random forest considers."""

from __future__ import annotations

from math import floor, sqrt
from typing import Any, Literal, TypeAlias

from streamgauge.errors import ParameterError

MaxFeatures: TypeAlias = float | int | Literal["sqrt"] | None
"""A share of the columns (float), a number of columns (int), the root of their number, or all."""


def check_max_features(learner: object, given: Any) -> None:
    """Refuse a value that is not a `MaxFeatures`.

    Examples
    --------
    >>> check_max_features("forest", 1.0)
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: forest: max_features must be a share above 0 and below 1, \
got 1.0; None is all columns, 1 is one column
    """
    if given is None or given == "sqrt":
        return
    if isinstance(given, float):
        if not 0 < given < 1:
            error = ParameterError.of(learner, "max_features", "a share above 0 and below 1", given)
            raise ParameterError(f"{error}; None is all columns, 1 is one column")
    elif not isinstance(given, int) or isinstance(given, bool) or given < 1:
        must = "a share above 0 and below 1, a whole number, at least 1, 'sqrt' or None"
        raise ParameterError.of(learner, "max_features", must, given)


def column_count(max_features: MaxFeatures, columns: int) -> int:
    """Number of columns out of `columns`, at least 1; halves are rounded up, as in MOA.

    Examples
    --------
    >>> [column_count(given, 9) for given in (0.5, 4, 20, "sqrt", None)]
    [5, 4, 9, 4, 9]
    """
    if max_features is None:
        some = columns
    elif max_features == "sqrt":
        some = floor(sqrt(columns) + 0.5) + 1
    elif isinstance(max_features, int):
        some = max_features
    else:
        some = floor(columns * float(max_features) + 0.5)
    return max(1, min(some, columns))

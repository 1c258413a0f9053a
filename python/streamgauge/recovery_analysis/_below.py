"""When a curve is below another one, in the sense of recovery analysis."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.types import F64, Flags

Better: TypeAlias = Literal["high", "low"]
"""`"high"` for a score, `"low"` for a loss."""

SHARE = 0.95
"""Share of a reference that a score must reach by default."""

TOLERANCE = 1e-9
"""Relative difference within which a value equals a limit."""


def is_below(values: F64, reference: F64, better: Better, share: float = SHARE) -> Flags:
    r"""Which values are below `share` of a reference.

    A score :math:`v` is below if :math:`v < r - (1 - q) |r|` for the reference r and the share q,
    that is :math:`v < q r` for a reference above 0; a loss if :math:`v > r + (1 - q) |r|`. A
    value at this limit, within a relative difference of 1e-9, is not below; nor is an undefined
    one.

    Examples
    --------
    >>> is_below(np.array([0.94, 0.95, np.nan]), np.ones(3), "high").tolist()
    [True, False, False]
    >>> is_below(np.array([1.05, 1.06]), np.ones(2), "low").tolist()
    [False, True]
    """
    slack = (1 - share) * np.abs(reference)
    with np.errstate(invalid="ignore"):
        limit = reference - slack if better == "high" else reference + slack
        worse = limit - values if better == "high" else values - limit
        largest = np.maximum(np.abs(values), np.abs(limit))
        near = TOLERANCE * np.minimum(largest, np.finfo(np.float64).max)
        return np.asarray(worse > near)


def baseline(a: F64, b: F64, better: Better) -> F64:
    """The worse one of two curves at each point; undefined where one is.

    Examples
    --------
    >>> baseline(np.array([0.9, 0.8]), np.array([0.7, np.nan]), "high").tolist()
    [0.7, nan]
    """
    return np.asarray(np.minimum(a, b) if better == "high" else np.maximum(a, b), np.float64)


def checked_curves(who: str, better: str, *curves: object) -> list[F64]:
    """The curves as arrays; raise unless they have one length and `better` is known."""
    if better not in ("high", "low"):
        raise ParameterError.of(who, "better", "'high' for a score or 'low' for a loss", better)
    arrays = [np.asarray(curve, np.float64) for curve in curves]
    if any(array.ndim != 1 for array in arrays) or len({len(array) for array in arrays}) > 1:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise ParameterError(f"{who}: curves must be of one length, got shapes {shapes}")
    return arrays

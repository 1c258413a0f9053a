"""Maximum performance loss, depth and area of a drop."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from streamgauge.kinds import plain_numbers
from streamgauge.recovery_analysis._below import Better, baseline, checked_curves
from streamgauge.types import F64

Largest = tuple[float, int | None]
"""A value, and the number of its point, counted from 1; None if the value is undefined."""


@plain_numbers
def maximum_loss(
    before: Sequence[float] | F64,
    after: Sequence[float] | F64,
    mixture: Sequence[float] | F64,
    *,
    better: Better = "high",
) -> Largest:
    r"""The largest relative loss of performance on a drifting stream, and its point.

    .. math:: \max_t \frac{S(t) - S_C(t)}{S(t)}, \quad S(t) = \min\{S_A(t), S_B(t)\}

    for a score; for a loss :math:`\max_t (S_C(t) - S(t)) / S(t)` with the maximum of both pure
    curves. It is negative if the mixture is better than both everywhere. Points with
    :math:`S(t) = 0` are passed over, except that a loss above it is infinitely worse. Where
    :math:`S(t) < 0`, its absolute value divides. NaN if no point is left.

    Parameters
    ----------
    before, after, mixture
        The three curves, of equal length.
    better
        `"high"` for a score, `"low"` for a loss.

    Examples
    --------
    >>> maximum_loss([0.9, 0.9, 0.9], [0.8, 0.8, 0.8], [0.9, 0.6, 0.8])
    (0.25, 2)
    >>> maximum_loss([1.0, 1.0], [2.0, 2.0], [1.0, 5.0], better="low")
    (1.5, 2)

    References
    ----------
    Shaker, Hüllermeier. Recovery analysis for adaptive learning from non-stationary data
    streams: experimental design and case study. Neurocomputing 150 (2015), Eq. 8.
    """
    a, b, c = checked_curves("maximum_loss", better, before, after, mixture)
    return _largest(relative_losses(a, b, c, better))


@plain_numbers
def depth(
    before: Sequence[float] | F64,
    after: Sequence[float] | F64,
    mixture: Sequence[float] | F64,
    *,
    better: Better = "high",
) -> Largest:
    r"""The largest loss of performance in the unit of the measure, and its point.

    :math:`\max_t S(t) - S_C(t)` with the worse one of both pure curves as :math:`S(t)`, for a loss
    :math:`\max_t S_C(t) - S(t)`: the numerator of `maximum_loss`. NaN if no point is defined.

    Examples
    --------
    >>> depth([0.9, 0.9, 0.9], [0.8, 0.8, 0.8], [0.9, 0.6, 0.8])
    (0.2, 2)
    """
    a, b, c = checked_curves("depth", better, before, after, mixture)
    return _largest(losses(a, b, c, better))


@plain_numbers
def area(
    before: Sequence[float] | F64,
    after: Sequence[float] | F64,
    mixture: Sequence[float] | F64,
    *,
    better: Better = "high",
) -> float:
    r"""The area between the curve of a drifting stream and the worse one of both pure curves.

    .. math:: \frac{1}{T} \sum_t \max\{0, S(t) - S_C(t)\}

    (:math:`S_C(t) - S(t)` for a loss): the mean loss of performance over the stream, in the unit
    of the measure. Times the number of items, that of accuracy is the number of items that the
    drift cost. 0 if the mixture is nowhere worse. NaN if no point is defined.

    Examples
    --------
    >>> area([0.9, 0.9, 0.9], [0.8, 0.8, 0.8], [0.9, 0.6, 0.7])
    0.1
    """
    a, b, c = checked_curves("area", better, before, after, mixture)
    return float(mean_loss(losses(a, b, c, better)[None])[0])


def losses(a: F64, b: F64, c: F64, better: Better) -> F64:
    """How much worse the mixture is than the worse one of both pure curves, at each point."""
    reference = baseline(a, b, better)
    with np.errstate(invalid="ignore"):
        return np.asarray(reference - c if better == "high" else c - reference, np.float64)


def relative_losses(a: F64, b: F64, c: F64, better: Better) -> F64:
    """The same relative to the pure curve; NaN at points that are passed over."""
    reference = baseline(a, b, better)
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = losses(a, b, c, better) / np.abs(reference)
    at_zero = np.where((c > 0) & (better == "low"), np.inf, np.nan)
    return np.where(reference == 0, at_zero, relative)


def largest(values: F64) -> F64:
    """The largest value of each row; NaN if none is defined."""
    defined = ~np.isnan(values)
    most = np.where(defined, values, -np.inf).max(axis=1, initial=-np.inf)
    return np.where(defined.any(axis=1), most, np.nan)


def mean_loss(values: F64) -> F64:
    """The mean over the points of each row, where a gain counts as 0; NaN if none is defined."""
    defined = ~np.isnan(values)
    total = np.where(defined, np.maximum(values, 0), 0.0).sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.asarray(total / defined.sum(axis=1), np.float64)


def _largest(values: F64) -> Largest:
    defined = np.flatnonzero(~np.isnan(values))
    if not len(defined):
        return math.nan, None
    at = int(defined[np.argmax(values[defined])])
    return float(values[at]), at + 1

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
    reference = baseline(a, b, better)
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = _worse_by(reference, c, better) / np.abs(reference)
    zero = reference == 0
    infinite = zero & (c > 0) if better == "low" else np.zeros(len(c), np.bool_)
    relative = np.where(zero, np.where(infinite, np.inf, np.nan), relative)
    return _largest(relative)


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
    return _largest(_worse_by(baseline(a, b, better), c, better))


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
    worse = _worse_by(baseline(a, b, better), c, better)
    defined = worse[~np.isnan(worse)]
    return float(np.maximum(defined, 0).mean()) if len(defined) else math.nan


def _worse_by(reference: F64, c: F64, better: Better) -> F64:
    with np.errstate(invalid="ignore"):
        return np.asarray(reference - c if better == "high" else c - reference, np.float64)


def _largest(values: F64) -> Largest:
    defined = np.flatnonzero(~np.isnan(values))
    if not len(defined):
        return math.nan, None
    at = int(defined[np.argmax(values[defined])])
    return float(values[at]), at + 1

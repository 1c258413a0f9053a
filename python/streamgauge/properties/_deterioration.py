"""Drift performance deterioration of a series of values."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, plain_numbers
from streamgauge.types import F64

LARGE = 1e290
"""Larger numbers could overflow in a sum."""


@plain_numbers
def deterioration(
    values: Sequence[float] | F64, at: int, window: int, *, partial: bool = False, overlap: int = 0
) -> float:
    r"""How much the mean of a measure changes at a drift (DPD).

    With the values :math:`L_t` of a measure at time steps t and a drift at step :math:`t_d`,

    .. math:: DPD = \frac{1}{W} \Bigl(\sum_{w=0}^{W-1} L_{t_d+w} - \sum_{w=1}^{W} L_{t_d-w}\Bigr)

    Positive is worse for a loss, and better for a score. NaN if a window is not complete.

    Parameters
    ----------
    values
        One per time step (batch).
    at
        The first step after the drift, counted from 0.
    window
        W: number of steps on each side.
    partial
        Use the steps of an incomplete window that exist, instead of NaN.
    overlap
        Number of steps right before the drift to leave out, because their items reach beyond it.

    Examples
    --------
    >>> deterioration([0.1, 0.3, 0.1, 0.3, 0.5, 0.7, 0.5, 0.7], at=4, window=4)
    0.4
    >>> deterioration([0.1, 0.3, 0.5, 0.7], at=2, window=4)
    nan
    >>> deterioration([0.1, 0.3, 0.5, 0.7], at=2, window=4, partial=True)
    0.4

    References
    ----------
    Haug, Tramountani, Kasneci. Standardized evaluation of machine learning methods for evolving
    data streams. arXiv:2204.13625 (2022), Eq. 2.
    """
    series = as_series("deterioration", values)
    at_least("deterioration", "at", at, 0)
    at_least("deterioration", "window", window, 1)
    at_least("deterioration", "overlap", overlap, 0)
    before, after = before_drift(series, at, window, overlap), series[at : at + window]
    enough = 1 if partial else window
    if len(before) < enough or len(after) < enough:
        return float("nan")
    return mean_of(after) - mean_of(before)


def as_series(who: str, values: object) -> F64:
    """The values as a column; raises unless they are a list of numbers."""
    try:
        series = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        series = np.empty(())
    if series.ndim != 1:
        raise ParameterError.of(who, "values", "a list of numbers", values)
    return series


def mean_of(values: F64) -> float:
    """The mean of some values, rounded once: a reference must not depend on their order."""
    if not np.isfinite(values).all() or np.abs(values).max() > LARGE:
        return float(values.mean())
    return math.fsum(values.tolist()) / len(values)


def before_drift(series: F64, at: int, window: int, overlap: int) -> F64:
    """The values of the steps in the window before a drift, as far as they exist."""
    stop = max(at - overlap, 0)
    return series[max(stop - window, 0) : stop]

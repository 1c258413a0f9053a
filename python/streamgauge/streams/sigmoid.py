"""The sigmoid that defines a gradual drift."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log, pi, tan

import numpy as np

from streamgauge.types import F64, I64, Drift

TAIL = 0.01
"""Probability of the new concept at the start of a gradual drift, and of the old one at its end."""


def sigmoid(t: I64 | F64, at: float, width: float) -> F64:
    r"""Probability of the new concept at item `t`, without overflow for any argument.

    .. math:: 1 / (1 + \exp(-4 (t - at) / width))

    A width of 1 or less is a step: 0 before `at`, 1 from it on.

    Examples
    --------
    >>> sigmoid(np.array([0, 100, 200]), at=100, width=50).round(4).tolist()
    [0.0003, 0.5, 0.9997]
    >>> sigmoid(np.array([99, 100]), at=100, width=0).tolist()
    [0.0, 1.0]
    """
    away = np.asarray(t, np.float64) - at
    if width <= 1:
        return (away >= 0).astype(np.float64)
    return np.asarray(0.5 + 0.5 * np.tanh(2 * away / width), np.float64)


def share_of_old(t: I64 | F64, t0: float, width: float) -> F64:
    r"""Probability of the old concept at items counted from 1, without overflow for any width.

    .. math:: \lambda(t) = 1 / (1 + \exp(4 (t - t_0) / w))

    A width of 0 is a step with 1/2 at :math:`t_0`. (In `sigmoid` items are counted from 0, and a
    step is whole.)

    Examples
    --------
    >>> share_of_old(np.array([1, 50, 99]), 50, 40).round(4).tolist()
    [0.9926, 0.5, 0.0074]
    >>> share_of_old(np.array([49, 50, 51]), 50, 0).tolist()
    [1.0, 0.5, 0.0]
    """
    away = np.asarray(t, np.float64) - t0
    if width == 0:
        return np.asarray(0.5 - 0.5 * np.sign(away), np.float64)
    with np.errstate(over="ignore"):  # a tiny width: infinity is correct
        return np.asarray(0.5 - 0.5 * np.tanh(2 * away / width), np.float64)


def width_of_angle(theta: float, items: int) -> float:
    r"""The width of a drift by the angle of its slope: :math:`w = l / (100 \tan \theta)`.

    Examples
    --------
    >>> round(width_of_angle(np.pi / 30, 10_000)), width_of_angle(np.pi / 2, 10_000)
    (951, 0.0)
    """
    # tan(pi/2) is not infinite in floating point, so the step is a case of its own.
    return 0.0 if theta == pi / 2 else items / (100 * tan(theta))


def span_of_old(t0: float, width: float) -> tuple[int, int]:
    """First item with at most 99 % of the old concept, and with at most 1 %, counted from 0.

    Examples
    --------
    >>> span_of_old(500, 100)
    (385, 614)
    """
    reach = width / 4 * log(1 / TAIL - 1)
    start = max(0, ceil(t0 - reach) - 1)
    return start, max(0, ceil(t0 + reach) - 1, floor(t0))


def span_of(at: int, width: float) -> tuple[int, int]:
    """Return the first items at which the new concept has probability 1 % and 99 %.

    Examples
    --------
    >>> span_of(1000, 100)
    (886, 1115)
    >>> span_of(1000, 1)
    (1000, 1000)
    """
    if width <= 1:
        return at, at
    reach = width / 4 * log(1 / TAIL - 1)
    return max(0, ceil(at - reach)), ceil(at + reach)


def known_drifts(at: Sequence[int], width: float) -> tuple[Drift, ...]:
    """The drifts with these centres and one width.

    Examples
    --------
    >>> known_drifts([1000], 100)
    (Drift(start=886, centre=1000, end=1115, kind='gradual'),)
    """
    found = []
    for centre in at:
        start, end = span_of(centre, width)
        found.append(Drift(start, centre, end, "abrupt" if width <= 1 else "gradual"))
    return tuple(found)

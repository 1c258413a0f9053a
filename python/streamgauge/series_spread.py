"""The long-run variance of a series of dependent values."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from streamgauge._core import SequentialTest
from streamgauge.types import F64

UNUSED = 200.0
"""A spell, which the variance does not depend on."""


@dataclass(frozen=True, slots=True)
class SeriesSpread:
    """The mean of a series, and the variance of sums of many of its values, per value.

    The variance is the largest over batches of 1, 2, 4, … values, extrapolated while it still grows
    with their size, as in `LongRun`. `effective_items` is the number of independent values whose
    mean has the same variance.
    """

    items: int
    mean: float
    variance: float
    effective_items: float


def series_spread(values: F64 | Iterable[F64]) -> SeriesSpread:
    """The spread of a column, or of one in parts; NaN is left out.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> coins = (rng.random(8000) < 0.5).astype(float)
    >>> series_spread(coins).variance, series_spread(np.repeat(coins, 4)).variance
    (0.386, 1.54)
    """
    test = SequentialTest(1.0, [0.0], 0, math.inf, UNUSED)
    for part in [values] if isinstance(values, np.ndarray) else values:
        column = np.ascontiguousarray(part, np.float64)
        test.push(column, np.zeros(len(column)))
    _, items, mean, variance, effective, _ = test.long_run()
    return SeriesSpread(items, mean if items else math.nan, variance, effective)


def spread_of_changes(values: F64, lag: int) -> SeriesSpread:
    """The spread of a column, computed from differences at a lag: a slow trend does not count.

    A difference of two values at a long distance has twice the variance of one. Dependence must be
    shorter than the lag.
    """
    changes = series_spread(values[lag:] - values[:-lag])
    level = float(np.nanmean(values)) if len(values) else math.nan
    return SeriesSpread(len(values), level, changes.variance / 2, changes.effective_items)

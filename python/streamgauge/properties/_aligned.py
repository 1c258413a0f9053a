"""Curves aligned at a drift, with a band over repetitions and drifts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from streamgauge.repetitions._spread import quantile
from streamgauge.types import F64, I64


@dataclass(frozen=True, slots=True)
class AlignedCurve:
    """A measure over the steps around a drift: the mean over curves, with a band.

    `offset` is the first item of each step, counted from the drift; `curves` the number of curves
    (repetitions, or repetitions and drifts) that have a value there. The band is mean ± standard
    deviation over them, or the t interval of the mean if a level is given; NaN for one curve.
    `drift` is the index of the drift, None for all drifts together.
    """

    drift: int | None
    offset: I64
    mean: F64
    low: F64
    high: F64
    curves: I64


def aligned_curve(
    drift: int | None, offset: I64, rows: Sequence[F64], level: float | None
) -> AlignedCurve:
    """The mean of the rows, with a band; NaN is a value that does not exist."""
    values = np.stack(rows) if rows else np.empty((0, len(offset)))
    there = ~np.isnan(values)
    count = there.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(there, values, 0.0).sum(axis=0) / count
        squares = np.where(there, (values - mean) ** 2, 0.0).sum(axis=0)
        sd = np.sqrt(squares / (count - 1))
    wide = np.ones(len(offset))
    if level is not None:
        factors = {n: quantile(level, n) / math.sqrt(n) for n in set(count.tolist()) if n > 1}
        wide = np.array([factors.get(n, math.nan) for n in count.tolist()])
    sd[count < 2] = np.nan
    return AlignedCurve(drift, offset, mean, mean - wide * sd, mean + wide * sd, count)

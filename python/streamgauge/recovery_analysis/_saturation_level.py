"""Saturation level of a curve."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.types import F64

LAST = 0.1
"""Share of the points whose mean is the saturation level."""


@plain_numbers
def saturation_level(curve: Sequence[float] | F64, last: float = LAST) -> float:
    """The mean of the last points of a curve: an estimate of its saturation level.

    Parameters
    ----------
    curve
        The values; undefined ones are left out.
    last
        Share of the points, rounded up, at least one point.

    Examples
    --------
    >>> saturation_level([0.5, 0.7, 0.8, 0.9], last=0.5)
    0.85
    """
    if not 0 < last <= 1:
        raise ParameterError.of("saturation_level", "last", "above 0 and at most 1", last)
    values = np.asarray(curve, np.float64)
    end = values[len(values) - count_of(len(values), last) :]
    defined = end[~np.isnan(end)]
    return float(defined.mean()) if len(defined) else math.nan


def count_of(points: int, share: float) -> int:
    """How many points a share of them is: rounded up, at least one.

    Examples
    --------
    >>> count_of(100, 0.1), count_of(5, 0.1), count_of(0, 0.1)
    (10, 1, 0)
    """
    return max(1, math.ceil(share * points - 1e-9)) if points else 0

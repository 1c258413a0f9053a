"""Thinning of curves that keeps peaks and gaps."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from tsdownsample import MinMaxLTTBDownsampler

from streamgauge.types import F64, I64

_MIN_MAX_LTTB: Any = cast(Any, MinMaxLTTBDownsampler)()


def thin(at: I64, value: F64, points: int) -> tuple[I64, F64]:
    """At most `points` points of a curve, and one NaN for each gap between them.

    Infinite values are gaps too: they have no place on an axis.

    Examples
    --------
    >>> at, value = thin(np.arange(1, 7), np.array([0.1, 0.2, np.nan, np.nan, 0.5, 0.6]), 10)
    >>> at
    array([1, 2, 3, 5, 6])
    >>> value
    array([0.1, 0.2, nan, 0.5, 0.6])
    """
    drawn = np.flatnonzero(np.isfinite(value))
    if len(drawn) > points:
        x, y = np.ascontiguousarray(at[drawn]), np.ascontiguousarray(value[drawn])
        drawn = drawn[_MIN_MAX_LTTB.downsample(x, y, n_out=points).astype(np.int64)]
    # number of gaps before each point: two neighbours that differ have a gap between them
    gaps = np.cumsum(~np.isfinite(value))[drawn]
    torn = np.flatnonzero(np.diff(gaps))
    holes = np.searchsorted(np.cumsum(~np.isfinite(value)), gaps[torn] + 1)
    kept = np.insert(drawn, torn + 1, holes)
    return at[kept], np.where(np.isfinite(value[kept]), value[kept], np.nan)

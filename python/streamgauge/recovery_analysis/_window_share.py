"""The share of the old stream in a window."""

from __future__ import annotations

import numpy as np

from streamgauge.types import F64, I64
from streamgauge.windows._window import Window


def window_share(share: F64, window: Window, at: I64) -> F64:
    """The mean share of the old stream over the items of a window, at each point of a curve.

    A curve averages over its window, so the bound must average, too.

    Parameters
    ----------
    share
        The share at each item.
    window
        The window of the curve; in `ewma`, whose prior is no item, the share at the point is taken.
    at
        The number of items up to each point.

    Examples
    --------
    >>> from streamgauge.windows import Tumbling, Sliding
    >>> share = np.array([1.0, 1.0, 0.5, 0.0, 0.0])
    >>> window_share(share, Tumbling(2), np.array([2, 4, 5])).tolist()
    [1.0, 0.25, 0.0]
    >>> window_share(share, Sliding(3), np.array([2, 4])).tolist()
    [1.0, 0.5]
    """
    kind, parameter = window.spec
    stop = np.minimum(np.asarray(at, np.int64), len(share))
    if kind == "ewma":
        return np.asarray(share[stop - 1], np.float64)
    if kind == "fading":
        return np.asarray(_faded(share, parameter)[stop - 1], np.float64)
    if kind == "whole":
        start = np.zeros(len(stop), np.int64)
    elif kind == "sliding":
        start = np.maximum(stop - int(parameter), 0)
    else:  # the last block may be shorter
        start = np.maximum(stop - 1, 0) // int(parameter) * int(parameter)
    sums = np.concatenate([[0.0], np.cumsum(share)])
    return np.asarray((sums[stop] - sums[start]) / np.maximum(stop - start, 1), np.float64)


def _faded(share: F64, factor: float) -> F64:
    """The faded mean up to each item."""
    found = np.empty(len(share))
    total = weight = 0.0
    for nth, one in enumerate(share.tolist()):
        total, weight = factor * total + one, factor * weight + 1.0
        found[nth] = total / weight
    return found

"""Speed of the decline after a drift."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamgauge.kinds import plain_numbers
from streamgauge.recovery_analysis._below import Better, checked_curves
from streamgauge.recovery_analysis._duration import Duration
from streamgauge.types import F64, I64


@plain_numbers
def decline(
    mixture: Sequence[float] | F64,
    at: Sequence[int] | I64 | F64,
    found: Duration,
    *,
    better: Better = "high",
) -> float:
    r"""How fast the performance deteriorates after a drift, per item.

    .. math:: (S_C(s) - S_C(m)) / (n_m - n_s)

    where s is the last point before :math:`t_1` (:math:`t_1` itself if it is the first point), m
    the worst one from :math:`t_1` to :math:`t_2` and :math:`n` the number of items up to a point.
    The sign is reversed for a loss: above 0 is a deterioration. NaN if the curve does not drop.

    Parameters
    ----------
    mixture
        The curve of the drifting stream.
    at
        The number of items up to each point.
    found
        What `duration` returned for the curve.
    better
        `"high"` for a score, `"low"` for a loss.

    Examples
    --------
    >>> from streamgauge.recovery_analysis import duration
    >>> c = [0.9, 0.9, 0.7, 0.5, 0.8, 0.8]
    >>> decline(c, [100, 200, 300, 400, 500, 600], duration([0.9] * 6, [0.8] * 6, c))
    0.002
    """
    c, items = checked_curves("decline", better, mixture, at)
    t1, t2 = (np.array([-1 if t is None else t - 1]) for t in (found.t1, found.t2))
    return float(declines(c[None], items, t1, t2, better)[0])


def declines(c: F64, items: F64, t1: I64, t2: I64, better: Better) -> F64:
    """`decline` of each row; points are counted from 0, -1 is none."""
    if not c.shape[1]:
        return np.full(len(c), np.nan)
    point, row = np.arange(c.shape[1]), np.arange(len(c))
    part = (point >= t1[:, None]) & (point <= t2[:, None]) & ~np.isnan(c)
    values = np.where(part, c if better == "high" else -c, np.inf)
    worst, start = values.argmin(axis=1), np.maximum(t1 - 1, 0)
    passed = items[worst] - items[start]
    drop = c[row, start] - c[row, worst] if better == "high" else c[row, worst] - c[row, start]
    undefined = (t1 < 0) | ~part.any(axis=1) | (passed == 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(undefined, np.nan, drop / passed)

"""Speed of the decline after a drift."""

from __future__ import annotations

import math
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
    if found.t1 is None or found.t2 is None:
        return math.nan
    start = max(found.t1 - 2, 0)
    part = c[found.t1 - 1 : found.t2]
    defined = np.flatnonzero(~np.isnan(part))
    if not len(defined):
        return math.nan
    chosen = part[defined]
    worst = int(defined[chosen.argmin() if better == "high" else chosen.argmax()]) + found.t1 - 1
    passed = items[worst] - items[start]
    if passed == 0:
        return math.nan
    drop = c[start] - c[worst] if better == "high" else c[worst] - c[start]
    return float(drop / passed)

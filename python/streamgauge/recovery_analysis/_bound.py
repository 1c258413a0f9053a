"""Bound on the optimal performance on a drifting stream."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.recovery_analysis._below import Better
from streamgauge.types import F64


@plain_numbers
def bound(
    share: Sequence[float] | F64,
    before: float | Sequence[float] | F64,
    after: float | Sequence[float] | F64,
    worst_before: float,
    worst_after: float,
    *,
    better: Better = "high",
    root: bool = False,
) -> F64:
    r"""What the better one of two fixed models achieves on a drifting stream.

    With the share :math:`\lambda(t)` of the pure stream A, the performance :math:`\alpha` of the
    model of A on A and :math:`c_A` on B, :math:`\beta` of the model of B on B and :math:`c_B` on A,

    .. math:: \max\{\lambda(t) \alpha + (1 - \lambda(t)) c_A,
              (1 - \lambda(t)) \beta + \lambda(t) c_B\}

    for a score; the minimum for a loss. The optimal model is at least as good, so this is a lower
    bound of the optimal score and an upper bound of the optimal loss. With curves as
    :math:`\alpha` and :math:`\beta` it is Eq. 4 of the paper, with saturation levels Eq. 5. A root
    of a mean of squares (RMSE) is computed from squares: Eq. 6 with the range of the target as
    :math:`c`, Eq. 7 with the measured performance of each model on the other stream. In print, the
    shares in Eq. 6 and 7 are exchanged.

    Parameters
    ----------
    share
        :math:`\lambda(t)` at each point.
    before, after
        :math:`\alpha` and :math:`\beta`: levels, or curves with a value per point.
    worst_before, worst_after
        :math:`c_A` and :math:`c_B`: 0 for accuracy if nothing is known.
    better
        `"high"` for a score, `"low"` for a loss.
    root
        Whether the measure is the root of a mean of squares.

    Examples
    --------
    >>> bound([1.0, 0.5, 0.0], 0.9, 0.8, 0.0, 0.0).tolist()
    [0.9, 0.45, 0.8]
    >>> bound([1.0, 0.5, 0.0], 0.3, 0.4, 1.0, 1.0, better="low", root=True).round(3).tolist()
    [0.3, 0.738, 0.4]

    References
    ----------
    Shaker, Hüllermeier. Recovery analysis for adaptive learning from non-stationary data
    streams: experimental design and case study. Neurocomputing 150 (2015), Eq. 4 to 7.
    """
    if better not in ("high", "low"):
        raise ParameterError.of("bound", "better", "'high' for a score or 'low' for a loss", better)
    old = np.asarray(share, np.float64)
    if old.ndim != 1 or ((old < 0) | (old > 1)).any():
        raise ParameterError.of("bound", "share", "numbers from 0 to 1", share)
    own_a, own_b = np.asarray(before, np.float64), np.asarray(after, np.float64)
    for what, own in (("before", own_a), ("after", own_b)):
        if own.shape not in ((), old.shape):
            raise ParameterError.of("bound", what, f"a level or {len(old)} values", own.shape)
    other_a, other_b = float(worst_before), float(worst_after)
    if root:
        by_a = np.sqrt(own_a**2 * old + other_a**2 * (1 - old))
        by_b = np.sqrt(own_b**2 * (1 - old) + other_b**2 * old)
    else:
        by_a = own_a * old + other_a * (1 - old)
        by_b = own_b * (1 - old) + other_b * old
    return np.asarray(np.maximum(by_a, by_b) if better == "high" else np.minimum(by_a, by_b))

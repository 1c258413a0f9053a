"""The Q statistic: the logarithm of the ratio of two learners' losses."""

from __future__ import annotations

import numpy as np

from streamgauge.types import F64

Q_COLUMN = "q_negative_favours_a"
"""Name of the statistic in verdicts and curves; it contains the sign convention."""

Q_FORMULA = "ln(sum of A's losses / sum of B's losses)"


def q_statistic(loss_sum_a: F64 | float, loss_sum_b: F64 | float) -> F64:
    r"""The logarithm of the ratio of two sums of losses.

    .. math:: Q = \ln(S_A / S_B)

    over all items, those of a window, or with fading sums. Negative: A is better. -0.1 means that
    the sum of A is about a tenth below that of B. Infinite if one sum is 0, NaN if both are. It is
    no test: it has no p-value.

    Examples
    --------
    >>> float(q_statistic(90.0, 100.0))
    -0.105
    >>> q_statistic([0.0, 3.0, 0.0], [2.0, 0.0, 0.0]).tolist()
    [-inf, inf, nan]

    References
    ----------
    Gama, Sebastião, Rodrigues. On evaluating stream learning algorithms.
    Machine Learning 90 (2013).
    """
    a, b = np.asarray(loss_sum_a, np.float64), np.asarray(loss_sum_b, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        # the difference of logarithms, not the logarithm of the ratio, which may overflow
        return np.asarray(np.log(a) - np.log(b), np.float64)

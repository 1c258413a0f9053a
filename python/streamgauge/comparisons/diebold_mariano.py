"""Diebold and Mariano's test of the mean difference of dependent losses."""

from __future__ import annotations

import math

import numpy as np

from streamgauge._core import autocovariances
from streamgauge.comparisons._checks import Side, check_side
from streamgauge.comparisons._tolerance import ROUNDING
from streamgauge.errors import ParameterError
from streamgauge.kinds import at_most, plain_numbers
from streamgauge.types import F64

MOST_LAGS = 1_000_000
"""Largest number of lags, each with a sum in memory."""

DIEBOLD_MARIANO_COLUMN = "diebold_mariano_positive_favours_b"
"""Name of the statistic in verdicts; it contains the sign convention."""


@plain_numbers
def diebold_mariano_test(
    losses_a: F64, losses_b: F64, lags: int | None = None, side: Side = "either"
) -> tuple[float, float]:
    r"""Diebold-Mariano statistic and p-value, at a fixed horizon.

    .. math:: DM = \bar d \Big/ \sqrt{\hat\omega / n}, \qquad
        \hat\omega = \gamma_0 + 2 \sum_{l=1}^{L} \Big(1 - \frac{l}{L+1}\Big) \gamma_l

    where :math:`d_t` is the loss of A minus that of B on item :math:`t` and :math:`\gamma_l` its
    autocovariance at lag :math:`l`. Positive: A is worse. NaN if the difference is always 0, up to
    rounding.
    The losses may be dependent over a few items and unbounded, but must be stationary.

    Parameters
    ----------
    losses_a, losses_b
        Losses of both on the same items.
    lags
        :math:`L`; by default Newey and West's :math:`\lfloor 4 (n / 100)^{2/9} \rfloor`.
    side
        Which advantage is tested.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.array([0.0, 1, 1, 0, 1, 1]), np.array([0.0, 1, 0, 0, 0, 1])
    >>> diebold_mariano_test(a, b, lags=1)
    (2.68, 0.00729)

    References
    ----------
    Diebold, Mariano. Comparing predictive accuracy.
    Journal of Business and Economic Statistics 13 (1995).
    Newey, West. A simple, positive semi-definite, heteroskedasticity and autocorrelation
    consistent covariance matrix. Econometrica 55 (1987).
    """
    check_side("diebold_mariano_test", side)
    a, b = np.asarray(losses_a, np.float64), np.asarray(losses_b, np.float64)
    if a.shape != b.shape or a.ndim != 1:
        raise ParameterError.of(
            "diebold_mariano_test", "losses", "two columns of one length", (a.shape, b.shape)
        )
    most = newey_west_lags(len(a)) if lags is None else lags
    if not isinstance(most, int) or isinstance(most, bool) or most < 0:
        raise ParameterError.of("diebold_mariano_test", "lags", "a whole number, at least 0", lags)
    at_most("diebold_mariano_test", "lags", most, MOST_LAGS)
    size = max(np.abs(a).max(initial=0.0), np.abs(b).max(initial=0.0))
    return from_autocovariances(*autocovariances(a - b, most), side, float(size))


def newey_west_lags(count: int) -> int:
    """Default number of lags for `count` items (Newey and West)."""
    return int(4 * (count / 100) ** (2 / 9))


def from_autocovariances(
    count: int, mean: float, covariances: F64, side: Side, size: float
) -> tuple[float, float]:
    """Statistic and p-value from the count, mean and autocovariances of the differences.

    `size` is that of the losses; differences that are rounding of them are none.
    """
    if count == 0 or max(abs(mean), math.sqrt(covariances[0])) <= ROUNDING * size:
        return math.nan, math.nan
    lags = len(covariances) - 1
    kernel = 1 - np.arange(1, lags + 1) / (lags + 1)
    variance = float(covariances[0] + 2 * (kernel * covariances[1:]).sum()) / count
    # rounding of a constant difference is no variance
    if variance <= 1e-24 * max(mean * mean, 1e-300):
        statistic = math.nan if mean == 0 else math.copysign(math.inf, mean)
    else:
        statistic = mean / math.sqrt(variance)
    return statistic, _p(statistic, side)


def _p(z: float, side: Side) -> float:
    if side == "either":
        return math.erfc(abs(z) / math.sqrt(2))
    return math.erfc((z if side == "b" else -z) / math.sqrt(2)) / 2

"""Quantiles and p-values of a Brownian path that is watched from some time on, for ever."""

from __future__ import annotations

import math
from functools import lru_cache

from streamgauge.comparisons._checks import Side


def tail(a: float) -> float:
    r"""Probability that a Brownian path ever leaves :math:`\pm\sqrt{t (a^2 + \ln t)}` after t = 1.

    :math:`2 (1 - \Phi(a) + a \varphi(a))`.

    Examples
    --------
    >>> tail(2.795483)
    0.05

    References
    ----------
    Robbins, Siegmund. Boundary crossing probabilities for the Wiener process and sample sums.
    Annals of Mathematical Statistics 41 (1970).
    """
    density = math.exp(-a * a / 2) / math.sqrt(2 * math.pi)
    return min(1.0, math.erfc(a / math.sqrt(2)) + 2 * a * density)


@lru_cache(maxsize=4096)
def squared_quantile(alpha: float, side: Side = "either") -> float:
    """The square of the quantile that decides at level `alpha`; one side has all of alpha."""
    share = alpha if side == "either" else 2 * alpha
    if share >= 1:
        return 0.0
    low, high = 0.0, 1.0
    while tail(high) > share:
        high *= 2
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if tail(middle) > share else (low, middle)
    return high * high


def p_value(statistic: float, side: Side, favours_a: bool) -> float:
    """The p-value of a statistic that is compared with squared quantiles."""
    if statistic <= 0 or math.isnan(statistic):
        return 1.0
    both = tail(math.sqrt(statistic))
    if side == "either":
        return both
    return both / 2 if (side == "a") == favours_a else 1.0

"""A confidence sequence for the difference of two learners' mean losses."""

from __future__ import annotations

import math

import numpy as np

from streamgauge._core import boundary, log_evidence
from streamgauge.comparisons._checks import Side, check_alpha, check_side, finite_bound
from streamgauge.kinds import plain_numbers
from streamgauge.types import F64

DIFFERENCE_COLUMN = "difference_of_mean_losses_a_minus_b"
"""Name of the statistic in verdicts and curves; it contains the sign convention."""

MEAN_FORMULA = "mean loss of A - mean loss of B"

DIFFERENCE_FORMULA = f"{MEAN_FORMULA} ± the radius of an empirical-Bernstein confidence sequence"


@plain_numbers
def difference_interval(
    count: F64 | float,
    total: F64 | float,
    squares: F64 | float,
    alpha: float = 0.05,
    bound: float = 1.0,
    side: Side = "either",
) -> tuple[F64, F64]:
    r"""Confidence sequence of the mean difference of losses; *anytime valid*.

    With :math:`d_t` the loss of A minus that of B on item :math:`t`, within :math:`[-c, c]`, and
    :math:`\Delta_t` the mean of their conditional expectations up to then, the probability that
    :math:`\Delta_t` is *ever* outside the interval is at most `alpha`. The losses may be dependent
    and the difference may drift: its mean so far is covered. 0 lies outside exactly if an
    e-value reaches its threshold.

    Parameters
    ----------
    count, total, squares
        Number of differences, their sum, and the sum of their squares; arrays give one interval
        per element.
    alpha
        Probability of ever being outside.
    bound
        :math:`c`: no loss is larger; losses are not below 0.
    side
        `"either"`: an interval. `"a"`: an upper bound, for "A is better"; `"b"`: a lower one.

    Examples
    --------
    >>> low, high = difference_interval(1000, -80, 200)
    >>> float(low), float(high)
    (-0.131, -0.0287)

    References
    ----------
    Howard, Ramdas, McAuliffe, Sekhon. Time-uniform, nonparametric, nonasymptotic confidence
    sequences. Annals of Statistics 49 (2021).
    Choe, Ramdas. Comparing sequential forecasters. Operations Research 72 (2024).
    """
    check_alpha("difference_interval", alpha)
    bound = finite_bound("difference_interval", bound)
    check_side("difference_interval", side)
    n, s, v = (np.asarray(x, np.float64) for x in (count, total, squares))
    scaled = np.ascontiguousarray(np.atleast_1d(v / bound**2))
    reach = boundary(scaled, threshold(alpha, side)).reshape(v.shape) * bound
    with np.errstate(divide="ignore", invalid="ignore"):
        mean, radius = s / n, np.where(n > 0, reach / n, np.inf)
    low = np.full_like(mean, -bound) if side == "a" else np.fmax(mean - radius, -bound)
    high = np.full_like(mean, bound) if side == "b" else np.fmin(mean + radius, bound)
    return low, high


@plain_numbers
def difference_log_e_values(
    total: F64 | float, squares: F64 | float, bound: float = 1.0
) -> tuple[F64, F64]:
    """Logarithms of two e-values, for A and for B having the lower loss; *anytime valid*.

    The e-value for A is against the null hypothesis that A is no better than B on average so far,
    at all times. Under it, the probability that the e-value *ever* reaches 1/alpha is at most alpha
    (an e-process).

    Examples
    --------
    >>> for_a, for_b = difference_log_e_values(-80, 200)
    >>> float(for_a) > math.log(20) > float(for_b)
    True
    """
    bound = finite_bound("difference_log_e_values", bound)
    s, v = np.asarray(total, np.float64) / bound, np.asarray(squares, np.float64) / bound**2
    x, y = np.ascontiguousarray(np.atleast_1d(s)), np.ascontiguousarray(np.atleast_1d(v))
    return (
        log_evidence("bernstein", -x, y).reshape(s.shape),
        log_evidence("bernstein", x, y).reshape(s.shape),
    )


def threshold(alpha: float, side: Side) -> float:
    """The e-value that decides, as a natural logarithm: each of two sides has half of alpha."""
    return math.log((2 if side == "either" else 1) / alpha)

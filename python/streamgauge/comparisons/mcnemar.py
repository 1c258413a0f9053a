"""McNemar's test of the items on which only one of two learners was wrong, and its e-values."""

from __future__ import annotations

import math

import numpy as np

from streamgauge._core import coin_log_evidence
from streamgauge.comparisons._checks import Side, check_side
from streamgauge.kinds import plain_numbers
from streamgauge.types import F64

MCNEMAR_COLUMN = "mcnemar_positive_favours_b"
"""Name of the statistic in verdicts and curves; it contains the sign convention."""

MCNEMAR_FORMULA = "(n01 - n10) |n01 - n10| / (n01 + n10); n01: only A wrong, n10: only B wrong"

EXACT_BELOW = 25
"""With fewer items than this on which only one was wrong, p is the exact binomial one."""


def mcnemar_statistic(worse_a: F64 | float, worse_b: F64 | float) -> F64:
    r"""Signed McNemar statistic, without continuity correction.

    .. math:: M = \mathrm{sign}(n_{01} - n_{10}) \frac{(n_{01} - n_{10})^2}{n_{01} + n_{10}}

    where :math:`n_{01}` counts the items on which A was wrong and B right, :math:`n_{10}` those on
    which B was wrong and A right. Positive: A is worse. 0 if both counts are 0. Beyond 3.841
    (5 %) or 6.635 (1 %) on either side the difference is significant if tested once, at an end
    fixed beforehand: *fixed horizon only*. In a fading window the counts are fading sums.

    Examples
    --------
    >>> [float(mcnemar_statistic(a, b)) for a, b in ((10, 30), (30, 10), (0, 0))]
    [-10.0, 10.0, 0.0]

    References
    ----------
    McNemar. Note on the sampling error of the difference between correlated proportions or
    percentages. Psychometrika 12 (1947).
    Gama, Sebastião, Rodrigues. On evaluating stream learning algorithms.
    Machine Learning 90 (2013).
    """
    a, b = np.asarray(worse_a, np.float64), np.asarray(worse_b, np.float64)
    difference, both = a - b, a + b
    with np.errstate(invalid="ignore"):
        return np.where(both > 0, np.abs(difference) * difference / both, 0.0)


@plain_numbers
def mcnemar_p(worse_a: float, worse_b: float, side: Side = "either") -> float:
    """p-value of McNemar's test: exact for few items with one learner wrong, chi-squared for many.

    Examples
    --------
    >>> mcnemar_p(2, 10), mcnemar_p(2, 10, side="a"), mcnemar_p(0, 0)
    (0.0386, 0.0193, 1.0)
    >>> mcnemar_p(20, 40)
    0.00982
    """
    check_side("mcnemar_p", side)
    both = worse_a + worse_b
    if both == 0:
        return 1.0
    if both < EXACT_BELOW:
        n, a = round(both), round(worse_a)
        few, many = _binomial_cdf(a, n), _binomial_cdf(n - a, n)
        if side == "either":
            return min(1.0, 2 * min(few, many))
        return few if side == "a" else many
    z = (worse_a - worse_b) / math.sqrt(both)
    if side == "either":
        return math.erfc(abs(z) / math.sqrt(2))
    return math.erfc((z if side == "b" else -z) / math.sqrt(2)) / 2


def _binomial_cdf(successes: int, trials: int) -> float:
    """P(X <= successes) for X ~ Binomial(trials, 1/2)."""
    return sum(math.comb(trials, k) for k in range(successes + 1)) / float(2**trials)


def mcnemar_log_e_values(worse_a: F64 | float, worse_b: F64 | float) -> tuple[F64, F64]:
    r"""Logarithms of two e-values, for A and for B being better; *anytime valid*.

    The e-value for A is against the null hypothesis that A is never more likely to be correct than
    B. It is a weighted mean, over values of :math:`g` from 0.98 down, of products that start at 1:
    each item multiplies a product by :math:`1 + g` if only B is wrong and by :math:`1 - g` if only
    A is wrong. Under the null hypothesis, the probability that the e-value *ever* reaches 20 is at
    most 5 %. 1 / e-value is an anytime-valid p-value. For a two-sided test use half of the larger
    e-value.

    Examples
    --------
    >>> for_a, for_b = mcnemar_log_e_values(100, 160)
    >>> float(for_a), float(for_b)
    (4.91, -2.12)
    """
    both = np.broadcast_arrays(np.asarray(worse_a, np.float64), np.asarray(worse_b, np.float64))
    shape = both[0].shape
    a, b = (np.ascontiguousarray(counts).ravel() for counts in both)
    return (
        coin_log_evidence(b, a).reshape(shape),
        coin_log_evidence(a, b).reshape(shape),
    )

"""Friedman's test, in the form of Iman and Davenport."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import import_module

import numpy as np

from streamgauge.comparisons._checks import check_alpha
from streamgauge.comparisons._scores import Scores
from streamgauge.comparisons.ranks import rank
from streamgauge.errors import reported_by
from streamgauge.kinds import plain_numbers
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class Friedman:
    """Test whether learners differ; `p` is that of Iman and Davenport, `p_chi2` Friedman's own."""

    learners: int
    streams: int
    chi2: float
    p_chi2: float
    f: float
    df: tuple[int, int]
    p: float
    alpha: float

    @property
    def significant(self) -> bool:
        """Whether p is below alpha; False if all streams are ties."""
        return self.p < self.alpha

    def to_text(self) -> str:
        """The result as text."""
        who = f"{self.learners} learners on {self.streams} streams"
        if math.isnan(self.p):
            return f"{who} are tied on every stream."
        result = "differ" if self.significant else "cannot be shown to differ"
        return (
            f"{who} {result} (Friedman, Iman-Davenport: F({self.df[0]}, {self.df[1]}) = "
            f"{self.f:.4g}, p = {self.p:.3g}; level {self.alpha:g})."
        )


@plain_numbers
@reported_by("friedman_test", "rank")
def friedman_test(table: Scores, alpha: float = 0.05) -> Friedman:
    r"""Test whether the mean ranks of the learners differ by more than chance.

    .. math:: \chi^2 = \frac{(k-1) \sum_j (R_j - n (k+1)/2)^2}{\sum_{ij} (r_{ij} - (k+1)/2)^2}
              \qquad F = \frac{(n-1) \chi^2}{n (k-1) - \chi^2}

    with k learners on n streams, rank sums R; ties are corrected for by the denominator. F has
    k - 1 and (k - 1)(n - 1) degrees of freedom. If all streams agree F is infinite, and p is
    the probability that independent rankings agree. If every stream is one tie, all is NaN.

    Examples
    --------
    >>> values = [[3, 2, 1], [3, 1, 2], [3, 2, 1], [2, 3, 1], [3, 2, 1]]
    >>> print(friedman_test(Scores("abc", "uvwxy", values)).to_text())
    3 learners on 5 streams differ (Friedman, Iman-Davenport: F(2, 8) = 7.111, p = 0.0168;
    level 0.05).

    References
    ----------
    Friedman. The use of ranks to avoid the assumption of normality implicit in the analysis of
    variance. JASA 32 (1937). Iman, Davenport. Approximations of the critical region of the
    Friedman statistic. Communications in Statistics A9 (1980).
    """
    check_alpha("friedman_test", alpha)
    by_stream = rank(table).by_stream
    n, k = by_stream.shape
    centred = by_stream - (k + 1) / 2
    spread = float((centred**2).sum())
    df = (k - 1, (k - 1) * (n - 1))
    if spread == 0:
        nan = float("nan")
        return Friedman(k, n, nan, nan, nan, df, nan, alpha)
    stats = import_module("scipy.stats")
    chi2 = (k - 1) * float((centred.sum(axis=0) ** 2).sum()) / spread
    p_chi2 = float(stats.chi2.sf(chi2, k - 1))
    denominator = n * (k - 1) - chi2
    if denominator < 1e-9 * n * k:
        return Friedman(k, n, chi2, p_chi2, math.inf, df, _agreement_probability(by_stream), alpha)
    f = (n - 1) * chi2 / denominator
    return Friedman(k, n, chi2, p_chi2, f, df, float(stats.f.sf(f, *df)), alpha)


def _agreement_probability(by_stream: F64) -> float:
    """The probability that n random rankings with these ties are all equal."""
    ties = np.unique(by_stream[0], return_counts=True)[1]
    log_shapes = math.lgamma(by_stream.shape[1] + 1) - sum(math.lgamma(t + 1) for t in ties)
    return math.exp(log_shapes * (1 - len(by_stream)))

"""Nemenyi's test: a critical difference of mean ranks."""

from __future__ import annotations

import math
from importlib import import_module
from itertools import combinations

import numpy as np

from streamgauge.comparisons._checks import check_alpha
from streamgauge.comparisons._scores import Scores
from streamgauge.comparisons.pairwise import Pairwise, symmetric
from streamgauge.comparisons.ranks import rank
from streamgauge.errors import reported_by
from streamgauge.kinds import plain_numbers


@plain_numbers
@reported_by("nemenyi_test", "rank")
def nemenyi_test(table: Scores, alpha: float = 0.05) -> Pairwise:
    r"""Test every pair of learners by the distance of their mean ranks.

    .. math:: CD = \frac{q_{\alpha, k, \infty}}{\sqrt 2} \sqrt{\frac{k (k+1)}{6 n}}

    with the studentized range q of k learners on n streams. Two learners differ if their mean
    ranks differ by more than CD. It has little power and depends on which other learners are in
    the table; in `wilcoxon_holm_test` only the correction does.

    Examples
    --------
    >>> table = Scores("abc", "uvwxyz", [[3, 2, 1]] * 6)
    >>> result = nemenyi_test(table)
    >>> result.critical_difference, result.better()
    (1.353, (('a', 'c', 0.0016),))

    References
    ----------
    Nemenyi. Distribution-free multiple comparisons. PhD thesis, Princeton (1963).
    Demšar. Statistical comparisons of classifiers over multiple data sets. JMLR 7 (2006).
    """
    check_alpha("nemenyi_test", alpha)
    ranks = rank(table)
    n, k = ranks.by_stream.shape
    spread = import_module("scipy.stats").studentized_range
    error = math.sqrt(k * (k + 1) / (6 * n))
    mean = ranks.mean
    distances = [
        abs(mean[a] - mean[b]) / error * math.sqrt(2) for a, b in combinations(range(k), 2)
    ]
    p = symmetric(k, [min(1.0, float(spread.sf(q, k, np.inf))) if q else 1.0 for q in distances])
    critical = float(spread.ppf(1 - alpha, k, np.inf)) / math.sqrt(2) * error
    signs = np.sign(mean - mean[:, None])
    return Pairwise("Nemenyi", ranks, p, np.full((k, k), np.nan), signs, alpha, critical)

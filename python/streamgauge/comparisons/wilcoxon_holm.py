"""Wilcoxon's signed-rank test of every pair, corrected by Holm."""

from __future__ import annotations

import math
from importlib import import_module
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from streamgauge.comparisons._checks import check_alpha
from streamgauge.comparisons._holm import holm
from streamgauge.comparisons._scores import Scores
from streamgauge.comparisons.pairwise import Pairwise, symmetric
from streamgauge.comparisons.ranks import RELATIVE_TOLERANCE, rank, ranked
from streamgauge.errors import ParameterError, reported_by
from streamgauge.kinds import plain_numbers
from streamgauge.types import F64

MAX_EXACT = 50
"""Number of differences other than 0 up to which p is exact; beyond, the normal approximates it."""

ZeroMethod = Literal["zsplit", "wilcox"]


@plain_numbers
@reported_by("wilcoxon_holm_test", "rank")
def wilcoxon_holm_test(
    table: Scores, alpha: float = 0.05, zero_method: ZeroMethod = "zsplit"
) -> Pairwise:
    """Test every pair of learners by the signed ranks of their differences, stream by stream.

    The recommended test (and the default of `compare_many`): a pair's p does not depend on the
    other learners except through Holm's correction. Exact, ties included, up to 50
    streams with a difference; normal with a correction for ties beyond. Learners with the same
    scores everywhere have p = 1.

    Parameters
    ----------
    table
        The scores.
    alpha
        The significance level: the probability of any false rejection.
    zero_method
        How streams on which two learners are equal are treated: `"zsplit"` ranks them with the
        others and divides their ranks between both (Demšar), `"wilcox"` omits them before
        ranking. SciPy's `"pratt"`, which omits them after ranking, gives the p of `"zsplit"`
        here: a divided rank does not depend on the signs. (SciPy's normal approximation of
        `"zsplit"` counts it in the variance, so its p differs.)

    Examples
    --------
    >>> table = Scores("abc", range(8), [[3, 2, 1 + i / 10] for i in range(8)])
    >>> result = wilcoxon_holm_test(table)
    >>> result.better()[0], result.p.round(4).tolist()[0]
    (('a', 'b', 0.0234), [nan, 0.0234, 0.0234])

    References
    ----------
    Wilcoxon. Individual comparisons by ranking methods. Biometrics Bulletin 1 (1945).
    Benavoli, Corani, Mangili. Should we really use post-hoc tests based on mean-ranks?
    JMLR 17 (2016).
    """
    check_alpha("wilcoxon_holm_test", alpha)
    if zero_method not in get_args(ZeroMethod):
        must = f"one of {', '.join(get_args(ZeroMethod))}"
        raise ParameterError.of("wilcoxon_holm_test", "zero_method", must, zero_method)
    ranks = rank(table)
    oriented = table.oriented_values
    pairs = list(combinations(range(oriented.shape[1]), 2))
    p_uncorrected = [signed_rank(oriented[:, a], oriented[:, b], zero_method) for a, b in pairs]
    k = oriented.shape[1]
    return Pairwise(
        "Wilcoxon-Holm",
        ranks,
        symmetric(k, holm(p_uncorrected)),
        symmetric(k, p_uncorrected),
        signed_rank_signs(oriented, zero_method),
        alpha,
    )


def signed_rank_signs(oriented: F64, zero_method: ZeroMethod = "zsplit") -> F64:
    """1 where the learner of the row has the larger rank sum against that of the column, or -1.

    0 if the sums are equal. Mean ranks, which depend on the other learners, may have another order.

    Examples
    --------
    >>> signed_rank_signs(np.array([[1.0, 2.0], [5.0, 3.0], [9.0, 4.0]])).tolist()
    [[0.0, 1.0], [-1.0, 0.0]]
    """
    k = oriented.shape[1]
    signs = np.zeros((k, k))
    for a, b in combinations(range(k), 2):
        rank, difference = _ranked_differences(oriented[:, a], oriented[:, b], zero_method)
        signs[a, b] = np.sign((rank * np.sign(difference)).sum())
    return signs - signs.T


def signed_rank(a: F64, b: F64, zero_method: ZeroMethod = "zsplit") -> float:
    """The two-sided p of Wilcoxon's signed-rank test; 1 if no two scores differ.

    Examples
    --------
    >>> signed_rank(np.array([1.0, 2, 3, 4, 5]), np.zeros(5))
    0.0625
    """
    rank, difference = _ranked_differences(a, b, zero_method)
    if not len(rank):
        return 1.0
    above = float(rank[difference > 0].sum())
    if len(rank) <= MAX_EXACT:
        return _exact(rank, above)
    z = (above - rank.sum() / 2) / (0.5 * math.sqrt(float((rank**2).sum())))
    return float(2 * import_module("scipy.stats").norm.sf(abs(z)))


def _ranked_differences(a: F64, b: F64, zero_method: ZeroMethod) -> tuple[F64, F64]:
    """Ranks of the sizes of the differences other than 0, and these differences.

    A zero gives half its rank to either side whatever the signs: it does not affect the test
    except through the ranks of the others.
    """
    difference = differences(a, b)
    if zero_method == "wilcox":
        difference = difference[difference != 0]
    rank = ranked(np.abs(difference))
    return rank[difference != 0], difference[difference != 0]


def differences(a: F64, b: F64) -> F64:
    """a - b; 0 where they differ by rounding only, and for infinite scores of one sign."""
    with np.errstate(invalid="ignore"):
        difference = a - b
        tiny = np.abs(difference) <= RELATIVE_TOLERANCE * np.maximum(np.abs(a), np.abs(b))
    return np.where((a == b) | (tiny & np.isfinite(difference)), 0.0, difference)


def _exact(rank: F64, above: float) -> float:
    """Two-sided p of a rank sum, by the exact distribution under random signs."""
    doubled = np.rint(2 * rank).astype(np.int64)  # tied ranks are halves
    probability = np.zeros(int(doubled.sum()) + 1)
    probability[0] = 1.0
    for step in doubled:
        probability[step:] = probability[step:] + probability[: len(probability) - step]
        probability /= 2
    at = round(2 * above)
    return float(min(1.0, 2 * min(probability[: at + 1].sum(), probability[at:].sum())))

"""Wilcoxon's signed-rank test of every pair, corrected by Holm."""

from __future__ import annotations

import math
from importlib import import_module
from itertools import combinations
from typing import Literal

import numpy as np

from streamgauge.comparisons._holm import holm
from streamgauge.comparisons.pairwise import Pairwise, symmetric
from streamgauge.comparisons.ranks import CLOSE, rank, ranked
from streamgauge.comparisons.scoring import Scores, level
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.types import F64

EXACT = 50
"""Up to so many differences the distribution is worked out; beyond, it is as good as normal."""

Zeros = Literal["split", "drop", "pratt"]


@plain_numbers
def wilcoxon_holm_test(table: Scores, alpha: float = 0.05, zeros: Zeros = "split") -> Pairwise:
    """Test every pair of learners by the signed ranks of their differences, stream by stream.

    The recommended test (and the default of `compare_many`): a pair's p does not depend on the
    other learners, apart from Holm's correction for their number. Exact, ties included, up to 50
    streams; normal with a correction for ties beyond. Learners with the same scores everywhere
    have p = 1.

    Parameters
    ----------
    table
        The scores.
    alpha
        The level: the chance that any equal pair is said to differ.
    zeros
        What becomes of streams on which two learners are equal: `"split"` shares their ranks out
        between both (Demšar), `"drop"` leaves the stream out, `"pratt"` ranks and then drops it.

    Examples
    --------
    >>> table = Scores("abc", range(8), [[3, 2, 1 + i / 10] for i in range(8)])
    >>> verdict = wilcoxon_holm_test(table)
    >>> verdict.better()[0], verdict.p.round(4).tolist()[0]
    (('a', 'b', 0.0234), [nan, 0.0234, 0.0234])

    References
    ----------
    Wilcoxon. Individual comparisons by ranking methods. Biometrics Bulletin 1 (1945).
    Benavoli, Corani, Mangili. Should we really use post-hoc tests based on mean-ranks?
    JMLR 17 (2016).
    """
    level("wilcoxon_holm", alpha)
    seen = rank(table)
    gains = table.gains
    pairs = list(combinations(range(gains.shape[1]), 2))
    raw = [signed_rank(gains[:, a], gains[:, b], zeros) for a, b in pairs]
    k = gains.shape[1]
    return Pairwise("Wilcoxon-Holm", seen, symmetric(k, holm(raw)), symmetric(k, raw), alpha)


def signed_rank(a: F64, b: F64, zeros: Zeros = "split") -> float:
    """The two-sided p of Wilcoxon's signed-rank test; 1 if no two scores differ.

    Examples
    --------
    >>> signed_rank(np.array([1.0, 2, 3, 4, 5]), np.zeros(5))
    0.0625
    """
    if zeros not in ("split", "drop", "pratt"):
        raise ParameterError.of("signed_rank", "zeros", "one of split, drop, pratt", zeros)
    apart = differences(a, b)
    if zeros == "drop":
        apart = apart[apart != 0]
    if not apart.any():
        return 1.0
    rank = ranked(np.abs(apart))
    if zeros != "split":  # a stream without a difference keeps its place and no weight
        rank = rank[apart != 0]
        apart = apart[apart != 0]
    # A zero gives half its rank to either side whatever the signs of the others: no chance in it.
    above = float(rank[apart > 0].sum())
    moving = rank[apart != 0]
    if len(apart) <= EXACT:
        return _exact(moving, above)
    z = (above - moving.sum() / 2) / (0.5 * math.sqrt(float((moving**2).sum())))
    return float(2 * import_module("scipy.stats").norm.sf(abs(z)))


def differences(a: F64, b: F64) -> F64:
    """a - b, exactly 0 where they differ by rounding only (two infinite scores are equal)."""
    with np.errstate(invalid="ignore"):
        apart = a - b
        tiny = np.abs(apart) <= 1e-3 * CLOSE * np.maximum(np.abs(a), np.abs(b))
    return np.where((a == b) | (tiny & np.isfinite(apart)), 0.0, apart)


def _exact(rank: F64, above: float) -> float:
    """P that signs drawn by coin put a rank sum as far out as this, on its side, doubled."""
    twice = np.rint(2 * rank).astype(np.int64)  # tied ranks are halves
    ways = np.zeros(int(twice.sum()) + 1)
    ways[0] = 1.0
    for step in twice:
        ways[step:] = ways[step:] + ways[: len(ways) - step]
        ways /= 2
    at = round(2 * above)
    return float(min(1.0, 2 * min(ways[: at + 1].sum(), ways[at:].sum())))

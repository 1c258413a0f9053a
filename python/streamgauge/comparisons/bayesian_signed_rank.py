"""The Bayesian signed-rank test, with a region of practical equivalence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from streamgauge.comparisons._block_bootstrap import MOST_DRAWS
from streamgauge.comparisons._scores import Scores
from streamgauge.comparisons.ranks import RELATIVE_TOLERANCE, Ranks, rank
from streamgauge.comparisons.wilcoxon_holm import differences
from streamgauge.errors import ParameterError, reported_by
from streamgauge.kinds import at_most, plain_numbers
from streamgauge.seeds import child
from streamgauge.types import F64

DRAWS_PER_BATCH = 5000
"""Number of draws computed together."""


@dataclass(frozen=True, slots=True)
class BayesianSignedRank:
    """Probabilities that on most streams one learner is better, or the difference is small.

    Each is the posterior probability that a case is more frequent than the two others, of the mean
    differences on two streams like those of the table: `better[a, b]`, a is better than b by more
    than `rope`; `equal[a, b]`, the difference is at most `rope`, the region of practical
    equivalence. So `equal` is about streams, as the table has them: it is no test of equivalence
    with an error rate, no statement about one stream, and it depends on the rope that was chosen.
    `better[a, b] + equal[a, b] + better[b, a]` is 1. NaN on the diagonal.
    """

    ranks: Ranks
    rope: float
    better: F64
    equal: F64
    min_probability: float

    @property
    def learners(self) -> tuple[str, ...]:
        """Names of the learners."""
        return self.ranks.table.learners

    def conclusions(self) -> tuple[tuple[str, str, str, float], ...]:
        """For each pair: a, b, `better`, `equal`, `worse` or `undecided`, the probability."""
        found = []
        order = self.ranks.best_first
        for i, a in enumerate(order):
            for b in order[i + 1 :]:
                chances = {
                    "better": self.better[a, b],
                    "equal": self.equal[a, b],
                    "worse": self.better[b, a],
                }
                what = max(chances, key=lambda key: chances[key])
                chance = float(chances[what])
                decision = what if chance >= self.min_probability else "undecided"
                found.append((self.learners[a], self.learners[b], decision, chance))
        return tuple(found)

    def to_text(self) -> str:
        """The result as text."""
        by = f" by more than {self.rope:g}" if self.rope > 0 else ""
        cases = {
            "better": f"{{}} is better than {{}}{by}",
            "equal": f"{{}} and {{}} differ by at most {self.rope:g}",
            "worse": f"{{}} is worse than {{}}{by}",
        }
        statements = [
            f"{cases[what].format(a, b)} (probability {chance:.3f})"
            for a, b, what, chance in self.conclusions()
            if what != "undecided"
        ]
        open_ = math.comb(len(self.learners), 2) - len(statements)
        head = (
            f"Bayesian signed-rank, on most streams like these {len(self.ranks.table.streams)}, "
            f"with a posterior probability of at least {self.min_probability:g}: "
        )
        if open_:
            statements.append(f"{open_} {'pair is' if open_ == 1 else 'pairs are'} undecided")
        return f"{head}{'; '.join(statements)}."


@plain_numbers
@reported_by("bayesian_signed_rank_test", "rank")
def bayesian_signed_rank_test(
    table: Scores,
    rope: float = 0.01,
    *,
    min_probability: float = 0.95,
    prior: float = 0.5,
    draws: int = 50_000,
    seed: int = 0,
) -> BayesianSignedRank:
    r"""Probability that on most streams one learner is better, or that the difference is small.

    The streams' differences, and one more of 0 with the weight of the prior, get Dirichlet
    weights w; a draw is for "better" if :math:`\sum w_i w_j [z_i + z_j > 2 rope]` is the largest
    of the three sums (better, equal, worse). A pair with
    :math:`z_i + z_j = \pm 2 rope` counts half. The probabilities are the shares of draws: how
    probable each case is to be the most frequent one over streams like these. Unlike a p-value it
    can also show that differences beyond the rope are the exception; that is a statement about
    streams and about this rope. For one stream, `compare(margin=…)` tests equivalence at any time.

    Parameters
    ----------
    table
        The scores; all finite.
    rope
        The region of practical equivalence: half its width, that is the largest difference of two
        scores on a stream that you call unimportant, chosen before the scores are seen. In units
        of the measure (0.01 is one point of accuracy). 0: none.
    min_probability
        Minimum probability at which a pair is decided.
    prior
        The weight of the pseudo-stream on which all are equal.
    draws, seed
        Number of draws of the weights, and their seed.

    Examples
    --------
    >>> table = Scores("ab", range(10), [[0.8 + i / 100, 0.7] for i in range(10)])
    >>> print(bayesian_signed_rank_test(table).to_text())
    Bayesian signed-rank, on most streams like these 10, with a posterior probability of at
    least 0.95: a is better than b by more than 0.01 (probability 1.000).

    References
    ----------
    Benavoli, Corani, Demšar, Zaffalon. Time for a change: a tutorial for comparing multiple
    classifiers through Bayesian analysis. JMLR 18 (2017).
    """
    who = "bayesian_signed_rank_test"
    if not (math.isfinite(rope) and rope >= 0):
        raise ParameterError.of(who, "rope", "a number from 0 up", rope)
    if not 0.5 <= min_probability < 1:
        raise ParameterError.of(who, "min_probability", "from 0.5 to below 1", min_probability)
    if not (math.isfinite(prior) and prior > 0):
        raise ParameterError.of(who, "prior", "a number above 0", prior)
    if draws < 1:
        raise ParameterError.of(who, "draws", "at least 1", draws)
    at_most(who, "draws", draws, MOST_DRAWS)
    ranks = rank(table)
    not_finite = table.values[~np.isfinite(table.values)]
    if len(not_finite):
        raise ParameterError.of(who, "scores", "finite", float(not_finite[0]))
    k = len(table.learners)
    better, equal = np.full((k, k), np.nan), np.full((k, k), np.nan)
    for a, b in combinations(range(k), 2):
        own = child(seed, "bayesian_signed_rank", f"{table.learners[a]}\x1f{table.learners[b]}")
        rng = np.random.default_rng(own)
        difference = differences(table.oriented_values[:, a], table.oriented_values[:, b])
        won = np.zeros(3)
        for low in range(0, draws, DRAWS_PER_BATCH):
            some = min(DRAWS_PER_BATCH, draws - low)
            weights = rng.dirichlet([prior, *[1.0] * len(difference)], some)
            won += winners(shares(weights, difference, rope))
        better[b, a], equal[a, b], better[a, b] = won / draws
        equal[b, a] = equal[a, b]
    return BayesianSignedRank(ranks, rope, better, equal, min_probability)


def shares(weights: F64, differences: F64, rope: float) -> F64:
    """Shares of worse, equal and better for each row (draw) of weights; column 0 is the prior's."""
    z = np.concatenate(([0.0], differences))
    sums = z[:, None] + z[None, :]
    edge = 2 * rope
    # Scores that differ by one rope are at the edge in any unit; their differences show it up to
    # rounding.
    above, below = (
        np.where(np.isclose(s, edge, rtol=RELATIVE_TOLERANCE, atol=0), 0.5, s > edge)
        for s in (sums, -sums)
    )
    better = ((weights @ above) * weights).sum(axis=1)
    worse = ((weights @ below) * weights).sum(axis=1)
    return np.stack([worse, 1 - worse - better if rope > 0 else 0 * worse, better], axis=1)


def winners(drawn: F64) -> F64:
    """Number of draws won by each of worse, equal, better; ties are shared."""
    top = np.isclose(drawn, drawn.max(axis=1, keepdims=True), rtol=0, atol=1e-12)
    won: F64 = (top / top.sum(axis=1, keepdims=True)).sum(axis=0)
    return won

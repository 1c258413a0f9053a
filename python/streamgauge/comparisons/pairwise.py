"""Result of a test of every pair of learners."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from streamgauge.comparisons.ranks import Ranks
from streamgauge.types import F64, Flags


@dataclass(frozen=True, slots=True)
class Pairwise:
    """Result of a test of every pair of learners.

    `p` is corrected for the number of pairs, `p_uncorrected` is not (NaN if the test has none);
    both are symmetric with NaN on the diagonal. `signs` is 1 where the test's statistic is in
    favour of the learner of the row, -1 of the column. `critical_difference` of mean ranks, if
    the test has one.
    """

    test: str
    ranks: Ranks
    p: F64
    p_uncorrected: F64
    signs: F64
    alpha: float
    critical_difference: float | None = None

    @property
    def learners(self) -> tuple[str, ...]:
        """Names of the learners."""
        return self.ranks.table.learners

    @property
    def mean_ranks(self) -> F64:
        """The mean rank of each learner."""
        return self.ranks.mean

    @property
    def different(self) -> Flags:
        """Which pairs differ at the level alpha."""
        with np.errstate(invalid="ignore"):
            different: Flags = self.p < self.alpha
        return different

    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The sets of learners that do not differ from each other, best ranks first.

        A set has two or more learners and is not part of a larger one. These are the bars of a
        critical difference diagram. Members are in order of mean rank.
        """
        place = {learner: i for i, learner in enumerate(self.ranks.best_first)}
        same = ~self.different
        np.fill_diagonal(same, False)
        found = [sorted(c, key=place.__getitem__) for c in _cliques(same) if len(c) > 1]
        return tuple(tuple(c) for c in sorted(found, key=lambda c: [place[i] for i in c]))

    def better(self) -> tuple[tuple[str, str, float], ...]:
        """Every pair that differs: the better learner, the worse one, p; smallest p first.

        The better one is that of the pair's own test; its mean rank may be the worse one, since
        mean ranks depend on the other learners.
        """
        order = self.ranks.best_first
        found = [
            (self.learners[a], self.learners[b], float(self.p[a, b]))
            for a in order
            for b in order
            if self.signs[a, b] > 0 and self.different[a, b]
        ]
        return tuple(sorted(found, key=lambda pair: pair[2]))

    def to_text(self) -> str:
        """The result as text."""
        pairs = math.comb(len(self.learners), 2)
        found = self.better()
        head = f"{self.test}, level {self.alpha:g}, {pairs} {'pair' if pairs == 1 else 'pairs'}: "
        if not found:
            return f"{head}no two learners differ significantly."
        statements = "; ".join(f"{a} is better than {b} (p = {p:.3g})" for a, b, p in found)
        rest = pairs - len(found)
        left = (
            f"; {rest} {'pair does' if rest == 1 else 'pairs do'} not differ significantly"
            if rest
            else ""
        )
        return f"{head}{statements}{left}."


def symmetric(learners: int, upper: list[float]) -> F64:
    """A matrix from its upper triangle, row by row; NaN on the diagonal."""
    p = np.full((learners, learners), np.nan)
    p[np.triu_indices(learners, 1)] = upper
    whole: F64 = np.fmin(p, p.T)
    return whole


def _cliques(connected: Flags) -> Iterator[set[int]]:
    """Maximal cliques of a graph (Bron and Kerbosch, with a pivot)."""
    neighbours = [set(np.flatnonzero(row).tolist()) for row in connected]
    todo: list[tuple[set[int], set[int], set[int]]] = [(set(), set(range(len(neighbours))), set())]
    while todo:
        inside, open_, done = todo.pop()
        if not open_ and not done:
            yield inside
            continue
        pivot = max(open_ | done, key=lambda v: len(neighbours[v] & open_))
        for v in sorted(open_ - neighbours[pivot]):
            todo.append((inside | {v}, open_ & neighbours[v], done & neighbours[v]))
            open_ = open_ - {v}
            done = done | {v}

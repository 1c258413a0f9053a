"""Ranks of learners, stream by stream and on average."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge.comparisons._scores import Scores, check_comparable
from streamgauge.types import F64

RELATIVE_TOLERANCE = 1e-9
"""Relative difference below which scores are equal, to ignore rounding."""


@dataclass(frozen=True, slots=True)
class Ranks:
    """Rank of each learner on each stream (1 is best, ties share), and the mean."""

    table: Scores
    by_stream: F64

    @property
    def mean(self) -> F64:
        """The mean rank of each learner."""
        mean: F64 = self.by_stream.mean(axis=0)
        return mean

    @property
    def best_first(self) -> tuple[int, ...]:
        """Indices of the learners in the table, best mean rank first."""
        return tuple(int(i) for i in np.argsort(self.mean, kind="stable"))

    @property
    def wins(self) -> F64:
        """Number of streams on which each learner is best; ties are shared."""
        first = self.by_stream == self.by_stream.min(axis=1, keepdims=True)
        wins: F64 = (first / first.sum(axis=1, keepdims=True)).sum(axis=0)
        return wins

    def to_text(self) -> str:
        """The ranks as text."""
        listed = ", ".join(f"{self.table.learners[i]} {self.mean[i]:.2f}" for i in self.best_first)
        return f"Mean ranks over {len(self.table.streams)} streams (1 is best): {listed}."


def rank(table: Scores) -> Ranks:
    """Rank the learners on each stream; ties get the mean of their ranks.

    Examples
    --------
    >>> table = Scores(("a", "b", "c"), ("x", "y"), [[0.9, 0.8, 0.8], [0.5, 0.7, 0.6]])
    >>> rank(table).by_stream
    array([[1. , 2.5, 2.5],
           [3. , 1. , 2. ]])
    >>> rank(table).to_text()
    'Mean ranks over 2 streams (1 is best): b 1.75, a 2.00, c 2.25.'

    References
    ----------
    Demšar. Statistical comparisons of classifiers over multiple data sets. JMLR 7 (2006).
    """
    check_comparable("rank", table)
    return Ranks(table, np.array([ranked(-row) for row in table.oriented_values]))


def dense_ranks(values: F64) -> F64:
    """Rank of each value among the distinct ones, from 0; equal within RELATIVE_TOLERANCE.

    Examples
    --------
    >>> dense_ranks(np.array([0.3, 0.1 + 0.2, -1.0, np.inf]))
    array([1., 1., 0., 2.])
    """
    order = np.argsort(values, kind="stable")
    up = values[order]
    with np.errstate(invalid="ignore"):
        gap = up[1:] - up[:-1]
        tolerance = RELATIVE_TOLERANCE * np.maximum(np.abs(up[1:]), np.abs(up[:-1]))
        new = np.where(np.isfinite(tolerance), gap > tolerance, up[1:] != up[:-1])
    place = np.empty(len(values))
    place[order] = np.concatenate(([0.0], np.cumsum(new)))[: len(values)]
    return place


def ranked(values: F64) -> F64:
    """Ranks from 1 for the smallest value up; ties share the mean of their ranks.

    Examples
    --------
    >>> ranked(np.array([5.0, 1.0, 5.0]))
    array([2.5, 1. , 2.5])
    """
    place = dense_ranks(values).astype(np.int64)
    count = np.bincount(place, minlength=1)
    last = np.cumsum(count)
    middle: F64 = (last - (count - 1) / 2)[place]
    return middle

"""Pairs of items that scores put in the right order, counted."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TypeAlias

import numpy as np

from streamgauge._core import Rankings as Core
from streamgauge.log import Pairs
from streamgauge.summaries.folding import ColdStart, Snapshots, Terms, scores
from streamgauge.types import F64, I64, Value

Contest: TypeAlias = tuple[int, int | None]
"""A class by whose score items are ranked, and the class it is told from (None: all others)."""


@dataclass(frozen=True)
class Ranking:
    """For each contest how many items are on either side, and how many pairs are in order.

    A tie is half a pair in order. The first axis is the contest.
    """

    classes: tuple[Value, ...]
    contests: tuple[Contest, ...]
    positives: F64
    negatives: F64
    wins: F64

    @classmethod
    def of(cls, label: object, scores: object, parts: frozenset[str]) -> Ranking:
        """Of some labels (codes) and scores."""
        s = np.ascontiguousarray(scores, np.float64)
        contests = contests_of(parts, s.shape[1])
        core = Core(s.shape[1], [("whole", 0.0)], 2**62, contests, "skip")
        core.push(np.asarray(label, np.int32), np.full(len(s), -1, np.int32), s)
        ((_, stack),) = core.finish()
        classes = tuple(range(s.shape[1]))
        return cls(classes, tuple(contests), *np.split(stack[:, 0], 3))

    def auc(self, contest: Contest) -> F64:
        """The share of pairs in order; 0/0 if a side is empty."""
        nth = self.contests.index(contest)
        value: F64 = self.wins[nth] / (self.positives[nth] * self.negatives[nth])
        return value


def contests_of(parts: frozenset[str], classes: int) -> list[Contest]:
    """The contests that are wanted.

    `rest`: each class against all others, of two classes the second only. `each`: each class
    against all others. `pairs`: each class against each other class.
    """
    wanted: dict[Contest, None] = {}
    if "rest" in parts:
        wanted |= dict.fromkeys(
            [(1, None)] if classes == 2 else [(c, None) for c in range(classes)]
        )
    if "each" in parts:
        wanted |= dict.fromkeys((c, None) for c in range(classes))
    if "pairs" in parts:
        wanted |= dict.fromkeys(permutations(range(classes), 2))
    return list(wanted)


class RankingFolding:
    """Ranks scores over many windows, in one pass. An item without scores is skipped."""

    def __init__(self, terms: Terms, parts: frozenset[str]) -> None:
        self._terms = terms
        self._contests = contests_of(parts, terms.classes)
        self.cold_start: ColdStart = "skip"
        if terms.cold_start == "default_class":
            self.cold_start = "default_class"
        self._core = Core(
            terms.classes,
            list(terms.windows),
            terms.every,
            self._contests,
            self.cold_start,
            terms.room,
        )

    def push(self, pairs: Pairs) -> int:
        """Take in a batch; how many of its labels are known."""
        return self._core.push(
            np.ascontiguousarray(pairs.label, np.int32),
            np.ascontiguousarray(pairs.answer, np.int32),
            scores(pairs, self._terms.classes),
        )

    def coverage(self) -> tuple[int, int]:
        """How many known labels there were, and how many of them without scores."""
        return self._core.coverage()

    def take(self) -> list[Snapshots[Ranking]]:
        """The snapshots of each window since they were last taken."""
        return self._named(self._core.take())

    def finish(self) -> list[Snapshots[Ranking]]:
        """The rest of the snapshots."""
        return self._named(self._core.finish())

    def _named(self, stacks: list[tuple[I64, F64]]) -> list[Snapshots[Ranking]]:
        classes = self._terms.schema.classes or ()
        contests = tuple(self._contests)
        return [
            Snapshots(at, Ranking(classes, contests, *np.split(stack, 3))) for at, stack in stacks
        ]

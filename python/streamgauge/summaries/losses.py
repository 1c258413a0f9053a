"""What scores lose, summed up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from streamgauge._core import Losses as Core
from streamgauge.log import Pairs
from streamgauge.summaries.folding import ColdStart, Snapshots, Terms, scores, weights
from streamgauge.types import F64, I64, Value


class Bins(NamedTuple):
    """Answers by confidence, the first axis the bin: how many, how sure, how many right."""

    answers: F64
    confidence: F64
    correct: F64


@dataclass(frozen=True)
class Losses:
    """Sums of losses, or a stack of such.

    `log` and `brier` are sums over `total` items; `clipped` is `log` of scores that were made
    to sum to 1 and kept off 0. `bins` has a table for each number of bins that was asked for.
    """

    classes: tuple[Value, ...]
    total: F64
    log: F64
    clipped: F64
    brier: F64
    bins: Mapping[int, Bins]

    @classmethod
    def of(cls, label: object, scores: object, bins: int = 10) -> Losses:
        """Of some labels (codes) and scores; the class with the highest score is the answer."""
        s = np.ascontiguousarray(scores, np.float64)
        core = Core(s.shape[1], [("whole", 0.0)], 2**62, [bins], "skip")
        none = np.full(len(s), -1, np.int32)
        core.push(np.asarray(label, np.int32), none, s)
        ((_, stack),) = core.finish()
        return _losses(tuple(range(s.shape[1])), [bins], stack[:, 0])


class LossesFolding:
    """Sums up what scores lose over many windows, in one pass.

    An item without scores cannot be counted as wrong by so and so much: it is skipped.
    """

    def __init__(self, terms: Terms, parts: frozenset[str]) -> None:
        self._terms = terms
        self._bins = sorted(int(p.removeprefix("bins:")) for p in parts)
        self.cold_start: ColdStart = "skip"
        if terms.cold_start == "default_class":
            self.cold_start = "default_class"
        self._core = Core(
            terms.classes,
            list(terms.windows),
            terms.every,
            self._bins,
            self.cold_start,
            terms.weighted,
            terms.room,
        )

    def push(self, pairs: Pairs) -> int:
        """Take in a batch; how many of its labels are known."""
        return self._core.push(
            np.ascontiguousarray(pairs.label, np.int32),
            np.ascontiguousarray(pairs.answer, np.int32),
            scores(pairs, self._terms.classes),
            weights(pairs) if self._terms.weighted else None,
        )

    def coverage(self) -> tuple[int, int]:
        """How many known labels there were, and how many of them without scores."""
        return self._core.coverage()

    def take(self) -> list[Snapshots[Losses]]:
        """The snapshots of each window since they were last taken."""
        return self._named(self._core.take())

    def finish(self) -> list[Snapshots[Losses]]:
        """The rest of the snapshots."""
        return self._named(self._core.finish())

    def _named(self, stacks: list[tuple[I64, F64]]) -> list[Snapshots[Losses]]:
        classes = self._terms.schema.classes or ()
        return [Snapshots(at, _losses(classes, self._bins, stack)) for at, stack in stacks]


def _losses(classes: tuple[Value, ...], bins: list[int], stack: F64) -> Losses:
    total, _, log, clipped, brier = stack[:5]
    tables: dict[int, Bins] = {}
    start = 5
    for m in bins:
        tables[m] = Bins(*(stack[start + i * m : start + (i + 1) * m] for i in range(3)))
        start += 3 * m
    return Losses(classes, total, log, clipped, brier, tables)

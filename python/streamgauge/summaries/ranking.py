"""Counts of pairs of items that scores put in the right order."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TypeAlias

import numpy as np

from streamgauge._core import Rankings as Core
from streamgauge.log import LabelledPredictions
from streamgauge.summaries._builder import ColdStart, Snapshots, SummaryOptions, scores
from streamgauge.types import F64, I64, Value

ClassPair: TypeAlias = tuple[int, int | None]
"""The positive class, by whose score items are ranked, and the negative one (None: all others)."""


@dataclass(frozen=True)
class Ranking:
    """Counts for each pair of a positive and a negative class; the first axis is the pair.

    `positives` and `negatives` count the items of either side, `ordered` the pairs of items in
    which the positive one has the higher score; a tie counts half.
    """

    classes: tuple[Value, ...]
    class_pairs: tuple[ClassPair, ...]
    positives: F64
    negatives: F64
    ordered: F64

    @classmethod
    def of(cls, label: object, scores: object, parts: frozenset[str]) -> Ranking:
        """From labels (codes) and scores."""
        s = np.ascontiguousarray(scores, np.float64)
        class_pairs = class_pairs_of(parts, s.shape[1])
        core = Core(s.shape[1], [("whole", 0.0)], 2**62, class_pairs, "skip")
        core.push(np.asarray(label, np.int32), np.full(len(s), -1, np.int32), s)
        ((_, stack),) = core.finish()
        classes = tuple(range(s.shape[1]))
        return cls(classes, tuple(class_pairs), *np.split(stack[:, 0], 3))


def class_pairs_of(parts: frozenset[str], classes: int) -> list[ClassPair]:
    """The class pairs that some parts of the summary consist of.

    `rest`: each class against all others; only the second of two classes. `each`: each class
    against all others. `pairs`: each class against each other class.
    """
    wanted: dict[ClassPair, None] = {}
    if "rest" in parts:
        wanted |= dict.fromkeys(
            [(1, None)] if classes == 2 else [(c, None) for c in range(classes)]
        )
    if "each" in parts:
        wanted |= dict.fromkeys((c, None) for c in range(classes))
    if "pairs" in parts:
        wanted |= dict.fromkeys(permutations(range(classes), 2))
    return list(wanted)


class RankingBuilder:
    """Counts ordered pairs over many windows, in one pass; an item without scores is skipped."""

    def __init__(self, options: SummaryOptions, parts: frozenset[str]) -> None:
        self._options = options
        self._class_pairs = class_pairs_of(parts, options.classes)
        self.cold_start: ColdStart = "skip"
        if options.cold_start == "default_class":
            self.cold_start = "default_class"
        self._core = Core(
            options.classes,
            list(options.windows),
            options.every,
            self._class_pairs,
            self.cold_start,
            options.expected_snapshots,
        )

    def push(self, batch: LabelledPredictions) -> int:
        """Add a batch; returns how many of its labels are known."""
        return self._core.push(
            np.ascontiguousarray(batch.label, np.int32),
            np.ascontiguousarray(batch.prediction, np.int32),
            scores(batch, self._options.classes),
        )

    def coverage(self) -> tuple[int, int]:
        """Number of known labels, and how many of those items have no scores."""
        return self._core.coverage()

    def take(self) -> list[Snapshots[Ranking]]:
        """The snapshots of each window since the last call."""
        return self._snapshots(self._core.take())

    def finish(self) -> list[Snapshots[Ranking]]:
        """The remaining snapshots."""
        return self._snapshots(self._core.finish())

    def _snapshots(self, stacks: list[tuple[I64, F64]]) -> list[Snapshots[Ranking]]:
        classes = self._options.schema.classes or ()
        class_pairs = tuple(self._class_pairs)
        return [
            Snapshots(at, Ranking(classes, class_pairs, *np.split(stack, 3)))
            for at, stack in stacks
        ]

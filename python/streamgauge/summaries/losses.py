"""Sums of the losses of scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from streamgauge._core import Losses as Core
from streamgauge.log import LabelledPredictions
from streamgauge.summaries._builder import ColdStart, Snapshots, SummaryOptions, scores, weights
from streamgauge.types import F64, I64, Value


class Bins(NamedTuple):
    """Predictions by confidence: count, sum of confidences, correct ones; first axis: bin."""

    predictions: F64
    confidence: F64
    correct: F64


@dataclass(frozen=True)
class Losses:
    """Sums of losses over `total` items, or a stack of such sums.

    With s the scores of an item and y its label: `negative_log` sums -ln s(y),
    `negative_log_clipped` the same with scores divided by their sum and clipped away from 0 and 1,
    `squared` sums (s(i) - [y = i])^2 over items and classes i. `bins` has a table for each
    requested number of bins.
    """

    classes: tuple[Value, ...]
    total: F64
    negative_log: F64
    negative_log_clipped: F64
    squared: F64
    bins: Mapping[int, Bins]

    @classmethod
    def of(cls, label: object, scores: object, bins: int = 10) -> Losses:
        """From labels (codes) and scores; the class with the highest score is the prediction."""
        s = np.ascontiguousarray(scores, np.float64)
        core = Core(s.shape[1], [("whole", 0.0)], 2**62, [bins], "skip")
        none = np.full(len(s), -1, np.int32)
        core.push(np.asarray(label, np.int32), none, s)
        ((_, stack),) = core.finish()
        return _losses(tuple(range(s.shape[1])), [bins], stack[:, 0])


class LossesBuilder:
    """Sums the losses of scores over many windows, in one pass.

    An item without scores has no loss and is skipped.
    """

    def __init__(self, options: SummaryOptions, parts: frozenset[str]) -> None:
        self._options = options
        self._bins = sorted(int(p.removeprefix("bins:")) for p in parts)
        self.cold_start: ColdStart = "skip"
        if options.cold_start == "default_class":
            self.cold_start = "default_class"
        self._core = Core(
            options.classes,
            list(options.windows),
            options.every,
            self._bins,
            self.cold_start,
            options.weighted,
            options.expected_snapshots,
        )

    def push(self, batch: LabelledPredictions) -> int:
        """Add a batch; returns how many of its labels are known."""
        return self._core.push(
            np.ascontiguousarray(batch.label, np.int32),
            np.ascontiguousarray(batch.prediction, np.int32),
            scores(batch, self._options.classes),
            weights(batch) if self._options.weighted else None,
        )

    def coverage(self) -> tuple[int, int]:
        """Number of known labels, and how many of those items have no scores."""
        return self._core.coverage()

    def take(self) -> list[Snapshots[Losses]]:
        """The snapshots of each window since the last call."""
        return self._snapshots(self._core.take())

    def finish(self) -> list[Snapshots[Losses]]:
        """The remaining snapshots."""
        return self._snapshots(self._core.finish())

    def _snapshots(self, stacks: list[tuple[I64, F64]]) -> list[Snapshots[Losses]]:
        classes = self._options.schema.classes or ()
        return [Snapshots(at, _losses(classes, self._bins, stack)) for at, stack in stacks]


def _losses(classes: tuple[Value, ...], bins: list[int], stack: F64) -> Losses:
    total, _, negative_log, negative_log_clipped, squared = stack[:5]
    tables: dict[int, Bins] = {}
    start = 5
    for m in bins:
        tables[m] = Bins(*(stack[start + i * m : start + (i + 1) * m] for i in range(3)))
        start += 3 * m
    return Losses(classes, total, negative_log, negative_log_clipped, squared, tables)

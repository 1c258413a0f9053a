"""A measure over time steps: batches of a log, counted from a drift."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from streamgauge.log import LabelledPredictions, Log
from streamgauge.log.labelled_predictions import known_rows, previous_labels
from streamgauge.measures._measure import Measure
from streamgauge.measures._pass import one_pass
from streamgauge.measures._positions import prediction_order
from streamgauge.summaries._builder import ColdStart, SummaryOptions
from streamgauge.types import F64, U64
from streamgauge.windows import Sliding


class Steps:
    """A measure over steps of `batch` rows, one beginning every `every` rows.

    Rows are the predictions with known labels, in the order of the items. `every` divides `batch`.
    """

    def __init__(
        self, log: Log, measure: Measure[Any], batch: int, every: int, cold_start: ColdStart
    ) -> None:
        self._schema, self._measure, self._cold_start = log.schema, measure, cold_start
        self._batch, self._every = batch, every
        self._pairs = list(known_rows(prediction_order(log.labelled_predictions())))
        none = np.empty(0, np.uint64)
        self.items: U64 = np.concatenate([none, *(pairs.items for pairs in self._pairs)])
        """The item of each row."""
        self._values: dict[int, F64] = {}

    def around(self, row: int) -> tuple[int, F64]:
        """The number of whole steps before a row, and all steps, one of which begins with it."""
        phase = row % self._every
        if phase not in self._values:
            self._values[phase] = self._computed(phase)
        return (row - phase) // self._every, self._values[phase]

    def _computed(self, phase: int) -> F64:
        """The values of the whole steps that begin at the rows phase, phase + every, …."""
        rows = len(self.items) - phase
        count = (rows - self._batch) // self._every + 1 if rows >= self._batch else 0
        if count <= 0:
            return np.empty(0)
        window = Sliding(self._batch)
        options = SummaryOptions(self._schema, (window.spec,), self._every, self._cold_start)
        (curve,) = one_pass(
            self._from(phase), options, [self._measure], [window], "predicted", "items", rows
        )
        first = self._batch // self._every - 1  # of the windows that are full
        return curve.value[first : first + count]

    def _from(self, phase: int) -> Iterator[LabelledPredictions]:
        """The rows from `phase` on, which know the label before them."""
        if not phase:
            yield from self._pairs
            return
        passed = 0
        for pairs, previous in previous_labels(self._pairs):
            rows = replace(pairs, previous=previous)
            start = min(max(phase - passed, 0), len(rows))
            passed += len(rows)
            if start < len(rows):
                yield rows.slice(start, len(rows))

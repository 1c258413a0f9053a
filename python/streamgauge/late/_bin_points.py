"""The values of a measure in each bin, kept after every so many labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamgauge.log import LabelledPredictions
from streamgauge.measures._measure import Measure
from streamgauge.summaries._builder import Snapshots
from streamgauge.types import F64, I64


class BinPoints:
    """Values of all bins after every `every`-th label and after the last one.

    Summaries are counted in rows. Folds share the item and its label, so a label may have several
    rows; the point is after the last of them. A tumbling window has its own points: the ends of
    its blocks of rows. `columns` is B + 2: B bins, the first and the last prediction.
    """

    def __init__(self, measure: Measure[Any], every: int, tumbling: bool, columns: int) -> None:
        self._measure = measure
        self._every = every
        self._tumbling = tumbling
        self._before = 0
        self._label = np.empty(0, np.int64)
        self._time = np.empty(0, np.int64)
        self._due = np.empty(0, np.bool_)
        self._at = [np.empty(0, np.int64)]
        self._times = [np.empty(0, np.int64)]
        self._values = [[np.empty(0)] for _ in range(columns)]
        self._latest = [np.empty(0) for _ in range(columns)]

    def advance(self, labelled: LabelledPredictions) -> None:
        """Go on to the next batch, which has all rows of its labels."""
        items = labelled.items
        last = np.append(items[1:] != items[:-1], True)
        labels = int(self._label[-1]) if len(self._label) else 0
        self._before += len(self._label)
        self._label = labels + 1 + np.cumsum(last) - last
        self._time = items.astype(np.int64) if labelled.time is None else labelled.time
        self._due = last & (self._label % self._every == 0)

    def add(self, bin: int, taken: Snapshots[Any]) -> None:
        """Add the snapshots of a bin in this batch."""
        row = taken.at - self._before - 1
        self._keep(bin, taken, np.ones(len(row), np.bool_) if self._tumbling else self._due[row])

    def finish(self, bin: int, rest: Snapshots[Any]) -> None:
        """Add the point after the last label, if there is none yet."""
        if len(rest.at):
            self._keep(bin, rest, np.ones(len(rest.at), np.bool_))
        elif len(self._due) and not self._tumbling and not self._due[-1]:
            self._append(bin, np.array([len(self._due) - 1]), self._latest[bin])

    def columns(self) -> tuple[I64, I64, F64]:
        """Number of labels and time of each point, and its values, one column per bin."""
        values = [np.concatenate(parts) for parts in self._values]
        return np.concatenate(self._at), np.concatenate(self._times), np.stack(values, axis=1)

    def _keep(self, bin: int, taken: Snapshots[Any], kept: np.ndarray) -> None:
        if len(taken.at):
            value = np.atleast_1d(self._measure.over(taken.stack))
            self._latest[bin] = value[-1:].copy()  # not a view, which holds all
            self._append(bin, taken.at[kept] - self._before - 1, value[kept])

    def _append(self, bin: int, row: I64, value: F64) -> None:
        self._values[bin].append(value)
        if bin == 0:
            self._at.append(self._label[row])
            self._times.append(self._time[row])

"""Positions of the points of a curve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from streamgauge.log import LabelledPredictions, Log
from streamgauge.log.labelled_predictions import previous_labels
from streamgauge.types import I64, U64, Axis, Flags, missing


def axis_of(log: Log, clock: str = "label") -> Axis:
    """The unit in which the points of curves over this log are counted."""
    return "items" if clock == "predicted" or log.tables.labels_in_order else "labels"


class Positions:
    """Position on the axis of each pair after which a curve may have a point.

    If every label has one prediction and no item is left out, the position is the number of the
    pair and nothing is stored.
    """

    def __init__(self, axis: Axis, every: int, windows: tuple[tuple[str, float], ...]) -> None:
        self._axis = axis
        self._steps = {every, *(int(size) for kind, size in windows if kind == "tumbling")}
        self._counted = 0
        self._labels = 0
        self._last = -1
        self._plain = True
        self._rows: list[I64] = []
        self._positions: list[I64] = []

    def position(self, batch: LabelledPredictions, row: int) -> int:
        """The position of a row of the next batch."""
        if batch.position is not None:
            return int(batch.position[row])
        if self._axis == "labels":
            return self._labels + int(self._new(batch.slice(0, row + 1)).sum())
        return int(batch.first + row if batch.item is None else batch.item[row]) + 1

    def advance(self, batch: LabelledPredictions, known: int) -> None:
        """Advance by a batch with `known` known labels."""
        if not len(batch):
            return
        positions: I64 | U64 | None
        if batch.position is not None:
            self._keep(batch, known, batch.position - (self._axis == "items"))
            self._counted += known
            return
        if self._axis == "labels":
            new = self._new(batch)
            plain = bool(new.all())
            positions = None if plain and self._plain else self._labels + np.cumsum(new)
            self._labels += int(new.sum())
            self._last = int(batch.items[-1])
        else:
            plain = batch.item is None and batch.first == self._counted
            positions = None if plain and self._plain else batch.items
        if positions is not None or known < len(batch):
            self._keep(batch, known, positions)
        self._counted += known

    def of(self, rows: I64) -> I64:
        """The positions of the points after these numbers of labelled predictions."""
        if self._plain:
            return rows
        kept = np.concatenate(self._rows)
        positions = np.concatenate(self._positions)
        return positions[np.searchsorted(kept, rows)]

    def _new(self, batch: LabelledPredictions) -> Flags:
        """Which rows have another item than the row above; folds share the item and its label."""
        items = batch.items
        new = np.empty(len(items), np.bool_)
        new[1:] = items[1:] != items[:-1]
        new[0] = int(items[0]) != self._last
        return new

    def _keep(self, batch: LabelledPredictions, known: int, positions: I64 | U64 | None) -> None:
        if self._plain and self._counted:  # those so far were not stored
            so_far = self._due(0, self._counted)
            self._rows.append(so_far)
            self._positions.append(so_far)
        self._plain = False
        if positions is None:
            positions = np.arange(self._counted, self._counted + len(batch)) + (
                self._axis == "labels"
            )
        if known < len(batch):
            positions = positions[~missing(batch.label)]
        rows = self._due(self._counted, self._counted + known)
        self._rows.append(rows)
        due = positions[rows - self._counted - 1].astype(np.int64)
        self._positions.append(due + (self._axis == "items"))  # items are counted from 0

    def _due(self, start: int, end: int) -> I64:
        """Those from `start` to `end` after which a point may be, always including the last."""
        due = [np.arange(start - start % s + s, end + 1, s) for s in self._steps]
        last = [np.array([end])] if end > start else []
        return np.unique(np.concatenate([*due, *last])).astype(np.int64)


def prediction_order(batches: Iterator[LabelledPredictions]) -> Iterator[LabelledPredictions]:
    """The same rows in the order the items arrived; holds all of them in memory."""
    stored = list(batches)
    if any(b.position is not None for b in stored):  # of tests, which are in that order
        yield from stored
        return
    if all(b.item is None for b in stored):
        yield from stored
        return
    if any(b.previous is not None for b in stored):
        stored = [replace(batch, previous=before) for batch, before in previous_labels(stored)]
    whole = LabelledPredictions.concatenate(stored)
    yield whole.take(np.argsort(whole.items, kind="stable"))

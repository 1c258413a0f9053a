"""Where in the stream the points of a curve are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from streamgauge.log import Log, Pairs
from streamgauge.log.pairs import previous_labels
from streamgauge.types import I64, U64, Axis, Flags, missing


def axis_of(log: Log, clock: str = "label") -> Axis:
    """What the points of curves over this log are counted in."""
    return "items" if clock == "said" or log.tables.labels_in_order else "labels"


class Clock:
    """Keeps, for the pairs after which a point may be, where on the axis it is.

    Where every label has one prediction and no item is left out that is the number of the pair
    itself, and nothing is kept.
    """

    def __init__(self, axis: Axis, every: int, windows: tuple[tuple[str, float], ...]) -> None:
        self._axis = axis
        self._steps = {every, *(int(size) for kind, size in windows if kind == "tumbling")}
        self._pairs = 0
        self._labels = 0
        self._last = -1
        self._plain = True
        self._rows: list[I64] = []
        self._places: list[I64] = []

    def place(self, batch: Pairs, row: int) -> int:
        """Where a row of the next batch is."""
        if self._axis == "labels":
            return self._labels + int(self._new(batch.slice(0, row + 1)).sum())
        return int(batch.first + row if batch.item is None else batch.item[row]) + 1

    def passed(self, batch: Pairs, known: int) -> None:
        """A batch has gone by, with so many known labels."""
        if not len(batch):
            return
        places: I64 | U64 | None
        if self._axis == "labels":
            new = self._new(batch)
            plain = bool(new.all())
            places = None if plain and self._plain else self._labels + np.cumsum(new)
            self._labels += int(new.sum())
            self._last = int(batch.items[-1])
        else:
            plain = batch.item is None and batch.first == self._pairs
            places = None if plain and self._plain else batch.items
        if places is not None or known < len(batch):
            self._keep(batch, known, places)
        self._pairs += known

    def of(self, rows: I64) -> I64:
        """Where the points after so many pairs are."""
        if self._plain:
            return rows
        kept = np.concatenate(self._rows)
        places = np.concatenate(self._places)
        return places[np.searchsorted(kept, rows)]

    def _new(self, batch: Pairs) -> Flags:
        """Which rows are of another label than the row above: copies share one."""
        items = batch.items
        new = np.ones(len(items), np.bool_)
        new[1:] = items[1:] != items[:-1]
        new[0] = int(items[0]) != self._last
        return new

    def _keep(self, batch: Pairs, known: int, places: I64 | U64 | None) -> None:
        if self._plain and self._pairs:  # what went by so far was plain
            passed = self._due(0, self._pairs)
            self._rows.append(passed)
            self._places.append(passed)
        self._plain = False
        if places is None:
            places = np.arange(self._pairs, self._pairs + len(batch)) + (self._axis == "labels")
        if known < len(batch):
            places = places[~missing(batch.label)]
        rows = self._due(self._pairs, self._pairs + known)
        self._rows.append(rows)
        due = places[rows - self._pairs - 1].astype(np.int64)
        self._places.append(due + (self._axis == "items"))  # items are counted from 0

    def _due(self, start: int, end: int) -> I64:
        """The pairs from `start` to `end` after which a point may be; the last one may."""
        due = [np.arange(start - start % s + s, end + 1, s) for s in self._steps]
        last = [np.array([end])] if end > start else []
        return np.unique(np.concatenate([*due, *last])).astype(np.int64)


def said_order(batches: Iterator[Pairs]) -> Iterator[Pairs]:
    """The same rows in the order the items came. Holds all of them in memory."""
    held = list(batches)
    if all(b.item is None for b in held):
        yield from held
        return
    if any(b.previous is not None for b in held):
        held = [replace(batch, previous=before) for batch, before in previous_labels(held)]
    whole = Pairs.concatenate(held)
    yield whole.take(np.argsort(whole.items, kind="stable"))

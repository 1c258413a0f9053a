"""Where in the stream the points of a curve are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from streamgauge.log import Pairs
from streamgauge.types import I64, Schema, missing


class Clock:
    """Keeps, for the labels after which a point may be, how many items had come by then.

    In a plain log that is the number of the label itself, and nothing is kept.
    """

    def __init__(
        self, schema: Schema, every: int, windows: tuple[tuple[str, float], ...], clock: str
    ) -> None:
        self._by_time = clock == "label" and schema.clock == "item"
        self._steps = {every, *(int(size) for kind, size in windows if kind == "tumbling")}
        self._labels = 0
        self._plain = True
        self._rows: list[I64] = []
        self._items: list[I64] = []

    def passed(self, batch: Pairs, known: int) -> None:
        """A batch has gone by, with so many known labels."""
        where = _positions(batch, self._by_time)
        whole = known == len(batch)
        if not (where is None and whole and batch.first == self._labels and self._plain):
            self._keep(batch, known, where)
        self._labels += known

    def of(self, rows: I64) -> I64:
        """How many items had come when so many labels were known."""
        if self._plain:
            return rows
        kept = np.concatenate(self._rows)
        items = np.concatenate(self._items)
        return items[np.searchsorted(kept, rows)]

    def _keep(self, batch: Pairs, known: int, where: I64 | None) -> None:
        if self._plain and self._labels:  # what went by so far was plain
            passed = self._due(0, self._labels)
            self._rows.append(passed)
            self._items.append(passed)
        self._plain = False
        items = np.arange(batch.first, batch.first + len(batch)) + 1 if where is None else where
        if known < len(batch):
            label = batch.label
            items = items[~missing(label)]
        rows = self._due(self._labels, self._labels + known)
        self._rows.append(rows)
        self._items.append(items[rows - self._labels - 1])

    def _due(self, start: int, end: int) -> I64:
        """The labels from `start` to `end` after which a point may be; the last one may."""
        due = [np.arange(start - start % s + s, end + 1, s) for s in self._steps]
        last = [np.array([end])] if end > start else []
        return np.unique(np.concatenate([*due, *last])).astype(np.int64)


def _positions(batch: Pairs, by_time: bool) -> I64 | None:
    """Items that had come when each label did; None: as many as its own number says."""
    if by_time and batch.time is not None:
        return batch.time + 1
    return None if batch.item is None else batch.item.astype(np.int64) + 1


def said_order(batches: Iterator[Pairs]) -> Iterator[Pairs]:
    """The same rows in the order the items came. Holds all of them in memory."""
    held = list(batches)
    if all(b.item is None for b in held):
        yield from held
        return
    item = np.concatenate([_items(b) for b in held])
    order = np.argsort(item, kind="stable")

    def column(name: str) -> np.ndarray | None:
        parts = [getattr(b, name) for b in held]
        return None if any(p is None for p in parts) else np.concatenate(parts)[order]

    label, answer = column("label"), column("answer")
    if label is not None and answer is not None:
        yield Pairs(
            0,
            label,
            answer,
            column("scores"),
            item=item[order],
            previous=column("previous"),
            weight=column("weight"),
        )


def _items(batch: Pairs) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    if batch.item is not None:
        return batch.item
    return np.arange(batch.first, batch.first + len(batch)).astype(np.uint64)

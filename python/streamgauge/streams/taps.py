"""Streams drawn from item by item, and batches put together from them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np

from streamgauge.types import I64, NEVER, Batch


class Tap:
    """A stream's batches, and those of its items that were made but not yet taken."""

    def __init__(self, name: str, batches: Iterator[Batch]) -> None:
        self.name = name
        self.taken = 0
        self._batches = batches
        self._waiting: deque[Batch] = deque()

    def holds(self, count: int) -> int:
        """How many of the next `count` items there are."""
        held = sum(map(len, self._waiting))
        while held < count and (batch := next(self._batches, None)) is not None:
            self._waiting.append(batch)
            held += len(batch)
        return min(held, count)

    def take(self, count: int) -> Batch:
        """The next `count` items; `holds` has said that there are so many."""
        self.taken += count
        parts: list[Batch] = []
        while count:
            batch = self._waiting.popleft()
            if len(batch) > count:
                self._waiting.appendleft(batch.slice(count, len(batch)))
                batch = batch.slice(0, count)
            parts.append(batch)
            count -= len(batch)
        return Batch.concatenate(parts)


def first_lacking(served: I64, nth: int, tap: Tap) -> int:
    """The first item that the nth tap is to give but cannot; beyond the end if there is none."""
    rows = np.flatnonzero(served == nth)
    held = tap.holds(len(rows))
    return len(served) if held == len(rows) else int(rows[held])


def gathered(first: int, served: I64, taps: list[Tap]) -> Batch:
    """Each tap's next items, put in the places it serves.

    The items are timed by their new numbers; what a label was late, it stays late.
    """
    parts = []
    for nth, tap in enumerate(taps):
        rows = np.flatnonzero(served == nth)
        if len(rows):
            parts.append((rows, tap.take(len(rows))))
    count = len(served)
    [(rows, part), *others] = parts
    if others:
        x = np.empty((count, part.x.shape[1]))
        label = np.empty(count, part.label.dtype)
        for rows, part in parts:
            x[rows], label[rows] = part.x, part.label
    else:
        x, label = part.x, part.label
    due = weights = None
    if any(part.label_time is not None for _, part in parts):
        due = np.arange(first, first + count)
        for rows, part in parts:
            late = part.label_times - part.times
            due[rows] = np.where(part.label_times == NEVER, NEVER, due[rows] + late)
    if any(part.weight is not None for _, part in parts):
        weights = np.empty(count)
        for rows, part in parts:
            weights[rows] = part.weights
    return Batch(first, x, label, None, due, weights)

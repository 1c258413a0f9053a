"""Streams drawn from item by item, and batches put together from them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np

from streamgauge.streams.batches import join, label_ticks, span, ticks, weight
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
                self._waiting.appendleft(span(batch, count, len(batch)))
                batch = span(batch, 0, count)
            parts.append(batch)
            count -= len(batch)
        return parts[0] if len(parts) == 1 else join(parts)


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
            late = label_ticks(part) - ticks(part)
            due[rows] = np.where(label_ticks(part) == NEVER, NEVER, due[rows] + late)
    if any(part.weight is not None for _, part in parts):
        weights = np.empty(count)
        for rows, part in parts:
            weights[rows] = weight(part)
    return Batch(first, x, label, None, due, weights)

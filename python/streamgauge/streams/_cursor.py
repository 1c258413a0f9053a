"""Reading several streams item by item, and merging their items into batches."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from streamgauge.streams.batches import with_original_delays
from streamgauge.types import I64, Batch


class Cursor:
    """Reads a stream in portions of any size; buffers the items not yet taken."""

    def __init__(self, name: str, batches: Iterator[Batch]) -> None:
        self.name = name
        self.taken = 0
        self._batches = batches
        self._buffer: deque[Batch] = deque()

    def available(self, count: int) -> int:
        """Return how many of the next `count` items are available."""
        held = sum(map(len, self._buffer))
        while held < count and (batch := next(self._batches, None)) is not None:
            self._buffer.append(batch)
            held += len(batch)
        return min(held, count)

    def take(self, count: int) -> Batch:
        """Return the next `count` items; `available(count)` must have returned `count`."""
        self.taken += count
        parts: list[Batch] = []
        while count:
            batch = self._buffer.popleft()
            if len(batch) > count:
                self._buffer.appendleft(batch.slice(count, len(batch)))
                batch = batch.slice(0, count)
            parts.append(batch)
            count -= len(batch)
        return Batch.concatenate(parts)


def first_unavailable(served: I64, nth: int, cursor: Cursor) -> int:
    """Return the first row that the nth cursor cannot supply; `len(served)` if there is none."""
    rows = np.flatnonzero(served == nth)
    held = cursor.available(len(rows))
    return len(served) if held == len(rows) else int(rows[held])


def gather(first: int, served: I64, cursors: list[Cursor]) -> Batch:
    """Take the next items of each cursor and put them in the rows that it serves.

    The time of an item is its new number; delays are unchanged.
    """
    places, parts = [], []
    at = first
    for nth, cursor in enumerate(cursors):
        rows = np.flatnonzero(served == nth)
        if len(rows):
            places.append(rows)
            parts.append(cursor.take(len(rows)).renumber(at))
            at += len(rows)
    whole = Batch.concatenate(parts)
    times = whole.times
    if len(parts) > 1:
        order = np.argsort(np.concatenate(places))
        whole, times = whole.take(order, first), times[order]
    return with_original_delays(replace(whole, time=None), times)

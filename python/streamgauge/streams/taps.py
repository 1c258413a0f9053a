"""Streams drawn from item by item, and batches put together from them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from streamgauge.streams.batches import replaced_at
from streamgauge.types import I64, Batch


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

    The items are timed by their new numbers; all delays stay as they were.
    """
    places, parts = [], []
    at = first
    for nth, tap in enumerate(taps):
        rows = np.flatnonzero(served == nth)
        if len(rows):
            places.append(rows)
            parts.append(tap.take(len(rows)).renumber(at))
            at += len(rows)
    whole = Batch.concatenate(parts)
    times = whole.times
    if len(parts) > 1:
        order = np.argsort(np.concatenate(places))
        whole, times = whole.take(order, first), times[order]
    return replaced_at(replace(whole, time=None), times)

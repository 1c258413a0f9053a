"""A queue of items that have arrived and were not yet taken by the interpreter."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np

from streamgauge.errors import TimetableError
from streamgauge.types import F64, U64, Batch


class ItemQueue:
    """A queue of consecutive items, and the later feature rows (updates) of these items.

    Timetables are made before they are executed, so items are kept here until their chunk is.
    """

    def __init__(self) -> None:
        self._batches: deque[Batch] = deque()
        self._updates: dict[int, deque[F64]] = {}
        self.taken = 0
        """The number after the last item taken."""

    def add(self, batch: Batch) -> None:
        """Append the next batch."""
        self._batches.append(batch)

    def take(self, stop: int) -> Batch | None:
        """Remove and return the items before `stop` as one batch; None if there are none."""
        parts = list(self.take_batches(self.taken, stop))
        return Batch.concatenate(parts) if parts else None

    def take_batches(self, first: int, stop: int) -> Iterator[Batch]:
        """Remove and yield the items from `first`, the next one, to `stop` - 1, by batch."""
        if first < stop:
            self.check_next(first)
        while self.taken < stop:
            if not self._batches:
                raise TimetableError(
                    f"timetable: a chunk must be about items that have arrived, got item {stop - 1}"
                )
            batch = self._batches[0]
            low, high = self.taken - batch.first, min(stop, batch.stop) - batch.first
            part = batch.slice(low, high)
            self.taken = part.stop
            if self.taken == batch.stop:
                self._batches.popleft()
            self._add_updates(part)
            if len(part):
                yield part

    def check_next(self, first: int) -> None:
        """Refuse a chunk that does not begin with the next item."""
        if first != self.taken:
            raise TimetableError(
                f"timetable: items must be used in order, got a chunk that begins with item "
                f"{first} where item {self.taken} is next"
            )

    def peek_items(self, count: int) -> Batch | None:
        """At most `count` of the next items, which stay in the queue; None if there are none."""
        if not self._batches:
            return None
        batch = self._batches[0]
        low = self.taken - batch.first
        return batch.slice(low, min(low + count, len(batch)))

    def take_updates(self, items: Sequence[int]) -> F64 | None:
        """Remove and return the next update of each item; None for no items."""
        if not len(items):
            return None
        rows = []
        for item in items:
            updates = self._updates.get(item)
            if not updates:
                raise TimetableError(
                    f"timetable: an update must be in the stream, got one for item {item}, which "
                    "has no further update"
                )
            rows.append(updates.popleft())
        return np.ascontiguousarray(rows)

    def forget_updates(self, keep_from: int, pending: U64 | None = None) -> None:
        """Drop updates of items below `keep_from`, and of taken items not in `pending`."""
        if not self._updates:
            return
        stay = None if pending is None else set(pending.tolist())
        for item in list(self._updates):
            if item < keep_from or (stay is not None and item < self.taken and item not in stay):
                del self._updates[item]

    def _add_updates(self, part: Batch) -> None:
        if part.updates is not None:
            for item, row in zip(part.updates.item.tolist(), part.updates.x, strict=True):
                self._updates.setdefault(item, deque()).append(row)

"""Items in flight: rows that have arrived and may still be asked about or taught."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np

from streamgauge.streams.batches import join_updates, updates_of
from streamgauge.types import F64, U64, Batch, Codes


class Store:
    """A window of consecutive items; the engine adds at one end and lets go at the other."""

    def __init__(self) -> None:
        self._batches: deque[Batch] = deque()

    def add(self, batch: Batch) -> None:
        """Take the next batch in."""
        self._batches.append(batch)

    def let_go(self, keep_from: int) -> None:
        """Forget batches that lie wholly below `keep_from`."""
        while self._batches and self._batches[0].first + len(self._batches[0]) <= keep_from:
            self._batches.popleft()

    def pieces(self, first: int, stop: int) -> Iterator[Batch]:
        """The items from `first` to before `stop`, without a copy, batch by batch."""
        for batch in self._batches:
            low = max(first, batch.first)
            high = min(stop, batch.first + len(batch))
            if low < high:
                yield cut(batch, low - batch.first, high - batch.first)

    def one(self, first: int, stop: int) -> Batch:
        """The same items as one batch; copied only if they lie in several."""
        parts = list(self.pieces(first, stop))
        return parts[0] if len(parts) == 1 else joined(parts)

    def gather(self, items: U64) -> tuple[F64, Codes | F64, F64]:
        """Rows, labels and weights of items in any order."""
        whole = self.one(int(items.min()), int(items.max()) + 1)
        at = (items - np.uint64(whole.first)).astype(np.intp)
        weight = np.ones(len(items)) if whole.weight is None else whole.weight[at]
        return np.ascontiguousarray(whole.x[at]), whole.label[at], weight


def cut(batch: Batch, low: int, high: int) -> Batch:
    """Rows `low` to before `high` of a batch, as views."""
    if low == 0 and high == len(batch):
        return batch
    rows = slice(low, high)
    return Batch(
        batch.first + low,
        batch.x[rows],
        batch.label[rows],
        None if batch.time is None else batch.time[rows],
        None if batch.label_time is None else batch.label_time[rows],
        None if batch.weight is None else batch.weight[rows],
        updates_of(batch, low, high),
    )


def joined(parts: list[Batch]) -> Batch:
    """Adjacent batches as one; optional columns are there if the first part has them."""
    head = parts[0]
    return Batch(
        head.first,
        np.concatenate([p.x for p in parts]),
        np.concatenate([p.label for p in parts]),
        None
        if head.time is None
        else np.concatenate([p.time for p in parts if p.time is not None]),
        None
        if head.label_time is None
        else np.concatenate([p.label_time for p in parts if p.label_time is not None]),
        None
        if head.weight is None
        else np.concatenate([p.weight for p in parts if p.weight is not None]),
        join_updates([p.updates for p in parts]),
    )

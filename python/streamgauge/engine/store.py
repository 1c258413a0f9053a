"""Items in flight: rows that have arrived and may still be asked about or taught."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np

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
                yield batch.slice(low - batch.first, high - batch.first)

    def one(self, first: int, stop: int) -> Batch:
        """The same items as one batch; copied only if they lie in several."""
        return Batch.concatenate(list(self.pieces(first, stop)))

    def gather(self, items: U64) -> tuple[F64, Codes | F64, F64]:
        """Rows, labels and weights of items in any order."""
        whole = self.one(int(items.min()), int(items.max()) + 1)
        at = (items - np.uint64(whole.first)).astype(np.intp)
        return np.ascontiguousarray(whole.x[at]), whole.label[at], whole.weights[at]

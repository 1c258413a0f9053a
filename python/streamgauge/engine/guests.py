"""Items that wait for their labels, for learners that are driven from Python."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence

import numpy as np

from streamgauge.types import F64, I64, U64, Batch, Codes, Updates

LEAST = 64
"""Seats to begin with."""


class Guests:
    """Rows, labels and last answers of waiting items; seats are used again.

    Its size follows how many items wait, not how many have come.
    """

    def __init__(self, folds: int, classes: int | None, scores: bool) -> None:
        self._folds, self._classes, self._scored = folds, classes, scores
        self._seat: dict[int, int] = {}
        self._free: list[int] = []
        self._coming: dict[int, deque[F64]] = defaultdict(deque)
        self._x: F64 = np.empty((0, 0))
        self._weight: F64 = np.empty(0)
        self._label: Codes | F64 = np.empty(0)
        self.said: Codes | F64 = np.empty((0, folds))
        """What was last said about each, by each copy."""
        self.knew: I64 = np.empty((0, folds), np.int64)
        """How often the copy had been taught then; -1: its features have changed since."""
        self.scores: F64 | None = None

    def __len__(self) -> int:
        return len(self._seat)

    def arrive(self, batch: Batch) -> None:
        """Seat consecutive items."""
        n = len(batch)
        if not n:
            return
        if not self._x.shape[1]:
            self._open(batch)
        while len(self._free) < n:
            self._grow()
        seats = self._free[-n:][::-1]
        del self._free[-n:]
        self._seat.update(zip(range(batch.first, batch.first + n), seats, strict=True))
        self._x[seats] = batch.x
        self._label[seats] = batch.label
        self._weight[seats] = 1.0 if batch.weight is None else batch.weight
        self.knew[seats] = -1

    def expect(self, updates: Updates | None) -> None:
        """Keep new rows until they take effect."""
        if updates is not None:
            for item, row in zip(updates.item.tolist(), updates.x, strict=True):
                self._coming[item].append(row)

    def change(self, items: Sequence[int]) -> None:
        """Features change: each item's next update takes effect."""
        for item in items:
            seat = self._seat[item]
            self._x[seat] = self._coming[item].popleft()
            self.knew[seat] = -1

    def next_rows(self, items: Sequence[int]) -> F64:
        """The next update of each item, taken out."""
        return np.ascontiguousarray([self._coming[item].popleft() for item in items])

    def seats(self, items: U64) -> I64:
        """Where they sit."""
        return np.array([self._seat[item] for item in items.tolist()], np.int64)

    def rows(self, seats: I64) -> F64:
        """Their features as they are now."""
        return self._x[seats]

    def labels(self, seats: I64) -> Codes | F64:
        """Their labels."""
        return self._label[seats]

    def weights(self, seats: I64) -> F64:
        """Their weights."""
        return self._weight[seats]

    def leave(self, left: U64) -> None:
        """Only these still wait."""
        stay = set(left.tolist())
        for item in [item for item in self._seat if item not in stay]:
            self._free.append(self._seat.pop(item))
        self.forget_updates(left)

    def forget_updates(self, left: U64) -> None:
        """Only these still wait; let go of the others' updates."""
        if self._coming:
            stay = set(left.tolist())
            for item in [item for item in self._coming if item not in stay]:
                del self._coming[item]

    def _open(self, batch: Batch) -> None:
        width = max(1, batch.x.shape[1])
        self._x = np.empty((0, width))
        self._label = np.empty(0, batch.label.dtype)
        self.said = np.empty((0, self._folds), batch.label.dtype)
        if self._scored:
            self.scores = np.empty((0, self._folds, self._classes or 0))

    def _grow(self) -> None:
        old = len(self._label)
        new = max(LEAST, 2 * old)

        def room(column: np.ndarray) -> np.ndarray:
            return np.concatenate([column, np.zeros((new - old, *column.shape[1:]), column.dtype)])

        self._x, self._label, self._weight = (room(c) for c in (self._x, self._label, self._weight))
        self.said, self.knew = room(self.said), room(self.knew)
        self.scores = None if self.scores is None else room(self.scores)
        self._free = [*range(new - 1, old - 1, -1), *self._free]

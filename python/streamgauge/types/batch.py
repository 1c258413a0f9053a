"""Consecutive items as columns, with the methods that keep all columns aligned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from streamgauge.types.columns import F64, I64, NEVER, U64, Codes, Flags, any_missing, missing


@dataclass(frozen=True, slots=True)
class Updates:
    """New features of items whose labels are pending, in order of time.

    `x` holds whole rows: the features of the item from `time` on.
    """

    item: U64
    time: I64
    x: F64

    def __len__(self) -> int:
        return len(self.item)

    def take(self, rows: Flags | I64) -> Updates:
        """The given rows."""
        return Updates(self.item[rows], self.time[rows], self.x[rows])

    @staticmethod
    def concatenate(parts: Sequence[Updates | None]) -> Updates | None:
        """Updates of several batches, in order of time, then of items."""
        held = [part for part in parts if part is not None and len(part)]
        if not held:
            return None
        item = np.concatenate([part.item for part in held])
        time = np.concatenate([part.time for part in held])
        order = np.lexsort((item, time))
        return Updates(item[order], time[order], np.concatenate([p.x for p in held])[order])


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive items of a stream, as columns.

    `x` is C-contiguous float64, one row per item; nominal cells are codes, missing cells NaN.
    `label` holds class codes (int32, `NONE` if missing) or reals (float64, NaN if missing).
    `time` and `label_time` are ticks; None means the item number (no delay). An item whose label
    is missing has label time `NEVER`. `updates` are later features of the items of this batch.
    `weight` None means 1 for every item.

    Examples
    --------
    >>> a = Batch(0, np.zeros((2, 1)), np.array([0, 1], np.int32))
    >>> b = Batch(2, np.ones((1, 1)), np.array([1], np.int32), weight=np.array([3.0]))
    >>> Batch.concatenate([a, b]).weight.tolist()
    [1.0, 1.0, 3.0]
    >>> Batch.concatenate([a, b]).slice(1, 3).label.tolist()
    [1, 1]
    """

    first: int
    x: F64
    label: Codes | F64
    time: I64 | None = None
    label_time: I64 | None = None
    weight: F64 | None = None
    updates: Updates | None = None

    def __len__(self) -> int:
        return len(self.label)

    @property
    def stop(self) -> int:
        """The number after the last item."""
        return self.first + len(self.label)

    @property
    def times(self) -> I64:
        """Event times, written out."""
        if self.time is not None:
            return self.time
        return np.arange(self.first, self.stop, dtype=np.int64)

    @property
    def label_times(self) -> I64:
        """Label times, written out."""
        return self.times if self.label_time is None else self.label_time

    @property
    def weights(self) -> F64:
        """Weights, written out."""
        return np.ones(len(self)) if self.weight is None else self.weight

    @property
    def known_times(self) -> I64 | None:
        """When each label arrives: `NEVER` if missing; None if all arrive with their items."""
        if not any_missing(self.label):
            return self.label_time
        return np.where(missing(self.label), NEVER, self.label_times)

    def slice(self, start: int, stop: int) -> Batch:
        """Rows `start` to before `stop`, as views."""
        if start <= 0 and stop >= len(self):
            return self
        updates = self.updates
        if updates is not None:
            row = updates.item.astype(np.int64) - self.first
            own = (row >= start) & (row < stop)
            updates = updates.take(own) if own.any() else None
        return self._rows(slice(start, stop), self.first + start, updates)

    def take(self, rows: I64 | Flags, first: int) -> Batch:
        """The given rows (without repetition), renumbered from `first` on."""
        updates = self.updates
        if updates is not None:
            place = np.full(len(self), -1, np.int64)
            place[rows] = np.arange(first, first + len(self.label[rows]))
            item = place[updates.item.astype(np.int64) - self.first]
            kept = item >= 0
            updates = replace(updates.take(kept), item=item[kept].astype(np.uint64))
        return self._rows(rows, first, updates)

    def renumber(self, first: int) -> Batch:
        """The same items numbered from `first` on; ticks that are item numbers are shifted too."""
        by = first - self.first
        label_time, updates = self.label_time, self.updates
        if self.time is None and label_time is not None:
            label_time = np.where(label_time == NEVER, NEVER, label_time + by)
        if updates is not None:
            item = (updates.item.astype(np.int64) + by).astype(np.uint64)
            time = updates.time + by if self.time is None else updates.time
            updates = Updates(item, time, updates.x)
        return replace(self, first=first, label_time=label_time, updates=updates)

    @staticmethod
    def concatenate(parts: Sequence[Batch]) -> Batch:
        """Consecutive batches (at least one) as one; absent columns are filled in if needed."""
        if len(parts) == 1:
            return parts[0]
        return Batch(
            parts[0].first,
            np.concatenate([part.x for part in parts]),
            np.concatenate([part.label for part in parts]),
            **{
                column: np.concatenate([getattr(part, full) for part in parts])
                for column, full in OPTIONAL.items()
                if any(getattr(part, column) is not None for part in parts)
            },
            updates=Updates.concatenate([part.updates for part in parts]),
        )

    @staticmethod
    def choose(which: Flags, a: Batch, b: Batch) -> Batch:
        """Rows of `a` where `which`, otherwise of `b`; both have the same item numbers."""
        updates = []
        for part, own in ((a, which), (b, ~which)):
            if part.updates is not None:
                row = part.updates.item.astype(np.int64) - part.first
                updates.append(part.updates.take(own[row]))
        return Batch(
            a.first,
            np.where(which[:, None], a.x, b.x),
            np.where(which, a.label, b.label),
            **{
                column: np.where(which, getattr(a, full), getattr(b, full))
                for column, full in OPTIONAL.items()
                if getattr(a, column) is not None or getattr(b, column) is not None
            },
            updates=Updates.concatenate(updates),
        )

    def _rows(self, rows: Any, first: int, updates: Updates | None) -> Batch:
        held = {column: getattr(self, column) for column in OPTIONAL}
        return Batch(
            first,
            self.x[rows],
            self.label[rows],
            **{column: values[rows] for column, values in held.items() if values is not None},
            updates=updates,
        )


OPTIONAL = {"time": "times", "label_time": "label_times", "weight": "weights"}
"""Optional column -> the property that writes it out."""

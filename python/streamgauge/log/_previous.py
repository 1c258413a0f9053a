"""Labels with the label before each one in stream order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge.log.by_number import ByNumber
from streamgauge.log.rows import Columns, Labels, concatenated
from streamgauge.types import F64, I64, U64, Codes, nothing

FILL_ROWS = 65_536
"""Number of items filled in one step."""

NO_REAL = np.uint64(0xFFF8_5747_2000_0001)
"""The bits of a NaN that no computation gives; XOR with it makes every label nonzero."""


@dataclass(frozen=True, slots=True)
class Known(Columns):
    """Labels in the order they became known: index `start` to `stop` - 1, or some of them.

    `previous` is the label before each one in stream order, `NONE` or NaN if there is none.
    None: the previous label is the row above, and `before` (of length one) for the first row.
    """

    item: U64
    time: I64
    label: Codes | F64
    start: int
    stop: int
    before: Codes | F64
    previous: Codes | F64 | None = None
    weight: F64 | None = None

    @property
    def written_out(self) -> Codes | F64:
        """The label before each one, as a column."""
        if self.previous is not None:
            return self.previous
        return np.concatenate([self.before, self.label])[:-1]

    def slice(self, start: int, stop: int) -> Known:
        """Rows `start` to before `stop`, as views."""
        if start == 0 and stop >= len(self):
            return self
        rows = slice(start, stop)
        return Known(
            self.item[rows],
            self.time[rows],
            self.label[rows],
            self.start + start,
            self.start + min(stop, len(self)),
            self.label[start - 1 : start] if start else self.before,
            None if self.previous is None else self.previous[rows],
            None if self.weight is None else self.weight[rows],
        )

    def take(self, rows: Any) -> Known:
        """The rows at these non-decreasing positions."""
        stop = self.start + int(rows[-1]) + 1 if len(rows) else self.start
        return Known(
            self.item[rows],
            self.time[rows],
            self.label[rows],
            -1,
            stop,
            self.before,
            self.written_out[rows],
            None if self.weight is None else self.weight[rows],
        )

    @classmethod
    def concatenate(cls, parts: Sequence[Known]) -> Known:
        """Consecutive batches as one."""
        if len(parts) == 1:
            return parts[0]
        item, time, label = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("item", "time", "label")
        )
        previous = None
        if any(part.previous is not None for part in parts):
            previous = np.concatenate([part.written_out for part in parts])
        start, stop, before = parts[0].start, parts[-1].stop, parts[0].before
        weight = concatenated(parts, "weight")
        return cls(item, time, label, start, stop, before, previous, weight)


def known(read: Callable[[], Iterator[Labels]], labels_in_order: bool) -> Iterator[Known]:
    """Every label with the one before it in stream order, in the order they became known."""
    earlier = None if labels_in_order else _Before(read)
    done, before = 0, None
    for labels in filter(len, read()):
        label, stop = labels.label, done + len(labels)
        if before is None:
            before = np.full(1, nothing(label), label.dtype)
        previous = None if earlier is None else earlier.of(labels.item)
        yield Known(labels.item, labels.time, label, done, stop, before, previous, labels.weight)
        done, before = stop, label[-1:]


class _Before:
    """Item -> the label before it in stream order.

    That label may arrive long after the item's own, so all labels are read first.
    """

    def __init__(self, labels: Callable[[], Iterator[Labels]]) -> None:
        self._before: ByNumber | None = None
        self._kind: np.dtype[Any] = np.dtype(np.int32)
        for batch in labels():
            if len(batch):
                if self._before is None:
                    self._kind = batch.label.dtype
                    self._before = ByNumber(np.int32 if self._kind.kind == "i" else np.uint64)
                self._before.put(batch.item, self._marked(batch.label))
        self._fill()

    def of(self, item: U64) -> Codes | F64:
        """The labels before these items; `NONE` or NaN if there is none."""
        assert self._before is not None  # a label was read
        cells = self._before.get(np.maximum(item, 1) - np.uint64(1))
        return self._labels(np.where(item > 0, cells, 0).astype(cells.dtype))

    def _fill(self) -> None:
        """Copy each label to the following items without a label."""
        last = 0
        for low in range(0, 0 if self._before is None else len(self._before), FILL_ROWS):
            assert self._before is not None
            cells = self._before.view(low, low + FILL_ROWS)
            at = np.where(cells != 0, np.arange(len(cells)), -1)
            at = np.maximum.accumulate(at)
            cells[:] = np.where(at < 0, last, cells[at])
            last = cells[-1]

    def _marked(self, labels: Codes | F64) -> Any:
        """Labels as cells that are never 0, the mark of no label."""
        if self._kind.kind == "i":
            return labels + 2
        return np.ascontiguousarray(labels, np.float64).view(np.uint64) ^ NO_REAL

    def _labels(self, cells: Any) -> Codes | F64:
        if self._kind.kind == "i":
            return np.where(cells == 0, -1, cells - 2).astype(self._kind)
        return np.where(cells == 0, np.nan, (cells ^ NO_REAL).view(np.float64))

"""A streaming join of two sequences of rows by item; only pending rows are held."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import numpy as np

from streamgauge.log.rows import Columns
from streamgauge.types import I64, U64, Flags

Left = TypeVar("Left", bound=Columns)
Right = TypeVar("Right", bound=Columns)


class Pending(Generic[Right]):
    """Rows that were read and not joined yet, in the order they were read."""

    def __init__(self, batches: Iterator[Right]) -> None:
        self._batches = batches
        self._parts: list[Right] = []

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    @property
    def rows(self) -> Right | None:
        """All pending rows as one batch; None if there are none."""
        if len(self._parts) > 1:
            self._parts = [type(self._parts[0]).concatenate(self._parts)]
        return self._parts[0] if self._parts else None

    def part(self, number: int) -> Right | None:
        """The pending batch with this index, read if necessary; None at the end."""
        while len(self._parts) <= number:
            if self.read() is None:
                return None
        return self._parts[number]

    def read(self) -> Right | None:
        """Read the next batch that has rows; None at the end."""
        for batch in self._batches:
            if len(batch):
                self._parts.append(batch)
                return batch
        return None

    def head(self, rows: int) -> Right:
        """Remove and return the first rows, all of one batch."""
        part = self._parts[0]
        if rows == len(part):
            del self._parts[0]
            return part
        self._parts[0] = part.slice(rows, len(part))
        return part.slice(0, rows)

    def keep(self, held: Right, which: Flags) -> None:
        """Keep only these of the pending rows, which are all in `held`."""
        self._parts = [held.take(which)] if which.any() else []

    def take(self, items: U64, in_order: bool) -> tuple[I64, Right | None]:
        """Remove and return the rows of `items`, and the position of each in `items`.

        They are in the order of `items`; several rows of one item are in the order they were read.
        `in_order`: the items of later calls are higher, so all rows up to these are dropped.
        """
        held = self.rows
        if held is None:
            return np.empty(0, np.int64), None
        own = held.items
        ascending = len(own) < 2 or bool((own[1:] >= own[:-1]).all())
        place, at = (_found_in_order if ascending else _found)(own, items)
        found = held.take(at)
        if ascending and in_order:
            passed = int(np.searchsorted(own, items.max(), side="right"))
            self._parts = [held.slice(passed, len(held))] if passed < len(held) else []
            return place, found
        keep = own > items.max() if in_order else np.ones(len(own), np.bool_)
        keep[at] = False
        self.keep(held, keep)
        return place, found


def _found_in_order(own: U64, items: U64) -> tuple[I64, I64]:
    low = np.searchsorted(own, items)
    count = np.searchsorted(own, items, side="right") - low
    place = np.repeat(np.arange(len(items)), count)
    starts = np.repeat(low - np.concatenate([[0], np.cumsum(count)[:-1]]), count)
    return place, starts + np.arange(len(place))


def _found(own: U64, items: U64) -> tuple[I64, I64]:
    by_item = np.argsort(items, kind="stable")
    known = items[by_item]
    near = np.minimum(np.searchsorted(known, own), len(known) - 1)
    at = np.flatnonzero(known[near] == own)
    place = by_item[near[at]]
    order = np.argsort(place, kind="stable")
    return place[order], at[order]


def join(
    left: Iterator[Left],
    right: Pending[Right],
    read: Callable[[Pending[Right], Left], None],
    head: Callable[[Pending[Right], Left], int] | None,
    in_order: bool,
) -> Iterator[tuple[Left, I64 | None, Right]]:
    """Rows of `left` and the rows of `right` of the same item, in the order of `left`.

    Yields (batch of `left`, positions, rows of `right`): `positions` holds the row of the batch for
    each row of `right`, None if they correspond one to one. A row of `left` may have no partner or
    several. Only pending rows of `right` are held; if items ascend on the left (`in_order`), rows
    that can no longer match are dropped.

    Parameters
    ----------
    left
        Batches of rows, one row per item.
    right
        The rows to join with.
    read
        Reads until all rows of the items of this batch are pending, or the end.
    head
        The number of first rows of both sides that correspond one to one; they are yielded
        without a search and without a copy. None if unknown without reading further.
    in_order
        Whether items ascend on the left.
    """
    for batch in filter(len, left):
        while True:
            rows = 0 if head is None else head(right, batch)
            if not rows:
                read(right, batch)
                place, found = right.take(batch.items, in_order)
                if found is not None and len(found):
                    whole = len(place) == len(batch) and bool((np.diff(place) == 1).all())
                    yield batch, None if whole else place, found
                break
            yield batch.slice(0, rows), None, right.head(rows)
            if rows == len(batch):
                break
            batch = batch.slice(rows, len(batch))


def past_item(right: Pending[Any], batch: Columns) -> None:
    """Read past the highest of these items; for rows in the order of items."""
    highest = batch.items.max()
    last = right.rows
    if last is None:
        last = right.read()
    while last is not None and last.items.max() <= highest:
        last = right.read()


def every_match(right: Pending[Any], batch: Columns) -> None:
    """Read until each of these items has a row; for rows in any order, one per item."""
    held = right.rows
    lacking = batch.items
    if held is not None:
        lacking = lacking[~np.isin(lacking, held.items)]
    while len(lacking) and (more := right.read()) is not None:
        lacking = lacking[~np.isin(lacking, more.items)]


def same_rows(right: Pending[Any], batch: Columns) -> int:
    """The number of first rows of both sides with the same items."""
    part = right.part(0)
    if part is None:
        return 0
    rows = min(len(part), len(batch))
    a, b = batch.consecutive, part.consecutive
    if a is not None and b is not None:
        return rows if a == b else 0
    own, other = batch.slice(0, rows).items, part.slice(0, rows).items
    if own[0] != other[0] or own[-1] != other[-1]:
        return 0
    return rows if np.array_equal(own, other) else 0

"""Two logs meet: the answers of both to the same items, in constant memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

import numpy as np

from streamgauge.errors import LogError
from streamgauge.log import Log, Pairs
from streamgauge.log.pairs import items_of, known_rows, taken
from streamgauge.types import F64, U64, Codes, Flags, Schema

Column = TypeVar("Column", bound=np.generic)
Array = np.ndarray[tuple[int], np.dtype[Column]]


@dataclass(frozen=True, slots=True)
class Met:
    """Labels with the answers of A (in `pairs`) and those of B to the same items."""

    pairs: Pairs
    other: Codes | F64

    def __len__(self) -> int:
        return len(self.pairs)

    def position(self, row: int, schema: Schema) -> int:
        """How many items had come when the label of this row did."""
        if self.pairs.time is not None and schema.clock == "item":
            return int(self.pairs.time[row]) + 1
        if self.pairs.item is not None:
            return int(self.pairs.item[row]) + 1
        return self.pairs.first + row + 1


class Meeting:
    """Joins two logs by item, in the order the labels became known to A.

    Where both have the same items in the same order nothing is held. Where both have them in the
    order of the stream, what one of them lacks is let go at once. `only_a` and `only_b` count
    what has met nothing, when the walk is over.
    """

    def __init__(self, a: Log, b: Log) -> None:
        self._a, self._b = a, b
        self._codes = _codes(a.schema, b.schema)
        self._in_order = a.tables.labels_in_order and b.tables.labels_in_order
        self.met = 0
        self.only_a = 0
        self.only_b = 0

    def __iter__(self) -> Iterator[Met]:
        a, b = known_rows(self._a.pairs()), (self._recoded(p) for p in known_rows(self._b.pairs()))
        now_a, now_b = next(a, None), next(b, None)
        while now_a is not None and now_b is not None:
            rows = min(len(now_a), len(now_b))
            head_a, head_b = _part(now_a, 0, rows), _part(now_b, 0, rows)
            if not _same_items(head_a, head_b):
                yield from self._joined(chain([now_a], a), chain([now_b], b))
                return
            yield self._meet(head_a, head_b)
            now_a = _part(now_a, rows, len(now_a)) if rows < len(now_a) else next(a, None)
            now_b = _part(now_b, rows, len(now_b)) if rows < len(now_b) else next(b, None)
        self.only_a += 0 if now_a is None else len(now_a) + sum(map(len, a))
        self.only_b += 0 if now_b is None else len(now_b) + sum(map(len, b))

    def _joined(self, a: Iterator[Pairs], b: Iterator[Pairs]) -> Iterator[Met]:
        waiting = _Waiting(b, self._in_order)
        for batch in a:
            items = items_of(batch)
            _refuse_repeats(items)
            waiting.read_to(items)
            here, at = waiting.find(items)
            if len(at):
                found = batch if len(at) == len(batch) else taken(batch, np.flatnonzero(here))
                yield self._meet(found, waiting.rows(at))
            self.only_a += len(batch) - len(at)
            self.only_b += waiting.let_go(at, int(items.max()))
        self.only_b += waiting.rest()

    def _meet(self, a: Pairs, b: Pairs) -> Met:
        differ = a.label != b.label
        if differ.any():
            row = int(np.flatnonzero(differ)[0])
            raise LogError(
                "compare: logs must be of one stream, got different labels for item "
                f"{int(items_of(a)[row]):,}: {self._shown(a.label[row])} and "
                f"{self._shown(b.label[row])}"
            )
        self.met += len(a)
        return Met(a, b.answer)

    def _recoded(self, pairs: Pairs) -> Pairs:
        if self._codes is None:
            return pairs
        return Pairs(
            pairs.first,
            self._codes[pairs.label],
            self._codes[pairs.answer],
            item=pairs.item,
            time=pairs.time,
        )

    def _shown(self, label: object) -> str:
        classes = self._a.schema.classes
        if classes is None:
            return f"{label}"
        code = int(str(label))
        return repr(classes[code]) if 0 <= code < len(classes) else "another class"


class _Waiting:
    """Rows of B that have not met their item in A yet, sorted by item."""

    def __init__(self, batches: Iterator[Pairs], in_order: bool) -> None:
        self._batches = batches
        self._in_order = in_order
        self._held = Pairs(
            0,
            np.empty(0, np.int32),
            np.empty(0, np.int32),
            item=np.empty(0, np.uint64),
        )
        self._furthest = -1

    def read_to(self, items: U64) -> None:
        """Read on until all of `items` are here, or can no longer come."""
        while not self._read_enough(items):
            batch = next(self._batches, None)
            if batch is None:
                return
            item = items_of(batch)
            self._furthest = max(self._furthest, int(item.max()))
            self._add(item, batch)

    def _read_enough(self, items: U64) -> bool:
        if self._in_order:
            return self._furthest >= int(items.max())
        return len(self.find(items)[1]) == len(items)

    def _add(self, item: U64, batch: Pairs) -> None:
        held = self._held
        label, answer = batch.label, batch.answer
        if len(held):
            item = np.concatenate([items_of(held), item])
            label = np.concatenate([held.label, label])
            answer = np.concatenate([held.answer, answer])
        order = np.argsort(item, kind="stable")
        item = item[order]
        _refuse_repeats(item)
        self._held = Pairs(0, label[order], answer[order], item=item)

    def find(self, items: U64) -> tuple[Flags, Array[np.intp]]:
        """Which of `items` are here, and where."""
        held = items_of(self._held)
        if not len(held):
            return np.zeros(len(items), np.bool_), np.empty(0, np.intp)
        at = np.minimum(np.searchsorted(held, items), len(held) - 1)
        here: Flags = held[at] == items
        return here, at[here]

    def rows(self, at: Array[np.intp]) -> Pairs:
        """Some of them."""
        return taken(self._held, at)

    def let_go(self, at: Array[np.intp], upto: int) -> int:
        """Forget rows that have met, and those A has passed by; gives how many of the latter."""
        keep = np.ones(len(self._held), np.bool_)
        keep[at] = False
        passed = keep & (items_of(self._held) <= upto) if self._in_order else np.zeros_like(keep)
        self._held = taken(self._held, np.flatnonzero(keep & ~passed))
        return int(passed.sum())

    def rest(self) -> int:
        """How many have met nothing in the end."""
        return len(self._held) + sum(map(len, self._batches))


def _codes(a: Schema, b: Schema) -> Codes | None:
    """B's class codes -> A's, those A does not know after its own; None: they are the same."""
    if a.task != b.task:
        raise LogError(f"compare: logs must be of one task, got {a.task} and {b.task}")
    if a.classes is None or b.classes is None or a.classes == b.classes:
        return None
    known = {value: code for code, value in enumerate(a.classes)}
    for value in b.classes:
        known.setdefault(value, len(known))
    # the last entry is found by the code of what was not said
    return np.array([*(known[v] for v in b.classes), -1], np.int32)


def _same_items(a: Pairs, b: Pairs) -> bool:
    if a.item is None and b.item is None:
        return a.first == b.first
    return bool(np.array_equal(items_of(a), items_of(b)))


def _refuse_repeats(items: U64) -> None:
    ordered = items if bool((items[1:] > items[:-1]).all()) else np.sort(items)
    twice = ordered[1:] == ordered[:-1]
    if twice.any():
        item = int(ordered[1:][twice][0])
        raise LogError(
            f"compare: logs with several answers an item (folds) must be of one protocol, got "
            f"different items, and several answers to item {item:,}"
        )


def _part(pairs: Pairs, start: int, stop: int) -> Pairs:
    if start == 0 and stop == len(pairs):
        return pairs
    return Pairs(
        pairs.first + start,
        pairs.label[start:stop],
        pairs.answer[start:stop],
        item=None if pairs.item is None else pairs.item[start:stop],
        time=None if pairs.time is None else pairs.time[start:stop],
    )

"""What measures are computed from: labels beside answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

import numpy as np

from streamgauge.log._join import Pending, join, past_item, same_rows
from streamgauge.log._previous import Known, known
from streamgauge.log.rows import Columns, Said, Truth, concatenated
from streamgauge.types import F64, I64, U64, Codes, missing, nothing


@dataclass(frozen=True, slots=True)
class Pairs(Columns):
    """Labels beside the answers given to them, in the order the labels became known.

    `item` None: consecutive items from `first` on. `time` None: the items' own numbers.
    `previous` is the label before each one in stream order (`NONE` or NaN: there is none);
    None: the row above, across batches too. `answer` is `NONE` or NaN where nothing was said.
    `weight` None: each item's is 1.
    """

    first: int
    label: Codes | F64
    answer: Codes | F64
    scores: F64 | None = None
    item: U64 | None = None
    time: I64 | None = None
    previous: Codes | F64 | None = None
    weight: F64 | None = None

    def __len__(self) -> int:
        return len(self.label)

    @property
    def items(self) -> U64:
        """The number of the item of each row."""
        if self.item is not None:
            return self.item
        return np.arange(self.first, self.first + len(self), dtype=np.uint64)

    @property
    def consecutive(self) -> int | None:
        """The first item where the numbers are not stored."""
        return self.first if self.item is None else None

    def slice(self, start: int, stop: int) -> Pairs:
        """Rows `start` to before `stop`, as views."""
        if start == 0 and stop >= len(self):
            return self
        first = self.first + start if self.item is None else int(self.item[start])
        return self._of(
            first, None if self.item is None else self.item[start:stop], slice(start, stop)
        )

    def take(self, rows: Any) -> Pairs:
        """The given rows: their places, or a flag for each row."""
        item = self.items[rows]
        return self._of(int(item[0]) if len(item) else 0, item, rows)

    @classmethod
    def concatenate(cls, parts: Sequence[Pairs]) -> Pairs:
        """Several batches as one; a column that one of them lacks is left out, weights are 1."""
        if len(parts) == 1:
            return parts[0]
        held = [replace(part, item=part.items) for part in parts]
        return cls(parts[0].first, **{name: concatenated(held, name) for name in COLUMNS})

    def _of(self, first: int, item: U64 | None, rows: Any) -> Pairs:
        held = {name: getattr(self, name) for name in COLUMNS if name != "item"}
        cut: dict[str, Any] = {
            name: None if column is None else column[rows] for name, column in held.items()
        }
        return Pairs(first, item=item, **cut)


COLUMNS = tuple(f.name for f in fields(Pairs) if f.name != "first")
"""What a pair is made of, one column each."""


Beside: TypeAlias = Iterator[tuple[Pairs, Codes | F64]]
"""Batches of a log, each with another column beside it."""


def previous_labels(batches: Iterable[Pairs]) -> Beside:
    """Each batch with the labels before its own; `NONE` or NaN where there is none."""
    last: Codes | F64 | None = None
    for batch in batches:
        if not len(batch):
            continue
        if batch.previous is not None:
            yield batch, batch.previous
        else:
            head = np.full(1, nothing(batch.label), batch.label.dtype) if last is None else last
            yield batch, np.concatenate([head, batch.label[:-1]])
        last = batch.label[-1:]


def known_rows(batches: Iterable[Pairs]) -> Iterator[Pairs]:
    """The rows with a label, batch by batch; none of them is empty."""
    for batch in batches:
        label = batch.label
        known = ~missing(label)
        rows = batch if known.all() else batch.take(known)
        if len(rows):
            yield rows


@dataclass(frozen=True, slots=True)
class _First(Columns):
    """What a pair takes from the first prediction of an item."""

    item: U64
    time: I64
    answer: Codes | F64
    scores: F64 | None


def _first_predictions(said: Iterator[Said]) -> Iterator[_First]:
    for rows in said:
        first = _First(rows.item, rows.time, rows.answer, rows.scores)
        own = rows.turn == 0
        yield first if own.all() else first.take(own)


def _one_row_each(right: Pending[_First], labels: Known) -> int:
    """How many of the first rows are of the same items, if no other copy predicted those.

    Another copy's row has the same time, and follows.
    """
    rows, part = same_rows(right, labels), right.part(0)
    if not rows or part is None:
        return 0
    after, nth = (part, rows) if rows < len(part) else (right.part(1), 0)
    return rows if after is None or after.time[nth] != part.time[rows - 1] else 0


def _past_items(right: Pending[_First], labels: Known) -> None:
    """Read past these items, and past the time of the next one.

    Items are first predicted in order, but at one time copy by copy.
    """
    past_item(right, labels)
    rows = right.rows
    if rows is None:
        return
    beyond = np.flatnonzero(rows.item > labels.item.max())
    last: _First | None = rows
    while last is not None and len(beyond) and last.time[-1] == rows.time[beyond[0]]:
        last = right.read()


def pairs_of(
    said: Iterator[Said], true: Callable[[], Iterator[Truth]], labels_in_order: bool
) -> Iterator[Pairs]:
    """Each label beside the first prediction of each fold, in the order labels became known."""
    labels, first = known(true, labels_in_order), Pending(_first_predictions(said))
    done = 0
    for batch, place, rows in join(labels, first, _past_items, _one_row_each, labels_in_order):
        truth = batch if place is None else batch.take(place)
        # Without a column of them, the previous label is the row above, across batches too.
        previous = truth.previous if truth.start == done else truth.written_out
        done = truth.stop
        yield Pairs(
            int(truth.item[0]),
            truth.label,
            rows.answer,
            rows.scores,
            item=truth.item,
            time=truth.time,
            previous=previous,
            weight=truth.weight,
        )

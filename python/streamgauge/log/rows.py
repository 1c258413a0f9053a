"""The rows of a log's three tables, as columns in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self, TypeVar

import numpy as np

from streamgauge.types import F64, I64, U8, U16, U32, U64, Codes, Flags

SAID_BYTES, TRUE_BYTES, TAUGHT_BYTES = 31, 24, 18
"""What a row of each table takes, with a real answer or label."""


class Columns:
    """Rows as columns of one length, one of them `item`; the fields of a dataclass."""

    __slots__ = ()

    @property
    def items(self) -> U64:
        """The number of the item of each row."""
        item: U64 = self.item  # type: ignore[attr-defined]
        return item

    @property
    def consecutive(self) -> int | None:
        """The first item where rows are of consecutive items whose numbers are not stored."""
        return None

    def __len__(self) -> int:
        return len(self.items)

    def slice(self, start: int, stop: int) -> Self:
        """Rows `start` to before `stop`, as views."""
        return self if start == 0 and stop >= len(self) else self._cut(slice(start, stop))

    def take(self, rows: Any) -> Self:
        """The given rows: their places, or a flag for each row."""
        return self._cut(rows)

    @classmethod
    def concatenate(cls, parts: Sequence[Self]) -> Self:
        """Several batches as one; a column that one of them lacks is left out, weights are 1."""
        if len(parts) == 1:
            return parts[0]
        return cls(*(concatenated(parts, name) for name in _names(parts[0])))

    def _cut(self, rows: Any) -> Self:
        return type(self)(*(None if c is None else c[rows] for c in _columns(self)))


def _names(rows: Any) -> list[str]:
    return [field.name for field in fields(rows)]


def _columns(rows: Any) -> list[Any]:
    return [getattr(rows, name) for name in _names(rows)]


def concatenated(parts: Sequence[Columns], name: str) -> Any:
    """One column of several batches; None if one of them lacks it. A weight that is not there
    is 1."""
    columns = [getattr(part, name) for part in parts]
    if name == "weight" and any(c is not None for c in columns):
        columns = [np.ones(len(p)) if c is None else c for p, c in zip(parts, columns, strict=True)]
    return None if any(c is None for c in columns) else np.concatenate(columns)


@dataclass(frozen=True, slots=True)
class Said(Columns):
    """What copy `fold` said about `item` at `time`, at its `turn`-th asking."""

    item: U64
    fold: U16
    turn: U32
    kind: U8
    time: I64
    answer: Codes | F64
    scores: F64 | None = None


@dataclass(frozen=True, slots=True)
class Truth(Columns):
    """What the label of `item` turned out to be at `time`. `weight` None: each item's is 1."""

    item: U64
    time: I64
    label: Codes | F64
    weight: F64 | None = None


@dataclass(frozen=True, slots=True)
class Taught(Columns):
    """Which item copy `fold` was taught, with which weight."""

    item: U64
    fold: U16
    weight: F64


@dataclass(frozen=True, slots=True)
class Came(Columns):
    """Items, and when each came."""

    item: U64
    time: I64


@dataclass(frozen=True, slots=True)
class Weighted(Columns):
    """Weights of items whose labels are rows of *true*, by the number of the row, in order."""

    row: U64
    weight: F64

    def __len__(self) -> int:
        return len(self.row)


Copies = TypeVar("Copies", Said, Taught)


def of_fold(batches: Iterator[Copies], fold: int | None) -> Iterator[Copies]:
    """The rows of one copy of the learner; all of them if `fold` is None."""
    for rows in batches:
        own = None if fold is None else rows.fold == fold
        yield rows if own is None or own.all() else rows.take(own)


@dataclass(frozen=True, slots=True)
class Written:
    """Rows as they came from explicit orders or events.

    `unpredicted` are items that came and that no copy of the learner predicted; None: there are
    none.
    """

    said: Said
    true: Truth
    taught: Taught
    unpredicted: Came | None = None

    @property
    def weight(self) -> F64 | None:
        """The weights of the labels; None: each is 1."""
        return self.true.weight

    def __len__(self) -> int:
        return max(len(self.said), len(self.true), len(self.taught))

    @property
    def nbytes(self) -> int:
        """Bytes of the rows as tables."""
        scores = 0 if self.said.scores is None else self.said.scores.nbytes
        return (
            SAID_BYTES * len(self.said)
            + TRUE_BYTES * len(self.true)
            + TAUGHT_BYTES * len(self.taught)
            + scores
        )


@dataclass(frozen=True, slots=True)
class Plain:
    """Consecutive items of fold 0, each asked about once, then revealed and taught.

    The usual case in short: item numbers, folds, turns, weights and, without a clock, times
    are not stored. `answer` None: the items were taught only. `known` None: every label is.
    """

    first: int
    label: Codes | F64
    answer: Codes | F64 | None
    scores: F64 | None = None
    known: Flags | None = None
    time: I64 | None = None
    out: I64 | None = None
    weight: F64 | None = None

    def __len__(self) -> int:
        return len(self.label)

    @property
    def unpredicted(self) -> None:
        """Each item is predicted, or is for training only and has no label in the log."""
        return

    @property
    def nbytes(self) -> int:
        """Bytes of the rows as tables; what is held is less."""
        scores = 0 if self.scores is None else self.scores.nbytes
        return (SAID_BYTES + TRUE_BYTES + TAUGHT_BYTES) * len(self) + scores

    @property
    def items(self) -> U64:
        """The item numbers, written out."""
        return np.arange(self.first, self.first + len(self), dtype=np.uint64)

    @property
    def times(self) -> I64:
        """When each item came."""
        return self.items.astype(np.int64) if self.time is None else self.time

    @property
    def said(self) -> Said:
        """What was said, written out."""
        n = 0 if self.answer is None else len(self)
        return Said(
            self.items[:n],
            np.zeros(n, np.uint16),
            np.zeros(n, np.uint32),
            np.zeros(n, np.uint8),
            self.times[:n],
            self.label[:0] if self.answer is None else self.answer,
            self.scores,
        )

    @property
    def true(self) -> Truth:
        """What was true, written out: items only taught are not revealed to the log."""
        out = self.times if self.out is None else self.out
        if self.answer is None:
            return Truth(self.items[:0], out[:0], self.label[:0])
        true = Truth(self.items, out, self.label, self.weight)
        return true if self.known is None else true.take(self.known)

    @property
    def taught(self) -> Taught:
        """What was taught, written out."""
        weight = np.ones(len(self)) if self.weight is None else self.weight
        fold = np.zeros(len(self), np.uint16)
        if self.known is None:
            return Taught(self.items, fold, weight)
        return Taught(self.items[self.known], fold[self.known], weight[self.known])


Rows = Plain | Written

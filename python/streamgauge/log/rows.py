"""The rows of a log's three tables, as columns in memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge.types import F64, I64, U8, U16, U32, U64, Codes, Flags

SAID_BYTES, TRUE_BYTES, TAUGHT_BYTES = 31, 24, 18
"""What a row of each table takes, with a real answer or label."""


@dataclass(frozen=True, slots=True)
class Said:
    """What copy `fold` said about `item` at `time`, at its `turn`-th asking."""

    item: U64
    fold: U16
    turn: U32
    kind: U8
    time: I64
    answer: Codes | F64
    scores: F64 | None = None

    def __len__(self) -> int:
        return len(self.item)


@dataclass(frozen=True, slots=True)
class Truth:
    """What the label of `item` turned out to be at `time`."""

    item: U64
    time: I64
    label: Codes | F64

    def __len__(self) -> int:
        return len(self.item)


@dataclass(frozen=True, slots=True)
class Taught:
    """Which item copy `fold` was taught, with which weight."""

    item: U64
    fold: U16
    weight: F64

    def __len__(self) -> int:
        return len(self.item)


@dataclass(frozen=True, slots=True)
class Written:
    """Rows as they came from explicit orders."""

    said: Said
    true: Truth
    taught: Taught

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
        if self.known is None:
            return Truth(self.items, out, self.label)
        return Truth(self.items[self.known], out[self.known], self.label[self.known])

    @property
    def taught(self) -> Taught:
        """What was taught, written out."""
        weight = np.ones(len(self)) if self.weight is None else self.weight
        fold = np.zeros(len(self), np.uint16)
        if self.known is None:
            return Taught(self.items, fold, weight)
        return Taught(self.items[self.known], fold[self.known], weight[self.known])


Rows = Plain | Written

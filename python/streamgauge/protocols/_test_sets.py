"""Test sets: items held out of training and predicted at regular intervals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from streamgauge.errors import TimetableError
from streamgauge.protocols.timetable import Segment, orders
from streamgauge.types import (
    I64,
    U32,
    U64,
    Flags,
    FoldAssignment,
    Kind,
    Op,
    Orders,
)

MOST_ITEMS = 1024
"""Largest number of items in a chunk of the timetable."""


@dataclass(slots=True)
class HoldOut:
    """The timetable of a test set that is refreshed first-in first-out.

    Items without a label are left out. Of the others, the first `size` are the test set. After
    them, every `replace`-th one replaces the oldest item of the test set (0: none does) and the
    others are learned; after every `every`-th one all items of the test set are predicted, the
    oldest first. No item that enters the test set is learned.
    """

    who: str
    size: int
    every: int
    replace: int
    assignment: FoldAssignment | None
    items: U64 = field(default_factory=lambda: np.empty(0, np.uint64))
    turns: U32 = field(default_factory=lambda: np.empty(0, np.uint32))
    seen: int = 0

    def timetable(self, segments: Iterable[Segment]) -> Iterator[Orders]:
        """The orders, in chunks that do not depend on the batches of the stream."""
        begun: list[tuple[U64, I64]] = []
        held = 0
        for part in segments:
            item, time = _labelled(part)
            while len(item):
                more = self._until_chunk_ends() - held
                begun.append((item[:more], time[:more]))
                held += len(begun[-1][0])
                item, time = item[more:], time[more:]
                if held == self._until_chunk_ends():
                    yield self._chunk(begun)
                    begun, held = [], 0
        if held:
            yield self._chunk(begun)
        self._check_that_there_was_a_test()

    def _until_chunk_ends(self) -> int:
        """Number of items until the next test, the end of the first test set, or `MOST_ITEMS`."""
        if self.seen < self.size:
            return min(self.size - self.seen, MOST_ITEMS)
        return min(self.every - (self.seen - self.size) % self.every, MOST_ITEMS)

    def _chunk(self, begun: list[tuple[U64, I64]]) -> Orders:
        """The orders about the next items, and of the test if there is one after them."""
        item, time = (np.concatenate(column) for column in zip(*begun, strict=True))
        # Of numbers up to 0 only the sign counts: sizes beyond 64 bits need no larger integers.
        number = np.arange(1, 1 + len(item)) + max(self.seen - self.size, -len(item))
        enters: Flags = number <= 0
        if 0 < self.replace <= int(number[-1]):
            enters |= number % self.replace == 0
        self.seen += len(item)
        self._refresh(item[enters])
        arriving = self._arriving(item, time, enters)
        after = self.seen - self.size
        tested = after > 0 and after % self.every == 0
        parts = [arriving, self._test(int(time[-1]))] if tested else [arriving]
        return replace(Orders.concatenate(parts), keep_from=int(item[-1]) + 1, keep=self.items)

    def _refresh(self, new: U64) -> None:
        """Let items enter the test set, and the oldest ones leave it."""
        self.items = np.concatenate([self.items, new])[-self.size :]
        turns = np.concatenate([self.turns, np.zeros(len(new), np.uint32)])
        self.turns = turns[-self.size :]

    def _arriving(self, item: U64, time: I64, enters: Flags) -> Orders:
        """Items of the test set are revealed, the others are learned by the folds that learn."""
        op = np.where(enters, np.uint8(Op.REVEAL), np.uint8(Op.LEARN))
        alone = orders(op, item, time, 0)
        if self.assignment is None:
            return alone
        first = int(item[0])
        weights = self.assignment.weights(first, int(item[-1]) - first + 1)
        own = weights[:, item - np.uint64(first)].T.astype(np.float64)
        own[enters] = 0.0
        own[enters, 0] = 1.0  # one order to reveal
        row, fold = np.nonzero(own)
        return replace(alone.take(row), fold=fold.astype(np.uint16), weight=own[row, fold])

    def _test(self, now: int) -> Orders:
        """Every fold predicts every item of the test set."""
        folds = 1 if self.assignment is None else self.assignment.folds
        row = np.repeat(np.arange(len(self.items)), folds)
        fold = np.tile(np.arange(folds, dtype=np.uint16), len(self.items))
        turn, op = self.turns[row], np.full(len(row), Op.PREDICT, np.uint8)
        self.turns = self.turns + np.uint32(1)
        kind = np.where(turn == 0, np.uint8(Kind.FIRST), np.uint8(Kind.TEST))
        tested = orders(op, self.items[row], np.full(len(row), now, np.int64), 0)
        return replace(tested, fold=fold, turn=turn, kind=kind)

    def _check_that_there_was_a_test(self) -> None:
        """A run without a test has nothing to measure."""
        if not self.seen:
            return
        after = self.seen - self.size
        if after <= 0:
            raise TimetableError(
                f"{self.who}: size must be below the number of labelled items, got {self.size:,} "
                f"and a stream of {self.seen:,}, of which none is left to learn"
            )
        if after < self.every:
            raise TimetableError(
                f"{self.who}: every must be at most the number of labelled items after the test "
                f"set, got {self.every:,} and a stream with {after:,}, which has no test"
            )


def _labelled(part: Segment) -> tuple[U64, I64]:
    """The items with labels, and their times."""
    item = np.arange(part.first, part.stop, dtype=np.uint64)
    time = item.astype(np.int64) if part.time is None else part.time
    return (item, time) if part.known is None else (item[part.known], time[part.known])

"""What was said to each item until its label came, in the order the labels came."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from streamgauge.errors import LogError
from streamgauge.log import Log
from streamgauge.log.rows import Said, Truth
from streamgauge.types import F64, I64, U16, U64, Codes, Kind

ROWS = 8192
"""So many labels, at least, are looked up at once."""


@dataclass(frozen=True, slots=True)
class Askings:
    """Labelled items with all that was on display while they waited.

    A row is an item (of one fold). `time` and `answer` hold what it was told when it came and
    each change of mind after, row after row; `starts` says where each row's begin and, last,
    where they end; `turn` is the how manieth asking each was. `last` is the answer when the label
    came, before it was taught.
    """

    item: U64
    fold: U16
    label: Codes | F64
    until: I64
    starts: I64
    time: I64
    answer: Codes | F64
    last: Codes | F64
    turn: I64

    def __len__(self) -> int:
        return len(self.item)

    @property
    def came(self) -> I64:
        """When each item came."""
        return self.time[self.starts[:-1]]

    @property
    def first(self) -> Codes | F64:
        """What was said when it came."""
        return self.answer[self.starts[:-1]]


def asks_again(log: Log, who: str) -> int:
    """K, as the log tells it; an error if the log is not of a protocol that asks again."""
    if log.about.get("asks_last") != "True":
        protocol = log.about.get("protocol", "another protocol")
        raise LogError(
            f"{who}: must be a log of reevaluating, got one of {protocol}; "
            "run with protocol Reevaluating()"
        )
    return int(log.about["asks_again"])


def askings(log: Log, fold: int | None = None) -> Iterator[Askings]:
    """Every labelled item with its askings, batch by batch.

    What is held in memory is what was said to items that still wait.
    """
    waiting = _Waiting(log.said(), fold)
    for truth in _gathered(log.true()):
        waiting.read_to(int(truth.time[-1]))
        yield waiting.take(truth)


def _gathered(batches: Iterator[Truth]) -> Iterator[Truth]:
    held: list[Truth] = []
    rows = 0
    for batch in batches:
        if len(batch):
            held.append(batch)
            rows += len(batch)
        if rows >= ROWS:
            yield _joined(held)
            held, rows = [], 0
    if held:
        yield _joined(held)


def _joined(parts: list[Truth]) -> Truth:
    if len(parts) == 1:
        return parts[0]
    return Truth(
        np.concatenate([p.item for p in parts]),
        np.concatenate([p.time for p in parts]),
        np.concatenate([p.label for p in parts]),
    )


class _Waiting:
    """What was said and has not met its label yet, in the order it was said."""

    def __init__(self, said: Iterator[Said], fold: int | None) -> None:
        self._said, self._fold = said, fold
        self._held: list[Said] = []
        self._now = -(2**63)
        self._more = True

    def read_to(self, time: int) -> None:
        """Read on until all that was said up to this time is here."""
        while self._more and self._now <= time:
            rows = next(self._said, None)
            if rows is None:
                self._more = False
            elif len(rows):
                self._now = int(rows.time[-1])
                self._held.append(
                    rows if self._fold is None else _some(rows, rows.fold == self._fold)
                )

    def take(self, truth: Truth) -> Askings:
        """What was said to these items, taken out."""
        rows = _all(self._held)
        by_item = np.argsort(truth.item, kind="stable")
        known = truth.item[by_item]
        place = np.minimum(np.searchsorted(known, rows.item), len(known) - 1)
        mine = known[place] == rows.item
        self._held = [_some(rows, ~mine)]
        rows, at = _some(rows, mine), by_item[place[mine]]
        order = np.lexsort((rows.fold, at))
        rows, at = _some(rows, order), at[order]
        final = rows.kind == Kind.FINAL
        begins = np.flatnonzero(rows.kind == Kind.FIRST)
        # A final row is the last of its item, so dropping them keeps what is before in order.
        starts = begins - np.concatenate([[0], np.cumsum(final)])[begins]
        shown = _some(rows, ~final)
        ends = np.concatenate([starts[1:], [len(shown)]]).astype(np.int64)
        last = shown.answer[ends - 1] if len(ends) and len(shown) else shown.answer[:0]
        own = np.searchsorted(begins, np.flatnonzero(final), side="right") - 1
        last[own] = rows.answer[final]
        item = at[begins]
        return Askings(
            truth.item[item],
            rows.fold[begins],
            truth.label[item],
            truth.time[item],
            np.concatenate([starts, [len(shown)]]).astype(np.int64),
            shown.time,
            shown.answer,
            last,
            shown.turn.astype(np.int64),
        )


def _some(rows: Said, which: np.ndarray) -> Said:
    return Said(
        rows.item[which],
        rows.fold[which],
        rows.turn[which],
        rows.kind[which],
        rows.time[which],
        rows.answer[which],
    )


def _all(parts: list[Said]) -> Said:
    if len(parts) == 1:
        return parts[0]
    if not parts:
        none = np.empty(0, np.uint64)
        return Said(
            none, none.astype(np.uint16), none.astype(np.uint32), none.astype(np.uint8),
            none.astype(np.int64), none.astype(np.int32),
        )  # fmt: skip
    names = ("item", "fold", "turn", "kind", "time", "answer")
    return Said(*(np.concatenate([getattr(p, name) for p in parts]) for name in names))

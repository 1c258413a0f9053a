"""When every prediction was made, recomputed from when items and labels came."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np

from streamgauge._core import Tally
from streamgauge.late.asking import asks_again
from streamgauge.log import Log
from streamgauge.log._join import Pending
from streamgauge.log.by_number import ByNumber
from streamgauge.log.rows import Columns, Said, Truth
from streamgauge.protocols._late import merged
from streamgauge.types import I64, NEVER, U64, Event, Flags, Kind

ROWS = 65_536
"""So many events, about, are looked at at once."""

BEGINNING = -(2**63)
"""Before all times."""


@dataclass(frozen=True, slots=True)
class Happened:
    """Events of a log in order, arrivals and labels, and counts after each.

    `made` counts repeated predictions so far, `over` those of labelled items among them, `waiting`
    the pending items. `born` is the number of labels known when the event's item came.
    """

    labelled: Flags
    item: U64
    time: I64
    made: I64
    over: I64
    waiting: I64
    born: I64

    def __len__(self) -> int:
        return len(self.item)


def schedule(log: Log, who: str, fold: int | None = None) -> Iterator[Happened]:
    """Arrivals and labels in the order in which they happened, stretch by stretch.

    With `fold`, only items that this copy predicted arrive. What is held in memory is what is
    pending, and what happens at one time.
    """
    tally = Tally(asks_again(log, who), log.about.get("first_at_zero") == "True")
    firsts, truths = _Ahead(_firsts(log)), _Ahead(log.true())
    labels_first = log.about.get("ties") == "labels_first"
    until = BEGINNING
    while until < NEVER:
        until = _read_on(firsts, truths, until)
        came, known = firsts.take(until), truths.take(until)
        if came is None and known is None:
            continue
        yield _happened(came, known, fold, labels_first, tally)


def _happened(
    came: Said | None, known: Truth | None, fold: int | None, labels_first: bool, tally: Tally
) -> Happened:
    none = np.empty(0, np.uint64), np.empty(0, np.int64)
    label_item, label_time = none if known is None else (known.item, known.time)
    item, time, copies = (*none, none[1]) if came is None else _arrivals(came, fold)
    at_once = _at_once(item, time, label_item, label_time)
    if fold is not None:
        own = copies > 0
        item, time, copies = item[own], time[own], copies[own]
    what, events, when = merged(item, time, label_item, label_time, at_once, labels_first)
    labelled = what == Event.LABEL
    asked = np.zeros(len(events), np.int64)
    asked[~labelled] = copies[np.searchsorted(item, events[~labelled])]
    return Happened(labelled, events, when, *tally.count(labelled, events, asked))


def _arrivals(came: Said, fold: int | None) -> tuple[U64, I64, I64]:
    """Items, when each came, and how many copies (or whether copy `fold`) predicted it."""
    item, first, row = np.unique(came.item, return_index=True, return_inverse=True)
    own = row if fold is None else row[came.fold == fold]
    return item, came.time[first], np.bincount(own, minlength=len(item))


def _at_once(item: U64, came: I64, labelled: U64, known: I64) -> Flags:
    """Which labels came with their items.

    An item that no copy predicted (possible with drawn weights) has no row of its own; it came
    no earlier than the last predicted item before it.
    """
    if not len(item):
        return np.zeros(len(labelled), np.bool_)
    row = np.searchsorted(item, labelled, side="right") - 1
    at_once: Flags = (row >= 0) & (came[row] == known)
    return at_once


def _firsts(log: Log) -> Iterator[Said]:
    for said in log.said():
        yield replace(said, scores=None).take(said.kind == Kind.FIRST)


def _read_on(a: _Ahead[Any], b: _Ahead[Any], since: int) -> int:
    """Read on, whichever is behind; gives a time, after `since`, before which all is here."""
    until = since
    while until < NEVER and (until == since or len(a) + len(b) < ROWS):
        behind = a if a.now <= b.now else b
        behind.read()
        until = min(a.now, b.now)
    return until


Timed = TypeVar("Timed", Said, Truth)


class _Ahead(Generic[Timed]):
    """Rows in the order of time, read ahead of their use."""

    def __init__(self, batches: Iterator[Timed]) -> None:
        self._pending: Pending[Timed] = Pending(batches)
        self.now = BEGINNING
        """The time before which all rows are here; `NEVER` once nothing more comes."""

    def __len__(self) -> int:
        return len(self._pending)

    def read(self) -> None:
        """Read the next batch."""
        batch = self._pending.read()
        self.now = NEVER if batch is None else int(batch.time[-1])

    def take(self, until: int) -> Timed | None:
        """The rows before this time, which are then no longer held; None if there are none."""
        rows = self._pending.rows
        stop = 0 if rows is None else int(np.searchsorted(rows.time, until))
        return self._pending.head(stop) if stop else None


@dataclass(frozen=True, slots=True)
class _Heard(Columns):
    """Labelled items: number of labels known when each came, and the number of its own."""

    item: U64
    born: I64
    heard: I64


class Births:
    """Between which labels items were pending, found as their labels come, and when labels came."""

    def __init__(self, log: Log, who: str) -> None:
        self.every = asks_again(log, who)
        self.at_zero = log.about.get("first_at_zero") == "True"
        self._pending = Pending(self._labels(schedule(log, who)))
        self._times = ByNumber(np.int64)

    def of(self, rows: Columns) -> tuple[I64, I64]:
        """How many labels there were when each of these items came, and when its own did.

        Labels of the items must come one after the other, from call to call.
        """
        last = rows.items[-1]
        held = self._pending.part(0)
        while held is not None and not (held.items == last).any():
            self._pending.read()
            held = self._pending.rows
        assert held is not None  # a label in the log is an event of its schedule
        order = np.argsort(held.items)
        at = order[np.searchsorted(held.items, rows.items, sorter=order)]
        born, heard = held.born[at], held.heard[at]
        self._pending.keep(held, held.heard > heard.max())
        return born, heard

    def turns(self, born: I64, heard: I64) -> I64:
        """How often items were predicted again that were pending between these labels."""
        waited = heard - born
        if not self.every:
            return np.zeros_like(waited)
        if self.at_zero:
            asked: I64 = -(-waited // self.every)
            return asked
        later: I64 = np.maximum(waited - 1, 0) // self.every
        return later

    def time(self, label: I64) -> I64:
        """When these labels came, by the order in which they did."""
        return self._times.get(label)

    def _labels(self, events: Iterator[Happened]) -> Iterator[_Heard]:
        labels = 0
        for happened in events:
            labelled = happened.labelled
            number = np.arange(labels, labels + int(labelled.sum()))
            self._times.put(number, happened.time[labelled])
            labels += len(number)
            yield _Heard(happened.item[labelled], happened.born[labelled], number)

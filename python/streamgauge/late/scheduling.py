"""When every asking was, made anew from when items and labels came."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from streamgauge._core import Tally
from streamgauge.late.asking import asks_again
from streamgauge.log import Log
from streamgauge.log.by_number import ByNumber
from streamgauge.protocols._late import merged
from streamgauge.types import I64, NEVER, U64, Event, Flags, Kind

ROWS = 65_536
"""So many events, about, are looked at at once."""

BEGINNING = -(2**63)
"""Before all times."""


@dataclass(frozen=True, slots=True)
class Happened:
    """Events of a log in order, items that came and labels, and what was known after each.

    `made` counts askings again so far, `over` those of labelled items among them, `waiting` the
    items that wait. `born` is how many labels there were when the event's item came.
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


def schedule(log: Log, who: str) -> Iterator[Happened]:
    """Arrivals and labels in the order in which they happened, stretch by stretch.

    What is held in memory is what waits, and what happens at one time.
    """
    tally = Tally(asks_again(log, who), log.about.get("first_at_zero") == "True")
    firsts = _Column(_firsts(log))
    truths = _Column((t.item, t.time, int(t.time[-1])) for t in log.true() if len(t))
    labels_first = log.about.get("ties") == "labels_first"
    until = BEGINNING
    while until < NEVER:
        until = _read_on(firsts, truths, until)
        came_item, came = firsts.take(until)
        label_item, known = truths.take(until)
        if not len(came_item) and not len(label_item):
            continue
        # Copies of the learner have an arrival each.
        item, kept, copies = np.unique(came_item, return_index=True, return_counts=True)
        came = came[kept]
        at_once = _at_once(item, came, label_item, known)
        what, events, time = merged(item, came, label_item, known, at_once, labels_first)
        labelled = what == Event.LABEL
        asked = np.zeros(len(events), np.int64)
        asked[~labelled] = copies[np.searchsorted(item, events[~labelled])]
        yield Happened(labelled, events, time, *tally.count(labelled, events, asked))


def _at_once(item: U64, came: I64, labelled: U64, known: I64) -> Flags:
    """Which labels came with their items.

    An item that no copy predicted (possible with drawn weights) has no row of its own; it came
    no earlier than the last predicted item before it.
    """
    if not len(item):
        return np.zeros(len(labelled), np.bool_)
    row = np.searchsorted(item, labelled, side="right") - 1
    return (row >= 0) & (came[row] == known)


def _firsts(log: Log) -> Iterator[tuple[U64, I64, int]]:
    for said in log.said():
        if len(said):
            first = said.kind == Kind.FIRST
            yield said.item[first], said.time[first], int(said.time[-1])


def _read_on(a: _Column, b: _Column, since: int) -> int:
    """Read on, whichever is behind; gives a time, after `since`, before which all is here."""
    until = since
    while until < NEVER and (until == since or len(a) + len(b) < ROWS):
        behind = a if a.now <= b.now else b
        behind.read()
        until = min(a.now, b.now)
    return until


class _Column:
    """Items with their times, read on as they are needed; times do not step back."""

    def __init__(self, parts: Iterator[tuple[U64, I64, int]]) -> None:
        self._parts = parts
        self._item: list[U64] = [np.empty(0, np.uint64)]
        self._time: list[I64] = [np.empty(0, np.int64)]
        self._rows = 0
        self.now = BEGINNING
        """The time before which all is here; `NEVER` once nothing more comes."""

    def __len__(self) -> int:
        return self._rows

    def read(self) -> None:
        """Take the next part in."""
        part = next(self._parts, None)
        if part is None:
            self.now = NEVER
            return
        self._item.append(part[0])
        self._time.append(part[1])
        self._rows += len(part[0])
        self.now = part[2]

    def take(self, until: int) -> tuple[U64, I64]:
        """What was before this time, taken out."""
        item, time = np.concatenate(self._item), np.concatenate(self._time)
        stop = int(np.searchsorted(time, until))
        self._item, self._time = [item[stop:]], [time[stop:]]
        self._rows = len(item) - stop
        return item[:stop], time[:stop]


class Births:
    """Between which labels items waited, found as their labels come, and when labels came."""

    def __init__(self, log: Log, who: str) -> None:
        self.every = asks_again(log, who)
        self.at_zero = log.about.get("first_at_zero") == "True"
        self._events = schedule(log, who)
        self._times = ByNumber(np.int64)
        self._labels = 0
        self._item: U64 = np.empty(0, np.uint64)
        self._born: I64 = np.empty(0, np.int64)
        self._heard: I64 = np.empty(0, np.int64)

    def of(self, items: U64) -> tuple[I64, I64]:
        """How many labels there were when each came, and when its own did.

        Labels of the items must come one after the other, from call to call.
        """
        while not np.isin(items, self._item).all():
            self._read()
        order = np.argsort(self._item)
        at = order[np.searchsorted(self._item, items, sorter=order)]
        born, heard = self._born[at], self._heard[at]
        later = self._heard > heard.max(initial=-1)
        self._item, self._born = self._item[later], self._born[later]
        self._heard = self._heard[later]
        return born, heard

    def turns(self, born: I64, heard: I64) -> I64:
        """How often items were asked about again that waited between these labels."""
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

    def _read(self) -> None:
        happened = next(self._events)
        labelled = happened.labelled
        number = np.arange(self._labels, self._labels + int(labelled.sum()))
        self._times.put(number, happened.time[labelled])
        self._labels += len(number)
        self._item = np.concatenate([self._item, happened.item[labelled]])
        self._born = np.concatenate([self._born, happened.born[labelled]])
        self._heard = np.concatenate([self._heard, number])

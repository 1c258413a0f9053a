"""When every prediction was made, recomputed from when items and labels came."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from streamgauge._core import Tally
from streamgauge.late.asking import asks_again
from streamgauge.late.stretches import Order, stretches
from streamgauge.log import Log, one_fold
from streamgauge.log._join import Pending
from streamgauge.log.by_number import ByNumber
from streamgauge.log.rows import Columns
from streamgauge.protocols._late import merged
from streamgauge.types import I64, U64, Event, Flags


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
    order = Order(None, log.about.get("ties") == "labels_first")
    for part in stretches(one_fold(log, fold), order):
        item, row, copies = np.unique(part.first.item, return_index=True, return_counts=True)
        time, known = part.first.time[row], part.true
        what, events, when = merged(
            item, time, known.item, known.time, part.at_once, order.labels_first
        )
        if not len(events):
            continue
        labelled = what == Event.LABEL
        asked = np.zeros(len(events), np.int64)
        asked[~labelled] = copies[np.searchsorted(item, events[~labelled])]
        yield Happened(labelled, events, when, *tally.count(labelled, events, asked))


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

"""When every asking was, made anew from when items and labels came."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge.late.asking import asks_again
from streamgauge.log import Log
from streamgauge.protocols._late import merged
from streamgauge.types import I64, U64, Event, Flags, Kind


@dataclass(frozen=True, slots=True)
class Schedule:
    """The events of a log in order, and for each item between which labels it waited.

    `what`, `item` and `time` are the events (arrivals and labels). Of the items, in the order of
    their numbers: `born`, how many labels there were when each came, and `heard`, how many there
    were when its own came (all there are, if it did not), and `copies`, how many copies of the
    learner are asked about it. `label_time` are the labels' times.
    """

    every: int
    at_zero: bool
    labelled: Flags
    time: I64
    items: U64
    born: I64
    heard: I64
    known: Flags
    label_time: I64
    copies: I64

    def turns(self) -> I64:
        """How often each item was asked about again."""
        waited = self.heard - self.born
        if not self.every:
            return np.zeros_like(waited)
        if self.at_zero:
            asked: I64 = -(-waited // self.every)
            return asked
        later: I64 = np.maximum(waited - 1, 0) // self.every
        return later


def schedule(log: Log, who: str) -> Schedule:
    """Put arrivals and labels in the order in which they happened."""
    every = asks_again(log, who)
    firsts = [(s.item[f], s.time[f]) for s in log.said() if len(s) for f in [s.kind == Kind.FIRST]]
    truths = [(t.item, t.time) for t in log.true() if len(t)]
    item, first = _column(firsts, 0, np.uint64), _column(firsts, 1, np.int64)
    # copies of the learner have an arrival each
    item, kept, copies = np.unique(item, return_index=True, return_counts=True)
    came = first[kept]
    label_item, label_time = _column(truths, 0, np.uint64), _column(truths, 1, np.int64)
    row = np.searchsorted(item, label_item)
    at_once = came[row] == label_time if len(row) else np.empty(0, np.bool_)
    what, events, time = merged(
        item, came, label_item, label_time, at_once, log.about.get("ties") == "labels_first"
    )
    labelled = what == Event.LABEL
    before = np.cumsum(labelled)
    place = np.searchsorted(item, events)
    born = np.zeros(len(item), np.int64)
    born[place[~labelled]] = before[~labelled]
    heard = np.full(len(item), int(labelled.sum()), np.int64)
    heard[place[labelled]] = before[labelled] - 1
    known = np.zeros(len(item), np.bool_)
    known[place[labelled]] = True
    at_zero = log.about.get("first_at_zero") == "True"
    return Schedule(
        every, at_zero, labelled, time, item, born, heard, known, time[labelled], copies
    )


def _column(parts: list[tuple[U64, I64]], which: int, kind: type) -> np.ndarray:
    if not parts:
        return np.empty(0, kind)
    return np.concatenate([p[which] for p in parts])

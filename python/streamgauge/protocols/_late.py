"""Arrivals of items and labels, merged into one order of events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar, get_args

import numpy as np

from streamgauge.errors import TimetableError
from streamgauge.protocols._folds import Split, assignment_of, check_folds, one_of
from streamgauge.types import (
    I64,
    NEVER,
    U8,
    U64,
    Arrivals,
    Event,
    Events,
    Flags,
    FoldAssignment,
)
from streamgauge.types.times import moment, span

Ties: TypeAlias = Literal["labels_first", "items_first"]
"""Order of events at equal times: labels of earlier items first, or new items first."""

Tail: TypeAlias = Literal["flush", "drop"]
"""Labels that arrive after the last item: processed, or dropped with their items."""


def check(who: object, ties: str, tail: str, folds: int, split: str | None) -> None:
    """Check the options."""
    one_of(who, "ties", ties, get_args(Ties))
    one_of(who, "tail", tail, get_args(Tail))
    check_folds(who, folds, split)


@dataclass(frozen=True, slots=True)
class LateOptions:
    """Options of a protocol with late labels: see `Events`."""

    every: int
    first_at_zero: bool
    predict_last: bool
    ties: Ties
    tail: Tail
    folds: int = 1
    split: Split | None = None

    @property
    def about(self) -> dict[str, str]:
        """Entries of the log from which the time of every prediction can be derived."""
        return {
            "predicts_again": str(self.every),
            "first_at_zero": str(self.first_at_zero),
            "predicts_last": str(self.predict_last),
            "ties": self.ties,
            "tail": self.tail,
        }


def late(
    arrivals: Iterable[Arrivals], options: LateOptions, who: str, seed: int = 0
) -> Iterator[Events]:
    """The events, batch by batch; they do not depend on how the stream is divided into batches.

    At equal times: features change, then labels arrive, then items (or items, then labels), each
    in the order of the items. A label that arrives with its item follows it directly.
    """
    assignment = assignment_of(options.folds, options.split, seed)
    queue = _EventQueue(options, who, assignment)
    for batch in arrivals:
        if batch.ties is not None and batch.ties != options.ties:
            raise TimetableError(
                f"{who}: ties must be {batch.ties!r} for a stream with events in that order, "
                f"got {options.ties!r}; give ties={batch.ties!r}"
            )
        if batch.count:
            yield queue.events(batch)
    rest = queue.rest()
    if rest is not None:
        yield rest


LABEL, ARRIVAL, UNLABELLED = int(Event.LABEL), int(Event.ARRIVAL), int(Event.UNLABELLED)
"""As plain numbers: comparing an array with an enumeration member is slow."""


@dataclass(slots=True)
class _Pending:
    """Future labels or updates of items."""

    item: U64 = field(default_factory=lambda: np.empty(0, np.uint64))
    time: I64 = field(default_factory=lambda: np.empty(0, np.int64))

    def __len__(self) -> int:
        return len(self.item)

    def add(self, item: U64, time: I64) -> None:
        self.item = np.concatenate([self.item, item])
        self.time = np.concatenate([self.time, time])

    def take(self, due: Flags) -> tuple[U64, I64]:
        """Remove and return those that are due."""
        item, time = self.item[due], self.time[due]
        self.item, self.time = self.item[~due], self.time[~due]
        return item, time


@dataclass(slots=True)
class _EventQueue:
    """Pending items, and the labels and updates that will arrive."""

    options: LateOptions
    who: str
    assignment: FoldAssignment | None
    labels: _Pending = field(default_factory=_Pending)
    updates: _Pending = field(default_factory=_Pending)
    pending: U64 = field(default_factory=lambda: np.empty(0, np.uint64))
    labels_at_arrival: U64 = field(default_factory=lambda: np.empty(0, np.uint64))
    known: int = 0
    clock: int | None = None
    stop: int = 0

    def events(self, batch: Arrivals) -> Events:
        """The events up to the arrival of the last of these items."""
        item = np.arange(batch.first, batch.first + batch.count, dtype=np.uint64)
        raw = item.astype(np.int64) if batch.time is None else batch.time
        # Times never decrease: an item with an earlier time arrives at the time of the one before.
        start = raw if self.clock is None else np.concatenate([[self.clock], raw])
        time = np.maximum.accumulate(start)[len(start) - len(raw) :]
        self.clock, self.stop = int(time[-1]), batch.first + batch.count
        alone = batch.label_time is None and batch.updated is None
        if alone and not len(self.labels) and not len(self.updates):
            return self._chunk(_in_pairs(item, time))
        label_time = time if batch.label_time is None else batch.label_time
        self._refuse_early(batch, raw, label_time)
        immediate = label_time <= time
        late = ~immediate & (label_time != NEVER)
        self.labels.add(item[late], label_time[late])
        self._add_updates(batch, time, label_time)
        stays = late if self.options.every == 0 else ~immediate
        arrival = np.where(stays | immediate, np.uint8(ARRIVAL), np.uint8(UNLABELLED))
        now = self.clock
        first = self.options.ties == "labels_first"
        due = self.labels.time <= now if first else self.labels.time < now
        label_item, label_time = self.labels.take(due)
        update_item, update_time = self.updates.take(self.updates.time <= now)
        kinds = (
            (update_item, update_time, Event.UPDATE, -1),
            (label_item, label_time, Event.LABEL, 0 if first else 2),
            (item[immediate], time[immediate], Event.LABEL, 1),
        )
        return self._chunk(_sorted(item, time, arrival, kinds))

    def rest(self) -> Events | None:
        """The events after the arrival of the last item."""
        if self.clock is None:
            return None
        flush = self.options.tail == "flush"
        until = NEVER - 1 if flush else self.clock
        label_item, label_time = self.labels.take(self.labels.time <= until)
        update_item, update_time = self.updates.take(self.updates.time <= until)
        if not len(label_item):
            return None
        no_items = np.empty(0, np.uint64)
        kinds = (
            (update_item, update_time, Event.UPDATE, -1),
            (label_item, label_time, Event.LABEL, 0),
        )
        return self._chunk(_sorted(no_items, np.empty(0, np.int64), np.empty(0, np.uint8), kinds))

    def _chunk(self, made: tuple[U8, U64, I64]) -> Events:
        what, item, time = made
        labelled = what == LABEL
        arrived = np.flatnonzero(what == ARRIVAL)
        pending, labels_at_arrival, labels = self.pending, self.labels_at_arrival, self.known
        self.known += int(np.count_nonzero(labelled))
        if self.known - labels == len(pending) + len(arrived):  # no item stays pending
            self.pending, self.labels_at_arrival = pending[:0], labels_at_arrival[:0]
        else:
            everything = np.concatenate([pending, item[arrived]])
            before = (labels + np.cumsum(labelled)[arrived]).astype(np.uint64)
            stays = ~np.isin(everything, item[labelled])
            self.pending = everything[stays]
            self.labels_at_arrival = np.concatenate([labels_at_arrival, before])[stays]
        keep_from = int(self.pending[0]) if len(self.pending) else self.stop
        options = self.options
        return Events(
            what, item, time, options.every, options.first_at_zero, options.predict_last,
            labels, pending, labels_at_arrival, self.pending, keep_from, self.assignment,
        )  # fmt: skip

    def _refuse_early(self, batch: Arrivals, time: I64, label_time: I64) -> None:
        early = np.flatnonzero(label_time < time)
        if len(early):
            at = int(early[0])
            early_by = span(int(time[at]) - int(label_time[at]), batch.clock)
            raise TimetableError(
                f"{self.who}: a label must not arrive before its item, got one at "
                f"{moment(label_time[at], batch.clock)} for item {batch.first + at:,}, which "
                f"arrives {early_by} later; correct label_time, or leave it out"
            )

    def _add_updates(self, batch: Arrivals, time: I64, label_time: I64) -> None:
        if batch.updated is None or batch.update_time is None:
            return
        row = batch.updated.astype(np.int64) - batch.first
        early = np.flatnonzero(batch.update_time <= time[row])
        if len(early):
            at = int(early[0])
            raise TimetableError(
                f"{self.who}: features must change after their item arrived, got an update at "
                f"{moment(batch.update_time[at], batch.clock)} for item "
                f"{int(batch.updated[at]):,}, which arrives at {moment(time[row[at]], batch.clock)}"
            )
        # Updates after the label has arrived have no effect.
        of_use = batch.update_time <= label_time[row]
        if self.options.every == 0:
            of_use &= label_time[row] != NEVER
        self.updates.add(batch.updated[of_use], batch.update_time[of_use])


def merged(
    item: U64, arrived: I64, labelled: U64, known: I64, immediate: Flags, labels_first: bool
) -> tuple[U8, U64, I64]:
    """The events of items that arrived at `arrived` and labels known at `known`, in order."""
    late = ~immediate
    kinds = (
        (labelled[late], known[late], Event.LABEL, 0 if labels_first else 2),
        (labelled[immediate], known[immediate], Event.LABEL, 1),
    )
    return _sorted(item, arrived, np.full(len(item), Event.ARRIVAL, np.uint8), kinds)


Column = TypeVar("Column", U64, I64)

Kinds: TypeAlias = tuple[tuple[U64, I64, Event, int], ...]


def _sorted(item: U64, time: I64, arrival: U8, kinds: Kinds) -> tuple[U8, U64, I64]:
    """All events by time, then by the order of kinds, then by item."""
    *others, (same, then, _, _) = kinds
    alone = not any(len(k[0]) for k in others) and bool((arrival == ARRIVAL).all())
    if alone and np.array_equal(same, item) and np.array_equal(then, time):
        return _in_pairs(item, time)
    items = np.concatenate([item, *(k[0] for k in kinds)])
    times = np.concatenate([time, *(k[1] for k in kinds)])
    what = np.concatenate([arrival, *(np.full(len(k[0]), k[2], np.uint8) for k in kinds)])
    phase = np.concatenate(
        [np.ones(len(item), np.int8), *(np.full(len(k[0]), k[3], np.int8) for k in kinds)]
    )
    # The arrival and the label of an item may differ in nothing but their kind.
    order = np.lexsort((what == Event.LABEL, items, phase, times))
    return what[order], items[order], times[order]


def _in_pairs(item: U64, time: I64) -> tuple[U8, U64, I64]:
    """The events if each label arrives with its item: no sorting is needed."""
    what = np.tile(np.array([ARRIVAL, LABEL], np.uint8), len(item))
    return what, _twice(item), _twice(time)


def _twice(column: Column) -> Column:
    """Each value twice; several times as fast as `np.repeat`."""
    out = np.empty(2 * len(column), column.dtype)
    out[0::2] = out[1::2] = column
    return out

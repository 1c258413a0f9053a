"""Arrivals and the times of their labels, brought into one order of events."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar, get_args

import numpy as np

from streamgauge._core import uniforms
from streamgauge.errors import ParameterError, PlanError
from streamgauge.kinds import at_least
from streamgauge.seeds import child
from streamgauge.types import F64, I64, NEVER, U8, U64, Arrivals, Event, Events, Flags
from streamgauge.types.times import moment, span

Ties: TypeAlias = Literal["labels_first", "items_first"]
"""What happens first at one time: labels of earlier items come, or new items."""

Tail: TypeAlias = Literal["flush", "drop"]
"""Labels that come after the last item: waited for, or left out with the items' evaluation."""


Split: TypeAlias = Literal["cross", "split", "bootstrap"]
"""Which copies an item is taught: all but one, which is asked (`cross`); one, and all others are
asked (`split`); each with a weight drawn from Poisson's distribution, and those with 0 are asked
(`bootstrap`)."""


ALONE = {"cross": "never learn", "split": "never predict"}
"""What becomes of a single copy, by split; drawn weights (`bootstrap`) let it do both."""


MOST_FOLDS = 65_535
"""The log numbers folds in 16 bits."""


def check(who: object, ties: str, tail: str, folds: int, split: str | None) -> None:
    """Refuse unknown policies, and one copy that would never learn or never predict."""
    at_least(who, "folds", folds, 1)
    if folds > MOST_FOLDS:
        raise ParameterError.of(who, "folds", f"at most {MOST_FOLDS:,}", folds)
    for what, got, known in (
        ("ties", ties, get_args(Ties)),
        ("tail", tail, get_args(Tail)),
        ("split", split, (None, *get_args(Split))),
    ):
        if got not in known:
            raise ParameterError.of(who, what, " or ".join(map(repr, known)), got)
    if folds == 1 and split in ALONE:
        raise ParameterError(
            f"{type(who).__name__}: folds must be at least 2 with split={split!r}, got 1, and the "
            f"only copy would {ALONE[split]}; leave split out for one copy that predicts and learns"
        )


@dataclass(frozen=True, slots=True)
class Asking:
    """How a protocol with late labels asks: see `Events`."""

    every: int
    at_zero: bool
    ask_last: bool
    ties: Ties
    tail: Tail
    folds: int = 1
    split: Split | None = None

    @property
    def about(self) -> dict[str, str]:
        """What a log must say, so that every asking can be found again in it."""
        return {
            "asks_again": str(self.every),
            "first_at_zero": str(self.at_zero),
            "asks_last": str(self.ask_last),
            "ties": self.ties,
            "tail": self.tail,
        }


@dataclass(frozen=True, slots=True)
class Shared:
    """Items shared out by their numbers: see `Split`."""

    folds: int
    split: Split
    seed: int

    def shares(self, first: int, count: int) -> U8:
        """A row a copy, a column an item: how many times it is taught; 0: it is asked instead."""
        if self.split == "bootstrap":
            drawn = [self._draws(f"weight {fold}", first, count) for fold in range(self.folds)]
            return np.searchsorted(POISSON, np.stack(drawn), side="right").astype(np.uint8)
        own = (self._draws("fold", first, count) * self.folds).astype(np.uint32)
        copies = np.arange(self.folds, dtype=np.uint32)[:, None]
        mine: Flags = own == copies if self.split == "split" else own != copies
        return mine.view(np.uint8)

    def _draws(self, role: str, first: int, count: int) -> F64:
        return uniforms(child(self.seed, role), first, count)


POISSON = np.cumsum([math.exp(-1) / math.factorial(k) for k in range(12)])
"""The chance that a weight drawn for the bootstrap is at most 0, 1, 2, …"""


def late(arrivals: Iterable[Arrivals], asking: Asking, who: str, seed: int = 0) -> Iterator[Events]:
    """The events, batch by batch; how the stream is cut cannot matter.

    At one time: features change, then labels come, then items (or items, then labels), each in
    the order of the items. A label that comes with its item follows it directly.
    """
    alone = asking.folds == 1 and asking.split is None
    shared = None if alone else Shared(asking.folds, asking.split or "cross", seed)
    line = _Line(asking, who, shared)
    for batch in arrivals:
        if batch.ties is not None and batch.ties != asking.ties:
            raise PlanError(
                f"{who}: ties must be {batch.ties!r} for events that were given in that order, "
                f"got {asking.ties!r}; give ties={batch.ties!r}"
            )
        if batch.count:
            yield line.events(batch)
    rest = line.rest()
    if rest is not None:
        yield rest


LABEL, ARRIVAL, PASSING = int(Event.LABEL), int(Event.ARRIVAL), int(Event.PASSING)
"""As plain numbers: to compare an array with a member of an enumeration is slow."""


@dataclass(slots=True)
class _Pending:
    """Things that will happen to items: labels or updates."""

    item: U64 = field(default_factory=lambda: np.empty(0, np.uint64))
    time: I64 = field(default_factory=lambda: np.empty(0, np.int64))

    def __len__(self) -> int:
        return len(self.item)

    def add(self, item: U64, time: I64) -> None:
        self.item = np.concatenate([self.item, item])
        self.time = np.concatenate([self.time, time])

    def take(self, due: Flags) -> tuple[U64, I64]:
        """Those due, which are then no longer pending."""
        item, time = self.item[due], self.time[due]
        self.item, self.time = self.item[~due], self.time[~due]
        return item, time


@dataclass(slots=True)
class _Line:
    """Who waits for what."""

    asking: Asking
    who: str
    sharing: Shared | None
    labels: _Pending = field(default_factory=_Pending)
    updates: _Pending = field(default_factory=_Pending)
    waiting: U64 = field(default_factory=lambda: np.empty(0, np.uint64))
    born: U64 = field(default_factory=lambda: np.empty(0, np.uint64))
    known: int = 0
    clock: int | None = None
    stop: int = 0

    def events(self, batch: Arrivals) -> Events:
        """What happens until the last of these items has come."""
        item = np.arange(batch.first, batch.first + batch.count, dtype=np.uint64)
        raw = item.astype(np.int64) if batch.time is None else batch.time
        # A clock that was allowed to step back stands still instead: what came cannot un-come.
        start = raw if self.clock is None else np.concatenate([[self.clock], raw])
        time = np.maximum.accumulate(start)[len(start) - len(raw) :]
        self.clock, self.stop = int(time[-1]), batch.first + batch.count
        alone = batch.label_time is None and batch.updated is None
        if alone and not len(self.labels) and not len(self.updates):
            return self._chunk(_in_pairs(item, time))
        out = time if batch.label_time is None else batch.label_time
        self._refuse_early(batch, raw, out)
        at_once = out <= time
        late = ~at_once & (out != NEVER)
        self.labels.add(item[late], out[late])
        self._add_updates(batch, time, out)
        waits = late if self.asking.every == 0 else ~at_once
        arrival = np.where(waits | at_once, np.uint8(ARRIVAL), np.uint8(PASSING))
        now = self.clock
        first = self.asking.ties == "labels_first"
        due = self.labels.time <= now if first else self.labels.time < now
        label_item, label_time = self.labels.take(due)
        update_item, update_time = self.updates.take(self.updates.time <= now)
        kinds = (
            (update_item, update_time, Event.UPDATE, -1),
            (label_item, label_time, Event.LABEL, 0 if first else 2),
            (item[at_once], time[at_once], Event.LABEL, 1),
        )
        return self._chunk(_sorted(item, time, arrival, kinds))

    def rest(self) -> Events | None:
        """What happens after the last item has come."""
        if self.clock is None:
            return None
        flush = self.asking.tail == "flush"
        until = NEVER - 1 if flush else self.clock
        label_item, label_time = self.labels.take(self.labels.time <= until)
        update_item, update_time = self.updates.take(self.updates.time <= until)
        if not len(label_item):
            return None
        nobody = np.empty(0, np.uint64)
        kinds = (
            (update_item, update_time, Event.UPDATE, -1),
            (label_item, label_time, Event.LABEL, 0),
        )
        return self._chunk(_sorted(nobody, np.empty(0, np.int64), np.empty(0, np.uint8), kinds))

    def _chunk(self, made: tuple[U8, U64, I64]) -> Events:
        what, item, time = made
        labelled = what == LABEL
        came = np.flatnonzero(what == ARRIVAL)
        begin = self.waiting, self.born, self.known
        self.known += int(np.count_nonzero(labelled))
        if self.known - begin[2] == len(self.waiting) + len(came):  # nobody stays
            self.waiting, self.born = self.waiting[:0], self.born[:0]
        else:
            everyone = np.concatenate([self.waiting, item[came]])
            before = begin[2] + np.cumsum(labelled)[came]
            stays = ~np.isin(everyone, item[labelled])
            self.waiting = everyone[stays]
            self.born = np.concatenate([self.born, before.astype(np.uint64)])[stays]
        keep_from = int(self.waiting[0]) if len(self.waiting) else self.stop
        how = self.asking
        return Events(
            what, item, time, how.every, how.at_zero, how.ask_last,
            begin[2], begin[0], begin[1], self.waiting, keep_from, self.sharing,
        )  # fmt: skip

    def _refuse_early(self, batch: Arrivals, time: I64, out: I64) -> None:
        early = np.flatnonzero(out < time)
        if len(early):
            at = int(early[0])
            early_by = span(int(time[at]) - int(out[at]), batch.clock)
            raise PlanError(
                f"{self.who}: no label must come before its item, got one at "
                f"{moment(out[at], batch.clock)} for item {batch.first + at:,}, which comes "
                f"{early_by} later; correct label_time, or leave it out"
            )

    def _add_updates(self, batch: Arrivals, time: I64, out: I64) -> None:
        if batch.updated is None or batch.update_time is None:
            return
        row = batch.updated.astype(np.int64) - batch.first
        early = np.flatnonzero(batch.update_time <= time[row])
        if len(early):
            at = int(early[0])
            raise PlanError(
                f"{self.who}: features must change after their item has come, got an update at "
                f"{moment(batch.update_time[at], batch.clock)} for item "
                f"{int(batch.updated[at]):,}, which comes at {moment(time[row[at]], batch.clock)}"
            )
        # What changes after the label is there changes nothing.
        of_use = batch.update_time <= out[row]
        if self.asking.every == 0:
            of_use &= out[row] != NEVER
        self.updates.add(batch.updated[of_use], batch.update_time[of_use])


def merged(
    item: U64, came: I64, labelled: U64, known: I64, at_once: Flags, labels_first: bool
) -> tuple[U8, U64, I64]:
    """The events of items that came at `came` and labels known at `known`, in order."""
    late = ~at_once
    kinds = (
        (labelled[late], known[late], Event.LABEL, 0 if labels_first else 2),
        (labelled[at_once], known[at_once], Event.LABEL, 1),
    )
    return _sorted(item, came, np.full(len(item), Event.ARRIVAL, np.uint8), kinds)


Column = TypeVar("Column", U64, I64)

Kinds: TypeAlias = tuple[tuple[U64, I64, Event, int], ...]


def _sorted(item: U64, time: I64, arrival: U8, kinds: Kinds) -> tuple[U8, U64, I64]:
    """All events by time, then by what comes first, then by item."""
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
    # An item and the label that comes with it have all in common but their kind.
    order = np.lexsort((what == Event.LABEL, items, phase, times))
    return what[order], items[order], times[order]


def _in_pairs(item: U64, time: I64) -> tuple[U8, U64, I64]:
    """Each label comes with its item: nothing is to be sorted."""
    what = np.tile(np.array([ARRIVAL, LABEL], np.uint8), len(item))
    return what, _twice(item), _twice(time)


def _twice(column: Column) -> Column:
    """Each of them two times; several times as fast as `np.repeat`."""
    out = np.empty(2 * len(column), column.dtype)
    out[0::2] = out[1::2] = column
    return out

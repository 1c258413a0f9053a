"""Timetables: what a protocol knows of items, and the orders it makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from streamgauge.types.columns import F64, I64, U8, U16, U32, U64, Flags
from streamgauge.types.times import ClockName


@dataclass(frozen=True, slots=True)
class Arrivals:
    """What a protocol may know of consecutive items: numbers and times, no features, no labels.

    `time` None: the items' own numbers. `label_time` None: every label comes at once.
    `updated` and `update_time` say which of them change when. `clock` is what a tick is, `ties`
    the order of events of one time that the stream needs, if it needs one.
    """

    first: int
    count: int
    time: I64 | None = None
    label_time: I64 | None = None
    updated: U64 | None = None
    update_time: I64 | None = None
    clock: ClockName = "item"
    ties: Literal["labels_first", "items_first"] | None = None


class Op(IntEnum):
    """What an order asks for."""

    PREDICT = 0
    """Ask copy `fold` about `item`; it is shown x, never y."""
    REVEAL = 1
    """Tell the log, and only the log, what the label turned out to be."""
    LEARN = 2
    """Teach copy `fold` the labelled item, with `weight`."""
    UPDATE = 3
    """From now on `item` has new features: those of its next update."""


class Kind(IntEnum):
    """Which asking a prediction is."""

    FIRST = 0
    PERIODIC = 1
    FINAL = 2


@dataclass(frozen=True, slots=True)
class Orders:
    """A chunk of a timetable, written out: one row an order, in the order they are carried out.

    After this chunk no order refers to an item below `keep_from`.
    """

    op: U8
    item: U64
    fold: U16
    turn: U32
    kind: U8
    weight: F64
    time: I64
    keep_from: int = 0

    def __len__(self) -> int:
        return len(self.op)


What: TypeAlias = Literal["test_then_train", "chunk", "train"]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A chunk of a timetable in short: the same thing for each item from `first` to before `stop`.

    `test_then_train`: each item is asked about, revealed, taught.
    `chunk`: all are asked about, then all revealed, then all taught.
    `train`: each is taught only.
    All of fold 0. Items without a label (`known` False) are asked about and no more.
    `expand` (in protocols) writes it out; a test proves both equal.
    """

    what: What
    first: int
    stop: int
    known: Flags | None = None
    time: I64 | None = None
    keep_from: int = 0


class Sharing(Protocol):
    """How items are shared out among copies of the learner."""

    @property
    def folds(self) -> int:
        """How many copies there are."""

    def shares(self, first: int, count: int) -> U8:
        """A row a copy, a column an item: how many times it is taught; 0: it is asked instead."""


class Event(IntEnum):
    """What happens to an item."""

    ARRIVAL = 0
    """It comes, is asked about, and waits for its label."""
    LABEL = 1
    """Its label comes and is taught; before that, those that wait are asked again as is due."""
    UPDATE = 2
    """Its features change while it waits."""
    PASSING = 3
    """It comes, is asked about, and no more."""


@dataclass(frozen=True, slots=True)
class Events:
    """A chunk of a timetable with late labels, in short: what happens, in order.

    A waiting item is asked about again at every `every`-th label since it came (0: never), from
    the first on if `at_zero`, and once more when its own label comes if `ask_last`. When the
    chunk begins, `labels` have come, and the items `waiting` wait, of which each came when
    `born` labels had. Those of them and of the new ones that still wait at the end are `left`.
    `sharing` None: one copy, which is asked about and taught every item.
    `expand` (in protocols) writes it out as orders.
    """

    what: U8
    item: U64
    time: I64
    every: int
    at_zero: bool
    ask_last: bool
    labels: int
    waiting: U64
    born: U64
    left: U64
    keep_from: int = 0
    sharing: Sharing | None = None

    def __len__(self) -> int:
        return len(self.what)


Timetable: TypeAlias = Iterator[Orders | Pattern | Events]


@runtime_checkable
class EvaluationProtocol(Protocol):
    """A pure, seeded function from arrivals to orders."""

    @property
    def folds(self) -> int:
        """How many copies of the learner it drives."""

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """The orders, chunk by chunk, lazily."""

"""The nouns at the doors: what is handed from room to room. No behaviour beyond shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

F64: TypeAlias = NDArray[np.float64]
I64: TypeAlias = NDArray[np.int64]
I32: TypeAlias = NDArray[np.int32]
U64: TypeAlias = NDArray[np.uint64]
U32: TypeAlias = NDArray[np.uint32]
U16: TypeAlias = NDArray[np.uint16]
U8: TypeAlias = NDArray[np.uint8]
Flags: TypeAlias = NDArray[np.bool_]
Codes: TypeAlias = I32
"""Class codes, `NONE` where there is none."""

Value: TypeAlias = str | int | float | bool
"""A nominal value or class as the user wrote it."""

NONE = -1
"""The code of a missing label or of an answer that was not given (real ones: NaN)."""

NEVER = 2**63 - 1
"""The label time of a label that never comes."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One column of x: numeric, or nominal with its values in code order."""

    name: str
    values: tuple[Value, ...] | None = None

    @property
    def nominal(self) -> bool:
        """Are the cells codes of `values`?"""
        return self.values is not None


DriftKind = Literal["abrupt", "gradual", "incremental", "recurring"]


@dataclass(frozen=True, slots=True)
class Drift:
    """A known drift: items from `start` on are touched, from `end` on all is new."""

    start: int
    centre: int
    end: int
    kind: DriftKind = "abrupt"


@dataclass(frozen=True, slots=True)
class Schema:
    """What a stream promises about its items.

    `classes` is None for a real target. Times are ticks of `clock`: item numbers, or
    microseconds. `notes` says what was inferred rather than declared.
    """

    features: tuple[Feature, ...]
    target: str = "label"
    classes: tuple[Value, ...] | None = None
    drifts: tuple[Drift, ...] = ()
    clock: Literal["item", "us"] = "item"
    notes: tuple[str, ...] = ()

    @property
    def task(self) -> Literal["classification", "regression"]:
        """What is asked of a learner."""
        return "regression" if self.classes is None else "classification"

    @property
    def names(self) -> tuple[str, ...]:
        """The features' names."""
        return tuple(f.name for f in self.features)


@dataclass(frozen=True, slots=True)
class Updates:
    """New features of items whose labels are not there yet, in the order of time.

    `x` holds whole rows: from `time` on, these are the item's features.
    """

    item: U64
    time: I64
    x: F64

    def __len__(self) -> int:
        return len(self.item)


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive items of a stream, as columns.

    `x` is C-contiguous float64, one row an item; nominal cells are codes, missing cells NaN.
    `label` holds class codes (int32, `NONE` if missing) or reals (float64, NaN if missing).
    `time` and `label_time` are ticks; None means the item's own number (label at once).
    An item whose label is missing has label time `NEVER`. `updates` are what its own items' rows
    will be later.
    """

    first: int
    x: F64
    label: Codes | F64
    time: I64 | None = None
    label_time: I64 | None = None
    weight: F64 | None = None
    updates: Updates | None = None

    def __len__(self) -> int:
        return len(self.label)


@runtime_checkable
class Stream(Protocol):
    """A replayable, seeded, lazy source of items.

    Two walks with the same seed give the same items, whatever the batch size. A stream that
    has a seed of its own uses that and ignores the one given here.
    """

    @property
    def name(self) -> str:
        """What tables and reports call it."""

    @property
    def schema(self) -> Schema:
        """What it promises about its items."""

    @property
    def length(self) -> int | None:
        """How many items, None if unknown or endless."""

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Its items from the first on, at most `size` at a time."""


@dataclass(frozen=True, slots=True)
class Arrivals:
    """What a protocol may know of consecutive items: numbers and times, no features, no labels.

    `time` None: the items' own numbers. `label_time` None: every label comes at once.
    `updated` and `update_time` say which of them change when.
    """

    first: int
    count: int
    time: I64 | None = None
    label_time: I64 | None = None
    updated: U64 | None = None
    update_time: I64 | None = None


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


class Learner(Protocol):
    """A learner the engine can drive: bound to a schema, knowing nothing yet.

    Rows are float64 with nominal codes and NaN for missing; labels are codes or reals. `first`
    is the number of the first item, for learners that draw by item and for errors that name it.
    `streamgauge.testing.check_learner` is the contract. What a learner may have besides is in
    `Remembering` and `Watchful`; the engine looks whether it does.
    """

    @property
    def takes_missing(self) -> bool:
        """May a row have missing values?"""

    @property
    def has_scores(self) -> bool:
        """Can it be asked for scores?"""

    def answer(self, rows: F64, first: int = 0) -> Codes | F64:
        """Class codes (`NONE` for no answer) or reals (NaN for no answer). Teaches nothing."""

    def scores(self, rows: F64, first: int = 0) -> F64:
        """One number a class for each row; NaN before it knows anything."""

    def learn(self, rows: F64, labels: Codes | F64, weights: F64 | None = None) -> None:
        """Learn labelled items, in order. None: every weight is 1."""

    def test_then_train(
        self,
        first: int,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        scores: F64 | None = None,
    ) -> Codes | F64:
        """Answer each item, then learn it unless its label is missing; fill `scores` if given."""

    def fresh(self, seed: int) -> Learner:
        """A copy that knows nothing, with its own seed."""


@runtime_checkable
class Remembering(Protocol):
    """A learner that trains on what it was asked with, or wants to know what it said.

    Such as one that is shown the labels before an item: when its label comes late, it must be
    taught with the columns it was asked with. Who has `asked` is taught with the items' numbers.
    """

    def asked(self, first: int, answers: Codes | F64) -> None:
        """Be told what was said to consecutive items, from number `first` on, when it was said."""

    def learn(
        self,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        items: U64 | None = None,
    ) -> None:
        """Learn labelled items, in order; `items` are their numbers, None: those that follow."""

    def let_go(self, keep_from: int) -> None:
        """Forget items below `keep_from`: they will neither be asked about nor taught again."""


@runtime_checkable
class Watchful(Protocol):
    """A learner with a detector inside; what it says goes into the log (`log.alarms()`)."""

    def alarms(self) -> list[tuple[int, str, str]]:
        """(item, detector, kind) of each signal since it was last asked, in order.

        `kind` is `"alarm"`, or `"warning"` where one begins.
        """


@dataclass(frozen=True, slots=True)
class Curve:
    """A measure over a stream: one value after every `at`-th item. NaN where undefined.

    `definition` says everything the number depends on: measure, variant, window, cold start.
    `low` and `high` are the ends of a band around it, if one was asked for.
    """

    measure: str
    window: str
    at: I64
    value: F64
    definition: Mapping[str, str] = field(default_factory=dict)
    low: F64 | None = None
    high: F64 | None = None

    @property
    def final(self) -> float:
        """The last value; NaN for an empty log."""
        return float(self.value[-1]) if len(self.value) else float("nan")

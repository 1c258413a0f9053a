"""Timetables: the input of a protocol (arrivals) and its output (orders)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np

from streamgauge.types.columns import F64, I64, U8, U16, U32, U64, Flags
from streamgauge.types.times import ClockName


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Consecutive items as a protocol sees them: numbers and times, no features, no labels.

    `time` is None if it equals the item numbers, `label_time` if every label arrives with its
    item. `updated` and `update_time` are the items whose features change, and when. `clock` is
    the unit of a tick, `ties` the order of simultaneous events that the stream requires, if any.
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
    """The operation of an order."""

    PREDICT = 0
    """Fold `fold` predicts `item`; it gets x, never y."""
    REVEAL = 1
    """Record the label in the log, and nowhere else."""
    LEARN = 2
    """Fold `fold` learns the labelled item, with `weight`."""
    UPDATE = 3
    """The features of `item` are replaced by those of its next update."""


class Kind(IntEnum):
    """The kind of a prediction.

    Of an item whose label arrives: at arrival, while the label is pending, or when it arrives. Of
    an item in a test set: at its first test, or at a later one.
    """

    FIRST = 0
    PERIODIC = 1
    FINAL = 2
    TEST = 3


@dataclass(frozen=True, slots=True)
class Orders:
    """A chunk of a timetable, written out: one row per order, in execution order.

    After this chunk no order refers to an item below `keep_from`, except those in `keep`, which
    ascend.
    """

    op: U8
    item: U64
    fold: U16
    turn: U32
    kind: U8
    weight: F64
    time: I64
    keep_from: int = 0
    keep: U64 = field(default_factory=lambda: np.empty(0, np.uint64))

    def __len__(self) -> int:
        return len(self.op)

    def take(self, rows: Any) -> Orders:
        """The orders at these positions."""
        return Orders(
            self.op[rows],
            self.item[rows],
            self.fold[rows],
            self.turn[rows],
            self.kind[rows],
            self.weight[rows],
            self.time[rows],
            self.keep_from,
            self.keep,
        )

    @classmethod
    def concatenate(cls, parts: Sequence[Orders]) -> Orders:
        """Consecutive chunks as one."""
        return cls(
            np.concatenate([p.op for p in parts]),
            np.concatenate([p.item for p in parts]),
            np.concatenate([p.fold for p in parts]),
            np.concatenate([p.turn for p in parts]),
            np.concatenate([p.kind for p in parts]),
            np.concatenate([p.weight for p in parts]),
            np.concatenate([p.time for p in parts]),
            parts[-1].keep_from,
            parts[-1].keep,
        )


PatternKind: TypeAlias = Literal["test_then_train", "predict_then_learn", "learn", "predict"]


class FoldAssignment(Protocol):
    """Which folds learn each item, how often, and which predict it."""

    @property
    def folds(self) -> int:
        """The number of folds."""

    def weights(self, first: int, count: int) -> U8:
        """One row per fold, one column per item: how often it learns it; 0: it does not."""

    def predicts(self, first: int, count: int) -> Flags | None:
        """One row per fold, one column per item: whether it predicts it.

        None: each fold predicts the items that it does not learn.
        """


@dataclass(frozen=True, slots=True)
class Pattern:
    """A chunk of a timetable in short form: the same orders for items `first` to `stop` - 1.

    `test_then_train`: each item is predicted, revealed, learned.
    `predict_then_learn`: all are predicted, then all revealed, then all learned.
    `learn`: each is only learned.
    `predict`: all are predicted, then all revealed.
    All by fold 0, or by the folds of `assignment`. Items without a label (`known` False) are only
    predicted.
    `protocols.timetable.expand` writes it out as orders.
    """

    kind: PatternKind
    first: int
    stop: int
    known: Flags | None = None
    time: I64 | None = None
    keep_from: int = 0
    assignment: FoldAssignment | None = None


class Event(IntEnum):
    """What happens to an item. A `FoldAssignment` states which of several folds predict it."""

    ARRIVAL = 0
    """It arrives and is predicted; its label is pending."""
    LABEL = 1
    """Its label arrives and is learned, after the predictions due at this label."""
    UPDATE = 2
    """Its features change while its label is pending."""
    UNLABELLED = 3
    """It arrives and is predicted once; its label never arrives."""


@dataclass(frozen=True, slots=True)
class Events:
    """A chunk of a timetable with late labels, in short form: events, in order.

    A pending item is predicted again at every `every`-th label after its arrival (0: never),
    beginning with the first one if `first_at_zero`, and when its own label arrives if
    `predict_last`. When the chunk begins, `labels` labels have arrived and the items `pending`
    are pending; `labels_at_arrival` is the number of labels when each of them arrived.
    `pending_after` are the pending items when the chunk ends. `assignment` None: one fold, which
    predicts and learns every item. `protocols.timetable.expand` writes it out as orders.
    """

    event: U8
    item: U64
    time: I64
    every: int
    first_at_zero: bool
    predict_last: bool
    labels: int
    pending: U64
    labels_at_arrival: U64
    pending_after: U64
    keep_from: int = 0
    assignment: FoldAssignment | None = None

    def __len__(self) -> int:
        return len(self.event)


Timetable: TypeAlias = Iterator[Orders | Pattern | Events]


@runtime_checkable
class EvaluationProtocol(Protocol):
    """A pure, seeded function from arrivals to a timetable."""

    @property
    def folds(self) -> int:
        """The number of folds: copies of the learner."""

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """The orders, chunk by chunk, lazily."""

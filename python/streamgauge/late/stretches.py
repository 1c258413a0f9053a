"""Predictions and labels of a log brought into the order in which they happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeVar

import numpy as np

from streamgauge.log import Log
from streamgauge.log._join import Pending
from streamgauge.log.rows import Came, Plain, Said, Truth
from streamgauge.types import F64, I64, NEVER, Codes, Flags, Kind

ROWS = 65_536
"""So many rows, about, are looked at at once."""

BEGINNING = -(2**63)
"""Before all times."""


@dataclass(frozen=True, slots=True)
class Order:
    """What happened first.

    `items` is how many consecutive items are predicted before they are all learned; None: labels
    come late, each is learned when it comes, and times say what was first. At one time, labels
    of earlier items come before new items if `labels_first`.
    """

    items: int | None = None
    labels_first: bool = True


def order_of(log: Log) -> Order | None:
    """The order of a log's predictions and labels; None if the log does not tell it.

    It does not where items were learned whose labels are not in the log (`pretrain`), for a
    protocol that declares nothing (`about`), and for the predictions of one bin.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.take(sg.streams.SEA(), 100)
    >>> for protocol in (sg.protocols.Chunks(20), sg.protocols.Prequential(pretrain=10)):
    ...     print(order_of(sg.run(stream, sg.learners.NaiveBayes(), protocol)))
    Order(items=20, labels_first=True)
    None
    """
    about = log.about
    if "bin" in about or about.get("pretrain", "0") != "0":
        return None
    if "ties" in about:
        return Order(None, about["ties"] == "labels_first")
    return Order(int(about["learns_every"])) if "learns_every" in about else None


@dataclass(frozen=True, slots=True)
class Stretch:
    """What happened after all that was before, and before all that follows.

    First predictions of items, each made when `born` labels were known, and labels that became
    known, of which those `at_once` came with their items.
    """

    first: Said
    born: I64
    true: Truth
    at_once: Flags


def stretches(log: Log, order: Order) -> Iterator[Stretch]:
    """A log cut so that no moment is in two stretches.

    What is held in memory is one stretch, at least what happens at one moment.
    """
    size = order.items
    real = log.schema.classes is None
    value: Codes | F64 = np.empty(0) if real else np.empty(0, np.int32)
    none = Plain(0, value, value)
    firsts = _Ahead(_firsts(log), none.said, _moment(size, 0))
    truths = _Ahead(log.true(), none.true, _moment(size, 1))
    nobody = Came(none.items, none.times)
    came = _Ahead(log.tables.arrivals() if size is None else iter(()), nobody, _time)
    side: Literal["left", "right"] = "right" if order.labels_first else "left"
    until, labels = BEGINNING, 0
    while until < NEVER:
        until = _read_on((came, firsts, truths), until)
        first, true, items = firsts.take(until), truths.take(until), came.take(until)
        at_once = _at_once(items, true)
        born = labels + np.searchsorted(true.item[at_once], first.item)
        born += np.searchsorted(truths.moment(true)[~at_once], firsts.moment(first), side)
        yield Stretch(first, born, true, at_once)
        labels += len(true)


def _at_once(came: Came, true: Truth) -> Flags:
    """Which labels came with their items.

    An item that is not seen to come, in a log that another program wrote, came no earlier than
    the one before it.
    """
    if not len(came):
        return np.zeros(len(true), np.bool_)
    row = np.searchsorted(came.item, true.item, side="right") - 1
    at_once: Flags = (row >= 0) & (came.time[row] == true.time)
    return at_once


def _firsts(log: Log) -> Iterator[Said]:
    for said in log.said():
        rows, first = replace(said, scores=None), said.kind == Kind.FIRST
        yield rows if first.all() else rows.take(first)


def _time(rows: Any) -> I64:
    time: I64 = rows.time
    return time


def _moment(size: int | None, phase: int) -> Callable[[Any], I64]:
    """When rows happened, as a number: their time, or that of the chunk of their items."""
    if size is None:
        return _time

    def of_chunk(rows: Any) -> I64:
        chunk: I64 = rows.item.astype(np.int64) // size
        return 2 * chunk + phase

    return of_chunk


def _read_on(each: Sequence[_Ahead[Any]], since: int) -> int:
    """Read on, whichever is behind; gives a moment, after `since`, before which all is here."""
    until = since
    while until < NEVER and (until == since or sum(map(len, each)) < ROWS):
        min(each, key=lambda one: one.now).read()
        until = min(one.now for one in each)
    return until


Rows = TypeVar("Rows", Said, Truth, Came)


class _Ahead(Generic[Rows]):
    """Rows in the order they happened, read ahead of their use."""

    def __init__(
        self, batches: Iterator[Rows], nothing: Rows, moment: Callable[[Any], I64]
    ) -> None:
        self._pending: Pending[Rows] = Pending(batches)
        self._nothing: Rows = nothing
        self.moment = moment
        self.now = BEGINNING
        """The moment before which all rows are here; `NEVER` once nothing more comes."""

    def __len__(self) -> int:
        return len(self._pending)

    def read(self) -> None:
        """Read the next batch."""
        batch = self._pending.read()
        self.now = NEVER if batch is None else int(self.moment(batch)[-1])

    def take(self, until: int) -> Rows:
        """The rows before this moment, which are then no longer held."""
        rows = self._pending.rows
        stop = 0 if rows is None else int(np.searchsorted(self.moment(rows), until))
        return self._pending.head(stop) if stop else self._nothing

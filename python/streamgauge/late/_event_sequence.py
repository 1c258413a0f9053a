"""The rule by which first predictions and labels follow each other, and a log cut up by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeVar

import numpy as np

from streamgauge.log import Log
from streamgauge.log._join import Pending
from streamgauge.log.about import stated_number
from streamgauge.log.rows import Arrived, Labels, Predictions, SimpleRows
from streamgauge.types import F64, I64, NEVER, Codes, Flags, Kind

ROWS = 65_536
"""Approximate number of rows processed in one step."""

BEFORE_ALL = -(2**63)
"""Sentinel: before all times."""


@dataclass(frozen=True, slots=True)
class EventSequence:
    """The rule by which predictions and labels are ordered; `segments` applies it to a log.

    `items_per_chunk` is the number of consecutive items that are predicted before all of them are
    learned, as in the protocol `Chunks`; None: each label is learned when it arrives, and events
    are ordered by time. At equal times, labels of earlier items precede new items if
    `labels_first`.
    """

    items_per_chunk: int | None = None
    labels_first: bool = True


def event_sequence(log: Log) -> EventSequence | None:
    """The rule of the sequence of predictions and labels in a log; None if it cannot be derived.

    It cannot if items were learned whose labels are not in the log (`pretrain`), if the protocol
    declares none (`about`), and for the predictions of one bin.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.take(sg.streams.SEA(), 100)
    >>> for protocol in (sg.protocols.Chunks(20), sg.protocols.Prequential(pretrain=10)):
    ...     print(event_sequence(sg.run(stream, sg.learners.NaiveBayes(), protocol)))
    EventSequence(items_per_chunk=20, labels_first=True)
    None
    """
    about = log.about
    if "bin" in about or about.get("pretrain", "0") != "0":
        return None
    if "ties" in about:
        return EventSequence(None, about["ties"] == "labels_first")
    size = stated_number(about, "learns_every", 1, "log")
    return None if size is None else EventSequence(size)


@dataclass(frozen=True, slots=True)
class Segment:
    """Consecutive events of a log: first predictions of items, and labels.

    `labels_before` is the number of labels known at each prediction; `immediate` flags the labels
    that arrived with their items.
    """

    first: Predictions
    labels_before: I64
    labels: Labels
    immediate: Flags


def segments(log: Log, sequence: EventSequence) -> Iterator[Segment]:
    """Divide a log into segments; events of equal time are in one segment.

    One segment is held in memory.
    """
    size = sequence.items_per_chunk
    real = log.schema.classes is None
    value: Codes | F64 = np.empty(0) if real else np.empty(0, np.int32)
    none = SimpleRows(0, value, value)
    predicted = _Reader(_firsts(log), none.predictions, _position(size, 0))
    labelled = _Reader(log.labels(), none.labels, _position(size, 1))
    no_items = Arrived(none.items, none.times)
    arrived = _Reader(log.tables.arrivals() if size is None else iter(()), no_items, _time)
    side: Literal["left", "right"] = "right" if sequence.labels_first else "left"
    until, before = BEFORE_ALL, 0
    while until < NEVER:
        until = _read_on((arrived, predicted, labelled), until)
        first, labels, items = predicted.take(until), labelled.take(until), arrived.take(until)
        immediate = _immediate(items, labels)
        known = before + np.searchsorted(labels.item[immediate], first.item)
        late = labelled.position(labels)[~immediate]
        known += np.searchsorted(late, predicted.position(first), side)
        yield Segment(first, known, labels, immediate)
        before += len(labels)


def _immediate(arrived: Arrived, labels: Labels) -> Flags:
    """Flags of the labels that arrived with their items.

    An item without an arrival, in a log of another program, gets the time of the item before it.
    """
    if not len(arrived):
        return np.zeros(len(labels), np.bool_)
    row = np.searchsorted(arrived.item, labels.item, side="right") - 1
    immediate: Flags = (row >= 0) & (arrived.time[row] == labels.time)
    return immediate


def _firsts(log: Log) -> Iterator[Predictions]:
    for predictions in log.predictions():
        rows, first = replace(predictions, scores=None), predictions.kind == Kind.FIRST
        yield rows if first.all() else rows.take(first)


def _time(rows: Any) -> I64:
    time: I64 = rows.time
    return time


def _position(size: int | None, phase: int) -> Callable[[Any], I64]:
    """The position of rows in the order of events: their time, or the chunk of their items."""
    if size is None:
        return _time

    def of_chunk(rows: Any) -> I64:
        chunk: I64 = rows.item.astype(np.int64) // size
        return 2 * chunk + phase

    return of_chunk


def _read_on(readers: Sequence[_Reader[Any]], since: int) -> int:
    """Read further; returns a position after `since` before which all rows have been read."""
    until = since
    while until < NEVER and (until == since or sum(map(len, readers)) < ROWS):
        min(readers, key=lambda reader: reader.now).read()
        until = min(reader.now for reader in readers)
    return until


Rows = TypeVar("Rows", Predictions, Labels, Arrived)


class _Reader(Generic[Rows]):
    """Rows in the order of events, read in batches and taken up to a position."""

    def __init__(
        self, batches: Iterator[Rows], nothing: Rows, position: Callable[[Any], I64]
    ) -> None:
        self._pending: Pending[Rows] = Pending(batches)
        self._nothing: Rows = nothing
        self.position = position
        self.now = BEFORE_ALL
        """The position before which all rows have been read; `NEVER` at the end."""

    def __len__(self) -> int:
        return len(self._pending)

    def read(self) -> None:
        """Read the next batch."""
        batch = self._pending.read()
        self.now = NEVER if batch is None else int(self.position(batch)[-1])

    def take(self, until: int) -> Rows:
        """Remove and return the rows before this position."""
        rows = self._pending.rows
        stop = 0 if rows is None else int(np.searchsorted(self.position(rows), until))
        return self._pending.head(stop) if stop else self._nothing

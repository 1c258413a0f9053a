"""Late labels carried out: one by one in a compiled loop, or by orders written out."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from streamgauge._core import DrivenRoom, NativeLearner, Waiting, WaitingRooms
from streamgauge.engine.copies import Copies
from streamgauge.engine.guests import Guests
from streamgauge.engine.store import Store
from streamgauge.errors import LearnerError
from streamgauge.log.rows import Said, Taught, Truth, Written
from streamgauge.protocols.timetable import planned
from streamgauge.types import F64, U64, Batch, Codes, Event, Events, Flags, Kind, Op, Orders

PREDICT, LEARN, UPDATE, FIRST = (int(x) for x in (Op.PREDICT, Op.LEARN, Op.UPDATE, Kind.FIRST))
ARRIVAL, PASSING, CHANGED = (int(x) for x in (Event.ARRIVAL, Event.PASSING, Event.UPDATE))
"""As plain numbers: to compare an array with a member of an enumeration is slow."""

MOST_ORDERS = 65_536
"""So many orders, about, are written out at once."""

Write = Callable[[Written], None]


class Late:
    """Those who wait for their labels, and how they are asked; one a run."""

    def __init__(self, copies: Copies, store: Store, threads: int = 1) -> None:
        self._copies, self._store, self._threads = copies, store, threads
        self._native = not copies.scores and all(
            isinstance(learner, NativeLearner) for learner in copies.learners
        )
        # A model that is asked about one item at a time is driven by the same loop.
        self._drive = _one_by_one(copies)
        self._rooms: WaitingRooms | None = None
        self._room: DrivenRoom | None = None
        self._waiting: Waiting | None = None
        self._guests = Guests(len(copies.learners), copies.classes, copies.scores)
        self._taught = [0] * len(copies.learners)
        self.stop = 0
        """The number after the last item that has come."""

    def carry_out(
        self, chunk: Events, write: Write, meanwhile: Callable[[], None] | None = None
    ) -> None:
        """Do what the events stand for; `meanwhile` is called once if several threads do it."""
        batch = self._take(chunk)
        if batch is not None:
            self.stop = batch.first + len(batch)
            self._guests.expect(batch.updates)
        if self._native or self._drive is not None:
            if self._native:
                self._in_rust(chunk, batch, write, meanwhile)
            else:
                self._driven(chunk, batch, write)
            self._guests.forget_updates(chunk.left)
            return
        if self._waiting is None:
            self._waiting = Waiting(chunk.every, chunk.at_zero)
        if batch is not None:
            self._guests.arrive(batch)
        done = 0
        while done < len(chunk):
            orders, done = planned(self._waiting, chunk, done, MOST_ORDERS)
            self._orders(orders, write)
        self._guests.leave(chunk.left)

    def _take(self, chunk: Events) -> Batch | None:
        """The items that come, which follow each other."""
        came = np.flatnonzero((chunk.what == ARRIVAL) | (chunk.what == PASSING))
        if not len(came):
            return None
        return self._store.one(int(chunk.item[came[0]]), int(chunk.item[came[-1]]) + 1)

    def _in_rust(
        self,
        chunk: Events,
        batch: Batch | None,
        write: Write,
        meanwhile: Callable[[], None] | None,
    ) -> None:
        copies = self._copies.learners
        if self._rooms is None:
            reals = self._copies.classes is None
            how = chunk.every, chunk.at_zero, chunk.ask_last, reals
            self._rooms = WaitingRooms(len(copies), *how)
        rows, labels, updates = self._coming(chunk, batch)
        weight = None if batch is None else batch.weight
        shares = None
        if chunk.sharing is not None:
            shares = chunk.sharing.shares(0 if batch is None else batch.first, len(rows))
        heard = self._rooms.carry_out(
            copies,
            chunk.what,
            chunk.item,
            chunk.time,
            rows,
            labels,
            weight,
            shares,
            updates,
            self._threads,
            meanwhile if self._threads > 1 else None,
        )
        write(_heard(heard))

    def _driven(self, chunk: Events, batch: Batch | None, write: Write) -> None:
        if self._room is None:
            how = chunk.every, chunk.at_zero, chunk.ask_last
            self._room = DrivenRoom(self._drive.driver, *how)
        rows, labels, updates = self._coming(chunk, batch)
        weight = None if batch is None else batch.weight
        heard, stop = self._room.carry_out(
            chunk.what, chunk.item, chunk.time, rows, labels, weight, updates
        )
        write(_heard(heard))
        if stop is not None:
            verb, item, cause = stop
            raise self._drive.blame(verb, item, cause) from cause

    def _coming(self, chunk: Events, batch: Batch | None) -> tuple[F64, Codes | F64, F64 | None]:
        """Rows and labels of the items that come, and new rows of those that wait."""
        changed = np.flatnonzero(chunk.what == CHANGED)
        updates = self._guests.next_rows(chunk.item[changed].tolist()) if len(changed) else None
        if batch is None:
            return np.empty((0, self._copies.width)), self._copies.no_answers(0), updates
        return np.ascontiguousarray(batch.x), batch.label, updates

    def _orders(self, orders: Orders, write: Write) -> None:
        """Run by run: maximal runs of one verb and one fold."""
        n = len(orders)
        answers, scores = self._copies.no_answers(n), self._copies.score_sheet(n)
        new = np.zeros(n, np.bool_)
        labels, weight = self._copies.no_answers(n), orders.weight.copy()
        sheet = _Sheet(answers, scores, new, labels, weight)
        for low, high in _runs(orders):
            some = slice(low, high)
            try:
                self._run(orders, some, sheet)
            except LearnerError:
                write(_written(orders, low, sheet))
                raise
        write(_written(orders, n, sheet))

    def _run(self, orders: Orders, some: slice, sheet: _Sheet) -> None:
        op, fold, items = (
            int(orders.op[some.start]),
            int(orders.fold[some.start]),
            orders.item[some],
        )
        if op == UPDATE:
            self._guests.change(items.tolist())
            return
        seats = self._guests.seats(items)
        if op == PREDICT:
            self._ask(orders, some, fold, seats, sheet)
            return
        labels, weights = self._guests.labels(seats), self._guests.weights(seats)
        sheet.labels[some] = labels
        if op == LEARN:
            sheet.weight[some] *= weights
            rows = self._guests.rows(seats)
            self._copies.teach(fold, items, rows, labels, sheet.weight[some])
            self._taught[fold] += len(items)

    def _ask(
        self, orders: Orders, some: slice, fold: int, seats: np.ndarray, sheet: _Sheet
    ) -> None:
        guests, taught = self._guests, self._taught[fold]
        first = orders.kind[some] == FIRST
        # Whoever was asked since the model last learnt need not be asked again.
        stale: Flags = first | (guests.knew[seats, fold] != taught)
        sheet.answer[some] = guests.said[seats, fold]
        if sheet.scores is not None and guests.scores is not None:
            sheet.scores[some] = guests.scores[seats, fold]
        sheet.new[some] = first
        asked = np.flatnonzero(stale)
        if not len(asked):
            return
        items = orders.item[some][asked]
        rows = guests.rows(seats[asked])
        if first.all():
            answers, scores = self._first(fold, items, rows)
        else:
            answers, scores = self._copies.ask_again(fold, items, rows)
        at, seat = some.start + asked, seats[asked]
        changed = ~_equal(answers, guests.said[seat, fold])
        if scores is not None and sheet.scores is not None and guests.scores is not None:
            changed |= ~_equal(scores, guests.scores[seat, fold]).all(1)
            sheet.scores[at] = scores
            guests.scores[seat, fold] = scores
        sheet.answer[at] = answers
        sheet.new[at] |= changed
        # The last answer is on display for no time: what follows is compared with nothing.
        guests.said[seat, fold] = answers
        guests.knew[seat, fold] = taught

    def _first(self, fold: int, items: U64, rows: F64) -> tuple[Codes | F64, F64 | None]:
        """Ask about new items: a call for each stretch of consecutive ones."""
        answers, scores = self._copies.no_answers(len(items)), self._copies.score_sheet(len(items))
        gaps = np.flatnonzero(items[1:] != items[:-1] + np.uint64(1)) + 1
        for low, high in pairwise([0, *gaps.tolist(), len(items)]):
            some = slice(low, high)
            answers[some], more = self._copies.ask(fold, int(items[low]), rows[some])
            if scores is not None and more is not None:
                scores[some] = more
        return answers, scores


class _Sheet:
    """What comes of orders, a row an order."""

    def __init__(
        self, answer: Codes | F64, scores: F64 | None, new: Flags, labels: Any, weight: F64
    ) -> None:
        self.answer, self.scores, self.new = answer, scores, new
        self.labels, self.weight = labels, weight


def _one_by_one(copies: Copies) -> Any:
    """How a single model is driven that is asked about one item at a time; None for others."""
    if copies.scores or len(copies.learners) > 1:
        return None
    return getattr(copies.learners[0], "one_by_one", None)


def _heard(heard: Any) -> Written:
    """What a room gave, as rows of the log."""
    said, labels, taught = heard
    return Written(Said(*said), Truth(*labels), Taught(*taught))


def _equal(a: Any, b: Any) -> Any:
    return (a == b) | ((a != a) & (b != b))


def _written(orders: Orders, stop: int, sheet: _Sheet) -> Written:
    """The rows of the log that the first `stop` orders made; repetitions are left out."""
    op = orders.op[:stop]
    said = (op == Op.PREDICT) & sheet.new[:stop]
    told, taught = op == Op.REVEAL, op == Op.LEARN

    def of(column: Any, rows: Flags) -> Any:
        return column[:stop][rows]

    return Written(
        Said(
            of(orders.item, said),
            of(orders.fold, said),
            of(orders.turn, said),
            of(orders.kind, said),
            of(orders.time, said),
            of(sheet.answer, said),
            None if sheet.scores is None else of(sheet.scores, said),
        ),
        Truth(of(orders.item, told), of(orders.time, told), of(sheet.labels, told)),
        Taught(of(orders.item, taught), of(orders.fold, taught), of(sheet.weight, taught)),
    )


def _runs(orders: Orders) -> list[tuple[int, int]]:
    """Bounds of runs that one call carries out: one verb, one fold, first askings apart."""
    if not len(orders):
        return []
    op, fold, first = orders.op, orders.fold, orders.kind == Kind.FIRST
    new = (op[1:] != op[:-1]) | (fold[1:] != fold[:-1])
    new |= (op[1:] == Op.PREDICT) & (first[1:] != first[:-1])
    return list(pairwise([0, *(np.flatnonzero(new) + 1).tolist(), len(op)]))

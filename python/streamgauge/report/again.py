"""Repeated predictions of a learner that only looks at labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge.late.stretches import Stretch
from streamgauge.log.rows import Columns, Said
from streamgauge.report.states import States
from streamgauge.types import F64, I64, U16, U64, Codes, Flags, Kind, missing


@dataclass(frozen=True, slots=True)
class _Pending(Columns):
    """Items that are pending for a fold, and how many labels were known when each came."""

    item: U64
    fold: U16
    born: I64


@dataclass(frozen=True, slots=True)
class _Changes(Columns):
    """Changes of prediction: of which item by which fold, and how many labels were known."""

    item: U64
    fold: U16
    labels: I64
    kind: I64
    turn: I64
    answer: Codes | F64


class Again:
    """Predicts pending items again, as `Reevaluating` does.

    An item that came when b labels were known is predicted again when b + K, b + 2K, … are, so
    all pending items of one fold whose b leaves the same rest carry the prediction of K labels
    ago: which labels change it is the same for all of them.
    """

    def __init__(self, every: int, at_zero: bool) -> None:
        self._every, self._at_zero = every, at_zero
        none = np.empty(0, np.uint64), np.empty(0, np.uint16), np.empty(0, np.int64)
        self._pending = _Pending(*none)

    def said(self, part: Stretch, firsts: Said, states: States) -> Said:
        """The predictions of a stretch in the order they are made: first ones, and changes."""
        new = _Pending(firsts.item, firsts.fold, part.born)
        pending = _Pending.concatenate([self._pending, new])
        start = states.stop - len(part.true)
        heard = _own_labels(pending.item, part.true.item, start)
        changes = []
        for fold in states.folds:  # one that has learned nothing does not change
            own = pending.fold == fold
            of = _Fold(fold, states, start, firsts.answer)
            changes.append(self._periodic(pending.take(own), heard[own], of))
            changes.append(self._final(pending.take(own), heard[own], of))
        self._pending = pending.take(heard == states.stop)
        if not sum(map(len, changes)):
            return firsts
        return _in_order(firsts, part, _Changes.concatenate(changes), start)

    def _periodic(self, rows: _Pending, heard: I64, of: _Fold) -> _Changes:
        """Changes while items are pending, after they came and before their own labels do."""
        every, stop = self._every, of.states.stop
        labels = np.arange(max(of.start, every), stop)
        changed = labels[of.differ(labels, labels - every)]
        # By the rest they leave, then in order; all are below `stop`.
        keys = np.sort(changed % every * stop + changed)
        rest = rows.born % every * stop
        low = np.searchsorted(keys, rest + np.maximum(rows.born + 1, of.start))
        count = np.maximum(np.searchsorted(keys, rest + heard) - low, 0)
        row = np.repeat(np.arange(len(rows)), count)
        first = np.repeat(low - np.cumsum(count) + count, count)
        at = keys[first + np.arange(len(row))] % max(stop, 1)
        turn = (at - rows.born[row]) // every + self._at_zero
        return of.changes(rows.take(row), at, Kind.PERIODIC, turn)

    def _final(self, rows: _Pending, heard: I64, of: _Fold) -> _Changes:
        """Changes when an item's own label comes, before it is learned."""
        labelled = heard < of.states.stop
        rows, at = rows.take(labelled), heard[labelled]
        again = np.maximum(at - 1 - rows.born, 0) // self._every
        changed = of.differ(at, rows.born + again * self._every)
        turn = again[changed] + self._at_zero + 1
        return of.changes(rows.take(changed), at[changed], Kind.FINAL, turn)


@dataclass(frozen=True, slots=True)
class _Fold:
    """What one fold would predict; the stretch begins when `start` labels are known."""

    number: int
    states: States
    start: int
    like: Codes | F64

    def differ(self, labels: I64, others: I64) -> Flags:
        """Are the predictions after so many labels others than after so many?"""
        a = self.states.after(self.number, labels, self.like)
        b = self.states.after(self.number, others, self.like)
        apart: Flags = (a != b) & ~(missing(a) & missing(b))
        return apart

    def changes(self, rows: _Pending, labels: I64, kind: Kind, turn: I64) -> _Changes:
        answer = self.states.after(self.number, labels, self.like)
        return _Changes(rows.item, rows.fold, labels, np.full(len(rows), int(kind)), turn, answer)


def _own_labels(items: U64, labelled: U64, start: int) -> I64:
    """The number of each item's own label, counted from `start`; the one after the last if it is
    not among them."""
    heard = np.full(len(items), start + len(labelled), np.int64)
    if len(labelled):
        order = np.argsort(labelled, kind="stable")
        near = order[np.minimum(np.searchsorted(labelled, items, sorter=order), len(order) - 1)]
        own = labelled[near] == items
        heard[own] = start + near[own]
    return heard


def _in_order(firsts: Said, part: Stretch, changes: _Changes, start: int) -> Said:
    """First predictions and changes as they are made.

    At a label fold by fold: first the item whose label it is, then the others as they came.
    """
    n = len(firsts)
    nought = np.zeros(n, np.int64)
    phase = np.concatenate([nought, np.ones(len(changes), np.int64)])
    labels = np.concatenate([part.born, changes.labels])
    fold = np.concatenate([nought, changes.fold])
    periodic = np.concatenate([nought, changes.kind == Kind.PERIODIC])
    place = np.concatenate([np.arange(n, dtype=np.uint64), changes.item])
    order = np.lexsort((place, periodic, fold, phase, labels))
    rows = Said(
        changes.item,
        changes.fold,
        changes.turn.astype(np.uint32),
        changes.kind.astype(np.uint8),
        part.true.time[changes.labels - start],
        changes.answer,
    )
    return Said.concatenate([firsts, rows]).take(order)

"""Repeated predictions of pending items by a baseline."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge.late._event_sequence import Segment
from streamgauge.log.rows import Columns, Predictions
from streamgauge.report.label_only_folds import LabelOnlyFolds
from streamgauge.types import F64, I64, U16, U64, Codes, Flags, Kind, missing


@dataclass(frozen=True, slots=True)
class _Pending(Columns):
    """Pending items of each fold, and the number of labels known at their arrival."""

    item: U64
    fold: U16
    arrival: I64


@dataclass(frozen=True, slots=True)
class _Changes(Columns):
    """Changed predictions, and the number of labels known at each."""

    item: U64
    fold: U16
    labels: I64
    kind: I64
    turn: I64
    prediction: Codes | F64


class ReevaluatedBaseline:
    """A baseline that predicts pending items repeatedly, as `Reevaluating` does.

    An item that arrived when b labels were known is predicted again at b + K, b + 2K, … labels.
    All pending items of one fold with the same b modulo K have the same current prediction, and
    the same labels change it.
    """

    def __init__(self, every: int, first_at_zero: bool) -> None:
        self._every, self._first_at_zero = every, first_at_zero
        none = np.empty(0, np.uint64), np.empty(0, np.uint16), np.empty(0, np.int64)
        self._pending = _Pending(*none)

    def predictions(self, part: Segment, firsts: Predictions, folds: LabelOnlyFolds) -> Predictions:
        """Predictions of a segment in execution order: first predictions and changes."""
        new = _Pending(firsts.item, firsts.fold, part.labels_before)
        pending = _Pending.concatenate([self._pending, new])
        start = folds.stop - len(part.labels)
        labelled_at = _own_labels(pending.item, part.labels.item, start)
        changes = []
        for fold in folds.folds:  # a fold that has learned nothing does not change
            own = pending.fold == fold
            of = _Fold(fold, folds, start, firsts.prediction)
            changes.append(self._periodic(pending.take(own), labelled_at[own], of))
            changes.append(self._final(pending.take(own), labelled_at[own], of))
        self._pending = pending.take(labelled_at == folds.stop)
        if not sum(map(len, changes)):
            return firsts
        return _in_order(firsts, part, _Changes.concatenate(changes), start)

    def _periodic(self, rows: _Pending, labelled_at: I64, of: _Fold) -> _Changes:
        """Changes while items are pending, between their arrival and their labels."""
        every, stop = self._every, of.folds.stop
        labels = np.arange(max(of.start, every), stop)
        changed = labels[of.differ(labels, labels - every)]
        # Sorted by remainder modulo `every`, then by number; all are below `stop`.
        keys = np.sort(changed % every * stop + changed)
        remainder = rows.arrival % every * stop
        low = np.searchsorted(keys, remainder + np.maximum(rows.arrival + 1, of.start))
        count = np.maximum(np.searchsorted(keys, remainder + labelled_at) - low, 0)
        row = np.repeat(np.arange(len(rows)), count)
        first = np.repeat(low - np.cumsum(count) + count, count)
        at = keys[first + np.arange(len(row))] % max(stop, 1)
        turn = (at - rows.arrival[row]) // every + self._first_at_zero
        return of.changes(rows.take(row), at, Kind.PERIODIC, turn)

    def _final(self, rows: _Pending, labelled_at: I64, of: _Fold) -> _Changes:
        """Changes at the arrival of the item's own label, before it is learned."""
        labelled = labelled_at < of.folds.stop
        rows, at = rows.take(labelled), labelled_at[labelled]
        repeated = np.maximum(at - 1 - rows.arrival, 0) // self._every
        changed = of.differ(at, rows.arrival + repeated * self._every)
        turn = repeated[changed] + self._first_at_zero + 1
        return of.changes(rows.take(changed), at[changed], Kind.FINAL, turn)


@dataclass(frozen=True, slots=True)
class _Fold:
    """Predictions of one fold; the segment starts at `start` known labels."""

    number: int
    folds: LabelOnlyFolds
    start: int
    like: Codes | F64

    def differ(self, labels: I64, others: I64) -> Flags:
        """Whether the predictions after `labels` and after `others` labels differ."""
        a = self.folds.after(self.number, labels, self.like)
        b = self.folds.after(self.number, others, self.like)
        different: Flags = (a != b) & ~(missing(a) & missing(b))
        return different

    def changes(self, rows: _Pending, labels: I64, kind: Kind, turn: I64) -> _Changes:
        prediction = self.folds.after(self.number, labels, self.like)
        return _Changes(
            rows.item, rows.fold, labels, np.full(len(rows), int(kind)), turn, prediction
        )


def _own_labels(items: U64, labelled: U64, start: int) -> I64:
    """Index of the label of each item, counted from `start`; one past the last if absent."""
    labelled_at = np.full(len(items), start + len(labelled), np.int64)
    if len(labelled):
        order = np.argsort(labelled, kind="stable")
        near = order[np.minimum(np.searchsorted(labelled, items, sorter=order), len(order) - 1)]
        own = labelled[near] == items
        labelled_at[own] = start + near[own]
    return labelled_at


def _in_order(firsts: Predictions, part: Segment, changes: _Changes, start: int) -> Predictions:
    """First predictions and changes in execution order.

    At each label, fold by fold: first the item of the label, then the others in order of arrival.
    """
    n = len(firsts)
    zeros = np.zeros(n, np.int64)
    phase = np.concatenate([zeros, np.ones(len(changes), np.int64)])
    labels = np.concatenate([part.labels_before, changes.labels])
    fold = np.concatenate([zeros, changes.fold])
    periodic = np.concatenate([zeros, changes.kind == Kind.PERIODIC])
    place = np.concatenate([np.arange(n, dtype=np.uint64), changes.item])
    order = np.lexsort((place, periodic, fold, phase, labels))
    rows = Predictions(
        changes.item,
        changes.fold,
        changes.turn.astype(np.uint32),
        changes.kind.astype(np.uint8),
        part.labels.time[changes.labels - start],
        changes.prediction,
    )
    return Predictions.concatenate([firsts, rows]).take(order)

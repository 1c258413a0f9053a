"""The rows of the tables of a log, as columns in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self, TypeVar

import numpy as np

from streamgauge.types import F64, I64, U8, U16, U32, U64, Codes, Flags

PREDICTIONS_BYTES, LABELS_BYTES, TRAINING_BYTES, PERTURBED_BYTES = 31, 24, 18, 22
"""Bytes of a row of each table, with a real prediction or label."""


class Columns:
    """Base of dataclasses whose fields are columns of equal length, one of them `item`."""

    __slots__ = ()

    @property
    def items(self) -> U64:
        """The number of the item of each row."""
        item: U64 = self.item  # type: ignore[attr-defined]
        return item

    @property
    def consecutive(self) -> int | None:
        """The first item if items are consecutive and their numbers are not stored."""
        return None

    def __len__(self) -> int:
        return len(self.items)

    def slice(self, start: int, stop: int) -> Self:
        """Rows `start` to `stop` - 1, as views."""
        return self if start == 0 and stop >= len(self) else self._cut(slice(start, stop))

    def take(self, rows: Any) -> Self:
        """The given rows: positions, or one flag per row."""
        return self._cut(rows)

    @classmethod
    def concatenate(cls, parts: Sequence[Self]) -> Self:
        """Several batches as one; a column missing in one of them is left out, weights become 1."""
        if len(parts) == 1:
            return parts[0]
        return cls(*(concatenated(parts, name) for name in _names(parts[0])))

    def _cut(self, rows: Any) -> Self:
        return type(self)(*(None if c is None else c[rows] for c in _columns(self)))


def _names(rows: Any) -> list[str]:
    return [field.name for field in fields(rows)]


def _columns(rows: Any) -> list[Any]:
    return [getattr(rows, name) for name in _names(rows)]


def concatenated(parts: Sequence[Columns], name: str) -> Any:
    """One column of several batches; None if one of them lacks it. Missing weights are 1."""
    columns = [getattr(part, name) for part in parts]
    if name == "weight" and any(c is not None for c in columns):
        columns = [np.ones(len(p)) if c is None else c for p, c in zip(parts, columns, strict=True)]
    return None if any(c is None for c in columns) else np.concatenate(columns)


@dataclass(frozen=True, slots=True)
class Predictions(Columns):
    """Predictions: of `item` by `fold` at `time`.

    `turn` is the index of a prediction among those of the item by the fold.
    """

    item: U64
    fold: U16
    turn: U32
    kind: U8
    time: I64
    prediction: Codes | F64
    scores: F64 | None = None


@dataclass(frozen=True, slots=True)
class Labels(Columns):
    """Labels: of `item`, known at `time`. `weight` None: every weight is 1."""

    item: U64
    time: I64
    label: Codes | F64
    weight: F64 | None = None


@dataclass(frozen=True, slots=True)
class Training(Columns):
    """Training: `fold` learned `item` with `weight`."""

    item: U64
    fold: U16
    weight: F64


@dataclass(frozen=True, slots=True)
class Arrived(Columns):
    """Arrivals: of `item` at `time`."""

    item: U64
    time: I64


@dataclass(frozen=True, slots=True)
class Perturbed(Columns):
    """Predictions of perturbed copies: of copy number `copy` of `item` by `fold`.

    They are made right after the first prediction of the item, and are never learned.
    """

    item: U64
    fold: U16
    copy: U32
    prediction: Codes | F64
    scores: F64 | None = None


@dataclass(frozen=True, slots=True)
class Weights(Columns):
    """Weights of rows of *labels*, by row number, in order."""

    row: U64
    weight: F64

    def __len__(self) -> int:
        return len(self.row)


ByFold = TypeVar("ByFold", Predictions, Training, Perturbed)


def of_fold(batches: Iterator[ByFold], fold: int | None) -> Iterator[ByFold]:
    """The rows of one fold; of all folds if None."""
    for rows in batches:
        own = None if fold is None else rows.fold == fold
        yield rows if own is None or own.all() else rows.take(own)


@dataclass(frozen=True, slots=True)
class TableRows:
    """Rows of explicit orders or of events.

    `unpredicted` are items that arrived and were not predicted by any fold; None if there are none.
    `perturbed` are predictions of perturbed copies; None if there are none.
    """

    predictions: Predictions
    labels: Labels
    training: Training
    unpredicted: Arrived | None = None
    perturbed: Perturbed | None = None

    @property
    def weight(self) -> F64 | None:
        """The weights of the labels; None: every weight is 1."""
        return self.labels.weight

    def __len__(self) -> int:
        copies = 0 if self.perturbed is None else len(self.perturbed)
        return max(len(self.predictions), len(self.labels), len(self.training), copies)

    @property
    def nbytes(self) -> int:
        """Size of the rows as tables, in bytes."""
        scores = 0 if self.predictions.scores is None else self.predictions.scores.nbytes
        if (copies := self.perturbed) is not None:
            scores += PERTURBED_BYTES * len(copies)
            scores += 0 if copies.scores is None else copies.scores.nbytes
        return (
            PREDICTIONS_BYTES * len(self.predictions)
            + LABELS_BYTES * len(self.labels)
            + TRAINING_BYTES * len(self.training)
            + scores
        )


@dataclass(frozen=True, slots=True)
class SimpleRows:
    """Consecutive items of fold 0, each predicted once, then revealed and learned.

    A short form of the usual case: item numbers, folds and turns are not stored, times and weights
    only if the stream has them. `label_time` is when each label became known; None: when its item
    arrived. `prediction` None: the items were only learned. `known` None: every label is.
    """

    first: int
    label: Codes | F64
    prediction: Codes | F64 | None
    scores: F64 | None = None
    known: Flags | None = None
    time: I64 | None = None
    label_time: I64 | None = None
    weight: F64 | None = None

    def __len__(self) -> int:
        return len(self.label)

    @property
    def unpredicted(self) -> None:
        """Each item is predicted, or is for training only and has no label in the log."""
        return

    @property
    def perturbed(self) -> None:
        """No copy is predicted."""
        return

    @property
    def nbytes(self) -> int:
        """Size of the rows as tables, in bytes; the object is smaller."""
        scores = 0 if self.scores is None else self.scores.nbytes
        return (PREDICTIONS_BYTES + LABELS_BYTES + TRAINING_BYTES) * len(self) + scores

    @property
    def items(self) -> U64:
        """The item numbers, written out."""
        return np.arange(self.first, self.first + len(self), dtype=np.uint64)

    @property
    def times(self) -> I64:
        """When each item arrived."""
        return self.items.astype(np.int64) if self.time is None else self.time

    @property
    def predictions(self) -> Predictions:
        """The predictions, written out."""
        n = 0 if self.prediction is None else len(self)
        return Predictions(
            self.items[:n],
            np.zeros(n, np.uint16),
            np.zeros(n, np.uint32),
            np.zeros(n, np.uint8),
            self.times[:n],
            self.label[:0] if self.prediction is None else self.prediction,
            self.scores,
        )

    @property
    def labels(self) -> Labels:
        """The labels, written out; items that were only learned have none in the log."""
        time = self.times if self.label_time is None else self.label_time
        if self.prediction is None:
            return Labels(self.items[:0], time[:0], self.label[:0])
        labels = Labels(self.items, time, self.label, self.weight)
        return labels if self.known is None else labels.take(self.known)

    @property
    def training(self) -> Training:
        """The training rows, written out."""
        weight = np.ones(len(self)) if self.weight is None else self.weight
        fold = np.zeros(len(self), np.uint16)
        if self.known is None:
            return Training(self.items, fold, weight)
        return Training(self.items[self.known], fold[self.known], weight[self.known])


@dataclass(frozen=True, slots=True)
class FoldRows:
    """Consecutive items of several folds, each predicted, then revealed and learned.

    A short form, as `SimpleRows`: `prediction` has the predictions of each item, in the order of
    folds, and all else follows from the assignment. `times_learned` states how often each fold
    (row) learns each item (column), `predicts` whether it predicts it; None: if it does not learn
    it. Every label is known when its item has arrived.
    """

    first: int
    label: Codes | F64
    prediction: Codes | F64
    times_learned: U8
    predicts: Flags | None = None
    time: I64 | None = None
    weight: F64 | None = None

    def __len__(self) -> int:
        return max(len(self.label), len(self.prediction))

    @property
    def perturbed(self) -> None:
        """No copy is predicted."""
        return

    @property
    def nbytes(self) -> int:
        """Size of the rows as tables, in bytes; the object is smaller."""
        return (
            PREDICTIONS_BYTES * len(self.prediction)
            + LABELS_BYTES * len(self.label)
            + TRAINING_BYTES
            * int(np.count_nonzero(self.times_learned > 0))  # of flags it is faster
        )

    @property
    def items(self) -> U64:
        """The item numbers, written out."""
        return np.arange(self.first, self.first + len(self.label), dtype=np.uint64)

    @property
    def times(self) -> I64:
        """When each item arrived, and its label became known."""
        return self.items.astype(np.int64) if self.time is None else self.time

    @property
    def unpredicted(self) -> Arrived | None:
        """The items that no fold predicts; None if there are none."""
        row = unpredicted_items(self.times_learned, self.predicts)
        return Arrived(self.items[row], self.times[row]) if len(row) else None

    @property
    def complete(self) -> bool:
        """Whether every fold predicts every item."""
        return len(self.prediction) == self.times_learned.size

    @property
    def predictions(self) -> Predictions:
        """The predictions, written out."""
        if self.complete:  # the usual case of several predictions of an item
            folds, items = self.times_learned.shape
            row = np.repeat(np.arange(items), folds)
            fold = np.tile(np.arange(folds, dtype=np.uint16), items)
        else:
            row, fold = _assigned(self._predicts)
        return self._predictions(row, fold, self.prediction)

    def predictions_of(self, fold: int) -> Predictions:
        """The predictions of one fold, written out; those of the others are not."""
        folds = len(self.times_learned)
        if fold >= folds:
            return self._predictions(np.empty(0, np.intp), np.empty(0, np.uint16), self.label[:0])
        if self.complete:
            row, made = np.arange(len(self.label)), self.prediction[fold::folds]
        else:
            flags = self._predicts
            counts = flags.sum(axis=0, dtype=np.intp)
            row = np.flatnonzero(flags[fold])
            place = np.cumsum(counts) - counts + flags[:fold].sum(axis=0, dtype=np.intp)
            made = self.prediction[place[row]]
        return self._predictions(row, np.full(len(row), fold, np.uint16), made)

    @property
    def _predicts(self) -> Flags:
        return self.times_learned == 0 if self.predicts is None else self.predicts

    def _predictions(self, row: I64, fold: U16, made: Codes | F64) -> Predictions:
        turn, kind = np.zeros(len(row), np.uint32), np.zeros(len(row), np.uint8)
        return Predictions(self.items[row], fold, turn, kind, self.times[row], made)

    @property
    def labels(self) -> Labels:
        """The labels, written out."""
        return Labels(self.items, self.times, self.label, self.weight)

    @property
    def training(self) -> Training:
        """The training rows, written out."""
        row, fold = _assigned(self.times_learned > 0)
        weight = self.times_learned[fold, row].astype(np.float64)
        return Training(
            self.items[row], fold, weight if self.weight is None else weight * self.weight[row]
        )


def unpredicted_items(times_learned: U8, predicts: Flags | None) -> I64:
    """The columns of the items that no fold (row) predicts."""
    return np.flatnonzero(times_learned.min(axis=0) if predicts is None else ~predicts.any(axis=0))


def _assigned(flags: Flags) -> tuple[I64, U16]:
    """Columns and rows of the flags that are set, column by column."""
    column, row = np.nonzero(flags.T)
    return column, row.astype(np.uint16)


Rows = SimpleRows | FoldRows | TableRows

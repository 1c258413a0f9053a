"""Logs of perturbed copies: their predictions in place of those of the items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from streamgauge.errors import LogError
from streamgauge.log import Alarms, LabelledPredictions, Log, Selections, Vitals
from streamgauge.log.labelled_predictions import join_labels
from streamgauge.log.rows import Arrived, Labels, Perturbed, Predictions, Training, of_fold
from streamgauge.log.table import Tables
from streamgauge.types import F64, U64, Codes


@dataclass(frozen=True, slots=True)
class CopiedItems:
    """The first predictions of items that have perturbed copies, and those of the copies.

    `copies` has one entry per copy, with the same items and folds in the same order.
    """

    original: Predictions
    copies: Sequence[Perturbed]

    def log(self, log: Log, copy: int | None) -> Log:
        """The log with the predictions of a copy; None: with those of the items themselves."""
        rows = self.original
        if copy is not None:
            one = self.copies[copy]
            rows = replace(rows, prediction=one.prediction, scores=one.scores)
        return replace(log, tables=_Replaced(log.tables, rows))


def copies_of(log: Log) -> CopiedItems | None:
    """The predictions of copies of a log; None if it has none."""
    parts = [rows for rows in log.perturbed() if len(rows)]
    if not parts:
        return None
    perturbed = Perturbed.concatenate(parts)
    firsts = (rows.take(rows.turn == 0) for rows in log.predictions() if len(rows))
    first = Predictions.concatenate([rows for rows in firsts if len(rows)])
    keys = _keys(first.item, first.fold)
    copies = []
    for number in range(int(perturbed.copy.max()) + 1):
        one = perturbed.take(perturbed.copy == number)
        # An interrupted log may end between the two tables.
        copies.append(one.take(np.isin(_keys(one.item, one.fold), keys)))
    own = _keys(copies[0].item, copies[0].fold)
    first = first.take(np.isin(keys, own))
    if not all(
        np.array_equal(one.item, first.item) and np.array_equal(one.fold, first.fold)
        for one in copies
    ):
        raise LogError(
            "stability: each item with perturbed copies must have all of them, in the order of "
            "first predictions, got others; it was not written by a run; run it again"
        )
    return CopiedItems(first, copies)


def _keys(item: U64, fold: np.ndarray[tuple[int], np.dtype[np.uint16]]) -> U64:
    """One number per item and fold; items are numbered below 2**48 in practice."""
    return (item << np.uint64(16)) | fold.astype(np.uint64)


@dataclass(frozen=True, slots=True)
class _Replaced:
    """The tables of a log with other predictions."""

    tables: Tables
    rows: Predictions

    @property
    def labels_in_order(self) -> bool:
        return self.tables.labels_in_order

    def predictions(self) -> Iterator[Predictions]:
        return iter((self.rows,))

    def labels(self) -> Iterator[Labels]:
        return self.tables.labels()

    def training(self) -> Iterator[Training]:
        return self.tables.training()

    def arrivals(self) -> Iterator[Arrived]:
        return self.tables.arrivals()

    def label_count(self) -> int:
        return self.tables.label_count()

    def labelled_predictions(self, fold: int | None = None) -> Iterator[LabelledPredictions]:
        return join_labels(of_fold(self.predictions(), fold), self.labels, self.labels_in_order)

    def alarms(self) -> Alarms:
        return self.tables.alarms()

    def vitals(self) -> Vitals:
        return self.tables.vitals()

    def selections(self) -> Selections:
        return self.tables.selections()

    def perturbed(self) -> Iterator[Perturbed]:
        return self.tables.perturbed()


def changes(original: Codes | F64, copies: Sequence[Perturbed]) -> F64:
    """For each item, the mean over copies of how much its prediction changes.

    Of classes: 1 if another class is predicted, or none instead of one, otherwise 0. Of reals: the
    absolute difference; NaN if one of the two is missing.
    """
    total = np.zeros(len(original))
    for one in copies:
        if original.dtype.kind == "f":
            total += np.abs(one.prediction - original)
        else:
            total += one.prediction != original
    return total / len(copies) if copies else np.full(len(original), np.nan)

"""Changes of the predictions of items while their labels are pending."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.late._prediction_history import (
    PredictionHistory,
    different,
    prediction_history,
    reevaluation_period,
)
from streamgauge.log import Log
from streamgauge.log._one_fold import check_fold
from streamgauge.types import F64, I64, U64, Flags


@dataclass(frozen=True, slots=True)
class ItemChanges:
    """Changes of the prediction of each labelled item, in the order of the labels.

    One row per item and fold that predicted it.
    `changes` is the number of changes from the first prediction to the last, `differs` whether the
    last one differs from the first. `time_to_correct` is the time from the arrival of the item
    until the prediction is correct and stays so, in ticks; NaN if the last prediction is wrong.
    `time_to_correct_share` is the same as a share of the time the item was pending.
    """

    item: U64
    changes: I64
    differs: Flags
    time_to_correct: F64
    time_to_correct_share: F64

    @property
    def mean_changes(self) -> float:
        """Mean number of changes per item."""
        return _mean(self.changes)

    @property
    def share_changed(self) -> float:
        """The share of items whose last prediction differs from the first."""
        return _mean(self.differs)

    @property
    def share_correct(self) -> float:
        """The share of items whose last prediction is correct."""
        return _mean(~np.isnan(self.time_to_correct))

    @property
    def median_time_to_correct(self) -> float:
        """The median of `time_to_correct` over items whose last prediction is correct."""
        known = self.time_to_correct[~np.isnan(self.time_to_correct)]
        return float(np.median(known)) if len(known) else float("nan")

    @property
    def mean_time_to_correct_share(self) -> float:
        """The mean of `time_to_correct_share` over items whose last prediction is correct."""
        return _mean(self.time_to_correct_share[~np.isnan(self.time_to_correct_share)])


@dataclass(frozen=True, slots=True)
class ChangeSummary:
    """Means and median of `ItemChanges`; `items` is the number of its rows.

    The times are over rows whose last prediction is correct.
    """

    items: int
    mean_changes: float
    share_changed: float
    share_correct: float
    median_time_to_correct: float
    mean_time_to_correct_share: float


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else float("nan")


def item_changes(log: Log, tolerance: float | None = None, fold: int | None = None) -> ItemChanges:
    """Changes of the prediction of each item in a log of `Reevaluating`.

    Parameters
    ----------
    log
        A log of `Reevaluating`.
    tolerance
        In regression: a prediction is correct if its absolute error is at most this. By default
        no prediction of a real target counts as correct.
    fold
        The fold of the learner; all folds by default.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.delay(sg.streams.take(sg.streams.SEA(), 2000), 100)
    >>> log = sg.run(stream, sg.learners.NaiveBayes(), sg.protocols.Reevaluating(every=10))
    >>> found = item_changes(log)
    >>> round(found.mean_changes, 2), round(found.share_changed, 3), found.median_time_to_correct
    (0.11, 0.063, 0.0)
    """
    parts = list(_parts(log, tolerance, fold, "item_changes"))
    columns = [np.concatenate([p[i] for p in parts]) if parts else np.empty(0) for i in range(5)]
    return ItemChanges(
        columns[0].astype(np.uint64),
        columns[1].astype(np.int64),
        columns[2].astype(np.bool_),
        columns[3].astype(np.float64),
        columns[4].astype(np.float64),
    )


def change_summary(
    log: Log, tolerance: float | None = None, fold: int | None = None
) -> ChangeSummary:
    """Means and median of `item_changes`.

    Memory is proportional to the pending items and the distinct times until correct.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.delay(sg.streams.take(sg.streams.SEA(), 2000), 100)
    >>> log = sg.run(stream, sg.learners.NaiveBayes(), sg.protocols.Reevaluating(every=10))
    >>> found = change_summary(log)
    >>> found.items, round(found.mean_changes, 2), found.median_time_to_correct
    (2000, 0.11, 0.0)
    """
    items = changes = differ = 0
    share, after = 0.0, Counter[float]()
    for _, changed, differs, time_to_correct, time_to_correct_share in _parts(
        log, tolerance, fold, "change_summary"
    ):
        items += len(changed)
        changes += int(changed.sum())
        differ += int(differs.sum())
        good = ~np.isnan(time_to_correct)
        share += float(time_to_correct_share[good].sum())
        ticks, counts = np.unique(time_to_correct[good], return_counts=True)
        after.update(dict(zip(ticks.tolist(), counts.tolist(), strict=True)))
    right = after.total()
    return ChangeSummary(
        items,
        changes / items if items else math.nan,
        differ / items if items else math.nan,
        right / items if items else math.nan,
        _median(after),
        share / right if right else math.nan,
    )


def _median(counted: Counter[float]) -> float:
    """The median of counted numbers; NaN if there are none."""
    total = counted.total()
    if not total:
        return math.nan
    values = np.array(sorted(counted))
    upto = np.cumsum([counted[value] for value in values.tolist()])
    middle = np.searchsorted(upto, [(total - 1) // 2, total // 2], side="right")
    return float(values[middle].mean())


def _parts(
    log: Log, tolerance: float | None, fold: int | None, who: str
) -> Iterator[tuple[np.ndarray, ...]]:
    reevaluation_period(log, who)
    check_fold(who, log, fold)
    if tolerance is not None and log.schema.classes is not None:
        raise ParameterError.of(who, "tolerance", "None in classification", tolerance)
    if tolerance is not None and not tolerance >= 0:
        raise ParameterError.of(who, "tolerance", "a number, at least 0", tolerance)
    for rows in prediction_history(log, fold):
        yield _changes(rows, log.schema.classes is None, tolerance)


def _changes(
    rows: PredictionHistory, reals: bool, tolerance: float | None
) -> tuple[np.ndarray, ...]:
    n_predictions = np.diff(rows.starts)
    latest = rows.prediction[rows.starts[1:] - 1] if len(rows) else rows.last
    changes = n_predictions - 1 + different(rows.last, latest)
    differs = different(rows.last, rows.first)
    row = np.repeat(np.arange(len(rows)), n_predictions)
    if reals and tolerance is None:
        none = np.full(len(rows), np.nan)
        return rows.item, changes, differs, none, none
    right = _right(rows.prediction, rows.label[row], tolerance)
    # The last wrong prediction, if any: correct from the next one on.
    place = np.arange(len(rows.prediction)) - rows.starts[row]
    wrong = np.zeros(len(rows), np.int64)
    np.maximum.at(wrong, row[~right], place[~right] + 1)
    ends_wrong = wrong == n_predictions  # only the prediction at the label may be correct
    since = rows.time[np.minimum(rows.starts[:-1] + wrong, len(rows.time) - 1)] if len(rows) else []
    after = np.where(ends_wrong, rows.label_time, since) - rows.arrival_time
    good = _right(rows.last, rows.label, tolerance)
    pending = rows.label_time - rows.arrival_time
    time_to_correct = np.where(good, after.astype(np.float64), np.nan)
    share = np.where(good, after / np.maximum(pending, 1), np.nan)
    return rows.item, changes, differs, time_to_correct, share


def _right(prediction: np.ndarray, label: np.ndarray, tolerance: float | None) -> np.ndarray:
    right: np.ndarray = (
        prediction == label if tolerance is None else np.abs(prediction - label) <= tolerance
    )
    return right

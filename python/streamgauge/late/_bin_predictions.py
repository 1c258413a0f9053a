"""The time an item is pending, divided into bins, and its prediction in each bin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from streamgauge._core import pending_bins
from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, at_most
from streamgauge.late._event_counts import LabelCounts
from streamgauge.late._prediction_history import (
    PredictionHistory,
    prediction_history,
    reevaluation_period,
)
from streamgauge.log import LabelledPredictions, Log
from streamgauge.types import F64, I64, Codes, missing

Binning: TypeAlias = Literal["longest", "grzenda"]
"""How the predictions within a bin are reduced to one.

`longest`: the prediction that is current in the bin for the longest time; in regression the mean
over time. `grzenda`: as in the published program of Grzenda et al.: a bin with one prediction takes
it, a bin with none takes the previous prediction, borders are rounded down, and ties go to the
first class. That program also predicts as `Reevaluating(first_at_zero=False)` does."""


REPEATED = 1_000_000
"""Approximate number of repeated predictions expanded in one step."""

MOST_BINS = 1_000
"""Largest number of bins: each labelled item of a block has one prediction per bin in memory."""


def check_bins(who: str, n_bins: int) -> None:
    """Raise unless a number of bins is in its range."""
    at_least(who, "n_bins", n_bins, 0)
    at_most(who, "n_bins", n_bins, MOST_BINS)


@dataclass(frozen=True, slots=True)
class BinOptions:
    """Number of bins, method, and the value that replaces an abstained prediction."""

    n_bins: int = 50
    binning: Binning = "longest"
    fill: float | None = None

    def __post_init__(self) -> None:
        check_bins("bins", self.n_bins)
        if self.binning not in get_args(Binning):
            raise ParameterError.of(
                "bins", "binning", " or ".join(map(repr, get_args(Binning))), self.binning
            )


def bin_predictions(
    log: Log, options: BinOptions, fold: int | None = None
) -> Iterator[tuple[LabelledPredictions, Codes | F64]]:
    """Labels in order of arrival (with first predictions), and the predictions in each bin."""
    return ((labelled, table) for _, labelled, table in histories_with_bins(log, options, fold))


def histories_with_bins(
    log: Log, options: BinOptions, fold: int | None
) -> Iterator[tuple[PredictionHistory, LabelledPredictions, Codes | F64]]:
    """As `bin_predictions`, with the history that each label's predictions were taken from."""
    reevaluation_period(log, "bins")
    grzenda = options.binning == "grzenda"
    counts = LabelCounts(log, "bins") if grzenda and options.n_bins else None
    for rows, history in _predictions_to_bin(log, options, fold, counts):
        table = pending_bins(
            history.starts,
            history.time,
            packed(history.prediction),
            packed(history.last),
            packed(rows.label_time),
            options.n_bins,
            grzenda,
            None if log.schema.classes is None else len(log.schema.classes),
        )
        labelled = LabelledPredictions(
            int(rows.item[0]),
            rows.label,
            rows.first,
            item=rows.item,
            time=rows.label_time,
            previous=rows.previous,
            weight=rows.weight,
        )
        yield rows, labelled, table


def _predictions_to_bin(
    log: Log, options: BinOptions, fold: int | None, counts: LabelCounts | None
) -> Iterator[tuple[PredictionHistory, PredictionHistory]]:
    """Labelled items, and the predictions that bins are computed from."""
    for rows in prediction_history(log, fold):
        filled = _filled(rows, options.fill)
        if counts is None:
            if len(rows):
                yield rows, filled
            continue
        at_arrival, at_label = counts.at_items(rows)
        n_repeated = counts.n_repeated(at_arrival, at_label)
        # Every repeated prediction is written out, in parts to bound the memory.
        ends = np.cumsum(n_repeated + 1)
        low = 0
        while low < len(rows):
            done = int(ends[low - 1]) if low else 0
            high = max(low + 1, int(np.searchsorted(ends, done + REPEATED, side="right")))
            while high < len(rows) and rows.item[high] == rows.item[high - 1]:
                high += 1  # the rows of one label stay together
            some = _part(filled, low, high)
            yield (
                _part(rows, low, high),
                _every_prediction(some, counts, at_arrival[low:high], n_repeated[low:high]),
            )
            low = high


def _part(rows: PredictionHistory, low: int, high: int) -> PredictionHistory:
    """Rows `low` to `high` - 1."""
    begin, end = rows.starts[low], rows.starts[high]
    own, changes = slice(low, high), slice(begin, end)
    return PredictionHistory(
        rows.item[own],
        rows.fold[own],
        rows.label[own],
        rows.label_time[own],
        rows.previous[own],
        rows.starts[low : high + 1] - begin,
        rows.time[changes],
        rows.prediction[changes],
        rows.last[own],
        rows.turn[changes],
        None if rows.weight is None else rows.weight[own],
    )


def packed(column: Any) -> Any:
    """The same values in contiguous memory."""
    return np.ascontiguousarray(column)


def _filled(rows: PredictionHistory, fill: float | None) -> PredictionHistory:
    if fill is None:
        return rows

    def full(prediction: Codes | F64) -> Codes | F64:
        none = missing(prediction)
        return np.where(none, prediction.dtype.type(fill), prediction)

    return replace(rows, prediction=full(rows.prediction), last=full(rows.last))


def _every_prediction(
    rows: PredictionHistory, counts: LabelCounts, at_arrival: I64, n_repeated: I64
) -> PredictionHistory:
    """The same with all predictions, not only the changes."""
    first = at_arrival + (0 if counts.first_at_zero else counts.every)
    starts = np.concatenate([[0], np.cumsum(n_repeated + 1)])
    row = np.repeat(np.arange(len(rows)), n_repeated + 1)
    turn = np.arange(starts[-1]) - starts[row]
    label = first[row] + (turn - 1) * counts.every
    again = turn > 0
    time = rows.arrival_time[row]
    time[again] = counts.time(label[again])
    # The latest change up to each prediction.
    change = np.repeat(np.arange(len(rows)), np.diff(rows.starts))
    order = np.lexsort((rows.turn, change))
    width = int(max(n_repeated.max(initial=0), rows.turn.max(initial=0))) + 2
    key = change[order] * width + rows.turn[order]
    latest = np.searchsorted(key, row * width + turn, side="right") - 1
    return replace(
        rows, starts=starts.astype(np.int64), time=time, prediction=rows.prediction[order][latest]
    )

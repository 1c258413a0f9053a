"""The core refuses columns of different lengths, whichever of them is wrong."""

from __future__ import annotations

import numpy as np
import pytest

from streamgauge._core import (
    NativeInterpreter,
    NativeLearner,
    RepeatedPredictionCounter,
    pending_bins,
)

EVENTS = {
    "what": np.array([0, 0, 2, 1, 1, 3], np.uint8),
    "item": np.array([0, 1, 0, 0, 1, 2], np.uint64),
    "time": np.arange(6),
    "rows": np.arange(6.0).reshape(3, 2),
    "labels": np.array([0, 1, 1], np.int32),
    "weights": np.array([1.0, 2.0, 3.0]),
    "times_learned": np.array([[0, 1, 1], [2, 0, 0]], np.uint8),
    "updates": np.array([[7.0, 8.0]]),
}
ORDERS = {
    "op": np.array([0, 0, 3, 1, 2], np.uint8),
    "item": np.array([0, 1, 0, 0, 0], np.uint64),
    "fold": np.zeros(5, np.uint16),
    "turn": np.zeros(5, np.uint32),
    "kind": np.zeros(5, np.uint8),
    "weight": np.ones(5),
    "time": np.arange(5),
    "labels": np.array([0, 1], np.int32),
    "weights": np.array([1.0, 2.0]),
    "updates": np.array([[7.0, 8.0]]),
}
BINS = {
    "starts": np.array([0, 2, 3]),
    "time": np.array([0, 4, 1]),
    "prediction": np.array([0, 1, 1], np.int32),
    "last": np.array([1, 0], np.int32),
    "label_time": np.array([9, 5]),
}
REALS = BINS | {"prediction": np.array([0.0, 1.0, 1.0]), "last": np.array([1.0, 0.0])}
EVENTS_TO_COUNT = {
    "labelled": np.array([False, False, True]),
    "item": np.array([0, 1, 0], np.uint64),
    "folds": np.array([1, 1, 0]),
}


def interpreter(folds):
    return NativeInterpreter(
        [NativeLearner("naive_bayes", [0, 0], 2) for _ in range(folds)], 2, False
    )


def events(columns):
    return interpreter(2).events(
        every=1, first_at_zero=False, predict_last=True, first=0, **columns
    )


def orders(columns):
    rows = np.arange(4.0).reshape(2, 2)
    keep = np.empty(0, np.uint64)
    return interpreter(1).orders(keep_from=0, keep=keep, first=0, rows=rows, **columns)


CALLS = {
    "events": (events, EVENTS),
    "orders": (orders, ORDERS),
    "bins": (lambda c: pending_bins(**c, bins=1, grzenda=False, classes=2), BINS),
    "bins as of Grzenda": (lambda c: pending_bins(**c, bins=1, grzenda=True, classes=2), BINS),
    "bins of reals": (lambda c: pending_bins(**c, bins=1, grzenda=False, classes=None), REALS),
    "counter": (lambda c: RepeatedPredictionCounter(1, True).count(**c), EVENTS_TO_COUNT),
}


@pytest.mark.parametrize("call", CALLS)
def test_columns_of_equal_length_are_accepted(call):
    act, columns = CALLS[call]
    act(columns)


@pytest.mark.parametrize(
    ("call", "column"), [(call, column) for call, (_, all_) in CALLS.items() for column in all_]
)
def test_a_column_of_another_length_is_refused(call, column):
    act, columns = CALLS[call]
    whole = columns[column]
    for other in (whole[:-1].copy(), np.concatenate([whole, whole[-1:]])):
        with pytest.raises(ValueError, match="must"):
            act(columns | {column: other})


@pytest.mark.parametrize(
    ("call", "column", "last"),
    [("events", "what", 3), ("orders", "op", 3), ("orders", "kind", 4)],
)
def test_an_unknown_code_is_refused(call, column, last):
    act, columns = CALLS[call]
    wrong = columns[column].copy()
    row = int(np.flatnonzero(columns["op"] == 0)[-1]) if column == "kind" else len(wrong) - 1
    assert row > 0
    wrong[row] = last + 1
    with pytest.raises(ValueError, match=rf"from 0 to {last}, got {last + 1} at row {row}$"):
        act(columns | {column: wrong})


@pytest.mark.parametrize("starts", [[0, 3, 3], [2, 0, 3], [0, 1, 2], [0, 2, 4]])
@pytest.mark.parametrize("call", ["bins", "bins as of Grzenda", "bins of reals"])
def test_items_without_predictions_and_predictions_without_items_are_refused(call, starts):
    act, columns = CALLS[call]
    with pytest.raises(ValueError, match="predictions must have 3 rows"):
        act(columns | {"starts": np.array(starts)})


@pytest.mark.parametrize("column", ["rows", "times_learned", "updates"])
def test_a_table_of_another_width_is_refused(column):
    whole = EVENTS[column]
    for other in (whole[:, :-1].copy(), np.concatenate([whole, whole[:, -1:]], axis=1)):
        with pytest.raises(ValueError, match="must"):
            events(EVENTS | {column: other})

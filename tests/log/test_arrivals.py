"""Arrivals of items, whichever fold predicts them and wherever batches are cut."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from streamgauge.log.arrivals import arrivals_of
from streamgauge.log.rows import Arrived, Predictions


@given(st.data())
def test_every_item_is_listed_once_in_order_with_its_time(data):
    items = data.draw(st.integers(0, 12))
    time = np.cumsum([data.draw(st.integers(0, 1)) for _ in range(items)])
    folds = data.draw(st.integers(1, 3))
    unpredicted = [data.draw(st.booleans()) for _ in range(items)]
    rows = []
    for moment in sorted(set(time.tolist())):  # within one time: fold by fold
        at_once = [i for i in range(items) if time[i] == moment and not unpredicted[i]]
        rows += [(i, fold, 0, moment) for fold in range(folds) for i in at_once]
        again = [i for i in range(items) if time[i] < moment and not unpredicted[i]]
        rows += [(i, 0, 1, moment) for i in again]
    cuts = sorted(data.draw(st.sets(st.integers(0, len(rows)))) | {0, len(rows)})
    batches = [_predictions(rows[low:high]) for low, high in itertools.pairwise(cuts)]
    noted = [i for i in range(items) if unpredicted[i]]
    cuts = sorted(data.draw(st.sets(st.integers(0, len(noted)))) | {0, len(noted)})
    parts = [
        Arrived(np.array(noted[low:high], np.uint64), time[noted[low:high]].astype(np.int64))
        for low, high in itertools.pairwise(cuts)
    ]
    found = list(arrivals_of(iter(batches), iter(parts)))
    assert [i for part in found for i in part.item.tolist()] == list(range(items))
    assert [t for part in found for t in part.time.tolist()] == time.tolist()


def _predictions(rows):
    item, fold, turn, time = np.array(rows, np.int64).reshape(-1, 4).T
    return Predictions(
        item.astype(np.uint64),
        fold.astype(np.uint16),
        turn.astype(np.uint32),
        turn.astype(np.uint8),
        time,
        np.zeros(len(rows), np.int32),
    )

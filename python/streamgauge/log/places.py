"""Positions of items on an axis that counts labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamgauge.log.table import Log
from streamgauge.types import I64, NEVER


def labels_before(log: Log, items: Sequence[int]) -> list[int]:
    """The number of labels known when each item arrived; all labels for one that never arrived.

    An item without a prediction gets the time of the next item that has one.
    """
    wanted = np.array(items, np.uint64)
    arrived = np.full(len(wanted), NEVER, np.int64)
    for predictions in log.predictions():
        for row in np.flatnonzero(arrived == NEVER).tolist():
            at = np.flatnonzero((predictions.turn == 0) & (predictions.item >= wanted[row]))
            if len(at):
                arrived[row] = predictions.time[at[0]]
    counts = np.zeros(len(wanted), np.int64)
    for labels in log.labels():
        counts += np.searchsorted(labels.time, arrived)  # labels are in the order of time
    return [int(count) for count in counts]


def label_numbers(log: Log, items: I64) -> I64:
    """The number of each item's label, counted from 0 in the order labels became known."""
    wanted, found, done = np.unique(items), [np.empty(0, np.int64)], 0
    for labels in log.labels():
        found.append(np.flatnonzero(np.isin(labels.item, wanted)) + done)
        done += len(labels)
    return np.concatenate(found)

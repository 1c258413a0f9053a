"""Where items lie on an axis that counts labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamgauge.log.table import Log
from streamgauge.types import I64, NEVER


def labels_before(log: Log, items: Sequence[int]) -> list[int]:
    """Number of labels known when each of these items came; of an item that never came, all.

    An item without a prediction is taken to have come with the next one that has one.
    """
    wanted = np.array(items, np.uint64)
    came = np.full(len(wanted), NEVER, np.int64)
    for said in log.said():
        for row in np.flatnonzero(came == NEVER).tolist():
            at = np.flatnonzero((said.turn == 0) & (said.item >= wanted[row]))
            if len(at):
                came[row] = said.time[at[0]]
    counts = np.zeros(len(wanted), np.int64)
    for true in log.true():
        counts += np.searchsorted(true.time, came)  # labels come in the order of time
    return [int(count) for count in counts]


def label_numbers(log: Log, items: I64) -> I64:
    """The number of each item's label, counted from 0 in the order labels became known."""
    wanted, found, done = np.unique(items), [np.empty(0, np.int64)], 0
    for true in log.true():
        found.append(np.flatnonzero(np.isin(true.item, wanted)) + done)
        done += len(true)
    return np.concatenate(found)

"""Positions of labels on an axis that counts labels."""

from __future__ import annotations

import numpy as np

from streamgauge.log.table import Log
from streamgauge.types import I64


def label_numbers(log: Log, items: I64) -> I64:
    """The positions of the labels of these items, ascending.

    Positions are counted from 0 in the order labels became known. Items without a label are left
    out, so the result is not aligned with `items`.
    """
    wanted, found, done = np.unique(items), [np.empty(0, np.int64)], 0
    for labels in log.labels():
        found.append(np.flatnonzero(np.isin(labels.item, wanted)) + done)
        done += len(labels)
    return np.concatenate(found)

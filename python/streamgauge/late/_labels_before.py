"""How many labels were known when an item arrived: its position on an axis of labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamgauge.late._at_bin import whole_log
from streamgauge.late._event_sequence import EventSequence, event_sequence, segments
from streamgauge.log import Log


def labels_before(log: Log, items: Sequence[int]) -> list[int]:
    """The number of labels known when each item arrived; all labels for one that never arrived.

    An item without a prediction gets the number of the next item that has one. Events at equal
    times are in the order that the log declares, by default labels of earlier items first.
    """
    wanted, count = np.asarray(items, np.uint64), log.label_count()
    found = np.full(len(wanted), -1, np.int64)
    log = whole_log(log)
    for part in segments(log, event_sequence(log) or EventSequence()):
        for row in np.flatnonzero(found < 0).tolist():
            at = np.flatnonzero(part.first.item >= wanted[row])
            if len(at):
                # At equal times predictions may be sorted by fold.
                found[row] = part.labels_before[at[np.argmin(part.first.item[at])]]
    return [count if number < 0 else number for number in found.tolist()]

"""Items that a run dropped."""

from __future__ import annotations

import numpy as np

from streamgauge.log.table import Log
from streamgauge.types import I64


def dropped(log: Log) -> I64:
    """The items that arrived and were neither predicted nor learned, by number.

    Examples
    --------
    >>> import streamgauge as sg
    >>> log = sg.run("sea(items=6)", "nb", sg.protocols.Shedding(rate=2.0, service=1.0))
    >>> dropped(log).tolist()
    [1, 3, 5]
    """
    kept = np.zeros(int(log.resources.get("items", 0)), np.bool_)
    for rows in (*log.predictions(), *log.training()):
        kept[rows.items.astype(np.int64)] = True
    return np.flatnonzero(~kept)

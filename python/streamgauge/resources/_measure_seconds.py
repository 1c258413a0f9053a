"""The time to measure a log."""

from __future__ import annotations

import time

from streamgauge.log.table import Log
from streamgauge.measures._compute import AMeasure, AWindow, measure


def measure_seconds(log: Log, what: AMeasure, window: AWindow | None = None) -> float:
    """Seconds to compute a measure of a log, here and now, with all reading of the log.

    Examples
    --------
    >>> import streamgauge as sg
    >>> measure_seconds(sg.run("sea(items=1000)", "nb"), "kappa") > 0
    True
    """
    began = time.perf_counter()
    if window is None:
        measure(log, what)
    else:
        measure(log, what, window)
    return time.perf_counter() - began

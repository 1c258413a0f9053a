"""RAM-Hours of a run."""

from __future__ import annotations

import numpy as np

from streamgauge.log.table import Log
from streamgauge.resources._vital_curves import vital_curves

GIB = 2.0**30
HOUR = 3600.0


def ram_hours(log: Log) -> float:
    """GiB of the learner times the hours of the run: one RAM-Hour is 1 GiB for one hour.

    The sum over the samples of the learner's size: its bytes (of all folds) times the time since
    the sample before. The time of the run is divided between samples by their items. NaN if the
    learner does not tell its size.

    Examples
    --------
    >>> import streamgauge as sg
    >>> ram_hours(sg.run("sea(items=2000)", "nb")) > 0
    True

    References
    ----------
    Bifet, Holmes, Pfahringer, Frank. Fast perceptron decision tree learning from evolving data
    streams. PAKDD 2010.
    """
    items, seconds = log.resources.get("items", 0.0), log.resources.get("seconds", np.nan)
    if not items or "bytes" not in log.vitals().names:
        return float("nan")
    curve = vital_curves(log, ["bytes"])["bytes"]
    share = np.diff(curve.at, prepend=0) / items
    return float((curve.value / GIB * share * seconds / HOUR).sum())

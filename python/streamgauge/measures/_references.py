"""How much labels vary."""

from __future__ import annotations

import numpy as np

from streamgauge.summaries import Moments
from streamgauge.types import F64


def variation(m: Moments, by: str) -> F64:
    """What errors are divided by to be comparable between streams."""
    value: F64
    match by:
        case "range":
            value = m["highest"] - m["lowest"]
        case "deviation":
            deviation = np.sqrt(m["spread"] / m["total"])
            value = np.where(m["lowest"] == m["highest"], 0.0, deviation)
        case _:
            value = np.abs(m["labels"] / m["total"])
    return np.where(m["total"] > 0, value, np.nan)

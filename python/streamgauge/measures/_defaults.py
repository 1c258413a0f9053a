"""The measures and windows of reports and tables whose experiment names none."""

from __future__ import annotations

from typing import Any

from streamgauge.measures._measure import Measure
from streamgauge.names import make, resolve

MEASURES = {
    "classification": ("accuracy", "kappa", "kappa_temporal", "kappa_plus"),
    "regression": ("mae", "rmse", "r2"),
}
"""Measures by default, by the task."""

WINDOWS = ("whole", "sliding(1000)", "fading(0.999)")


def windows_for(measure: str | Measure[Any]) -> tuple[str, ...]:
    """Windows of a measure by default: those of `WINDOWS` it supports.

    Examples
    --------
    >>> windows_for("accuracy"), windows_for("auc")
    (('whole', 'sliding(1000)', 'fading(0.999)'), ('whole', 'sliding(1000)'))
    """
    supported = resolve("measure", measure).supports()
    return tuple(w for w in WINDOWS if make("window", w).spec[0] in supported)

"""Normalised mean absolute error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from streamgauge.measures._measure import BLOCKS, LINEAR, Measure, one_of
from streamgauge.summaries import Moments
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class NMAE(Measure[Moments]):
    r"""Mean absolute error relative to the range, deviation or mean of the labels.

    .. math:: \frac{1}{v} \frac{1}{n} \sum_t |y_t - \hat y_t|

    where v is the range, the standard deviation or the absolute mean of the labels of the window.
    0 is perfect. NaN or infinite if v is 0.

    Parameters
    ----------
    by
        The divisor v: `"range"`, the highest label of the window minus the lowest (not defined in
        `Fading`); `"deviation"`, the standard deviation of the labels; `"mean"`, the absolute
        value of their mean.

    Examples
    --------
    >>> from streamgauge.summaries import Moments
    >>> moments = Moments.of([1.0, 2.0, 4.0], [1.0, 1.0, 2.0])
    >>> float(NMAE().over(moments)), float(NMAE("deviation").over(moments))
    (0.3333, 0.8018)
    """

    by: Literal["range", "deviation", "mean"] = "range"

    best: ClassVar[float] = 0.0
    span: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    formula: ClassVar[str] = "mae / range, standard deviation or |mean| of the labels"
    task: ClassVar[Literal["regression"]] = "regression"
    summary: ClassVar[Literal["moments"]] = "moments"

    def __post_init__(self) -> None:
        one_of(self, "by", self.by, ("range", "deviation", "mean"))

    def supports(self) -> frozenset[str]:
        """The kinds of windows it is defined in."""
        return BLOCKS if self.by == "range" else LINEAR

    def value(self, summary: Moments) -> F64:
        """mae / v; NaN without items."""
        mae = summary["absolute_errors"] / summary["total"]
        match self.by:
            case "range":
                v = summary["highest_label"] - summary["lowest_label"]
            case "deviation":
                constant = summary["lowest_label"] == summary["highest_label"]
                v = np.sqrt(summary["squared_deviations"] / summary["total"])
                v = np.where(constant, 0.0, v)
            case _:
                v = np.abs(summary["label_sum"] / summary["total"])
        return mae / np.where(summary["total"] > 0, v, np.nan)

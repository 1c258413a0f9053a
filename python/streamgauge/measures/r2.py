"""Coefficient of determination."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from streamgauge.measures._measure import BLOCKS, LINEAR, Measure, one_of
from streamgauge.summaries import Moments
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class R2(Measure[Moments]):
    r"""Share of the variance of the labels that the predictions explain.

    .. math:: R^2 = 1 - \frac{\sum_t (y_t - \hat y_t)^2}{\sum_t (y_t - \bar y)^2}

    where :math:`\bar y` is the mean of the labels in the window. 1 is perfect, 0 is as good as
    predicting that mean, which is known only at the end. NaN if all labels are equal.

    Parameters
    ----------
    variant
        `"prequential"`: :math:`\bar y` is the mean of the labels before each item, over the items
        that have one. `"moa"`: the same over all items, with a mean of 0 before the first, as in
        MOA's basic evaluator (whole log only). `"sklearn"`: if all labels are equal, 1 for perfect
        predictions and 0 otherwise; NaN for a single item.

    Examples
    --------
    >>> from streamgauge.summaries import Moments
    >>> moments = Moments.of([1.0, 2.0, 4.0], [1.0, 1.0, 2.0])
    >>> float(R2().over(moments))
    -0.0714
    """

    variant: Literal["default", "prequential", "moa", "sklearn"] = "default"

    best: ClassVar[float] = 1.0
    span: ClassVar[tuple[float, float]] = (-float("inf"), 1.0)
    formula: ClassVar[str] = "1 - squared errors / squared distances from the mean label"
    task: ClassVar[Literal["regression"]] = "regression"
    summary: ClassVar[Literal["moments"]] = "moments"

    def __post_init__(self) -> None:
        one_of(self, "variant", self.variant, ("default", "prequential", "moa", "sklearn"))

    def supports(self) -> frozenset[str]:
        """The kinds of windows it is defined in."""
        if self.variant == "moa":
            return frozenset({"whole"})
        return BLOCKS if self.variant == "sklearn" else LINEAR

    def value(self, summary: Moments) -> F64:
        """1 - squared errors / squared distances from the mean label."""
        squared_errors = summary["squared_errors"]
        if self.variant == "prequential":
            baseline = summary["target_mean_squared"] / summary["baseline_items"]
            return 1.0 - squared_errors / summary["total"] / baseline
        if self.variant == "moa":
            return 1.0 - squared_errors / (
                summary["target_mean_squared"] + summary["first_squared"]
            )
        value = 1.0 - squared_errors / summary["squared_deviations"]
        constant = summary["lowest_label"] == summary["highest_label"]
        if self.variant == "sklearn":
            value = np.where(constant, np.where(squared_errors == 0.0, 1.0, 0.0), value)
            return np.where(summary["total"] < 2.0, np.nan, value)
        return np.where(constant, np.nan, value)

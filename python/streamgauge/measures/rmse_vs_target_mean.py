"""RMSE relative to predicting the mean label so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from streamgauge.measures._measure import LINEAR, Measure, one_of
from streamgauge.summaries import Moments
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class RMSEVsTargetMean(Measure[Moments]):
    r"""Root mean squared error divided by that of predicting the mean of the labels so far.

    .. math:: \sqrt{\frac{\frac{1}{n} \sum_t (y_t - \hat y_t)^2}
        {\frac{1}{n'} \sum_t (y_t - \bar y_{<t})^2}}

    where :math:`\bar y_{<t}` is the mean of the labels before item t and :math:`n'` counts the
    items that have one. 0 is perfect, 1 is as good as `TargetMean`, above 1 is worse.

    Parameters
    ----------
    variant
        `"moa"`: both over all items, with a mean of 0 before the first: the relative root mean
        squared error of MOA (whole log only).

    Examples
    --------
    >>> from streamgauge.summaries import Moments
    >>> moments = Moments.of([1.0, 2.0, 4.0], [1.0, 1.0, 2.0])
    >>> float(RMSEVsTargetMean().over(moments))
    0.6781
    """

    variant: Literal["default", "moa"] = "default"

    best: ClassVar[float] = 0.0
    span: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    formula: ClassVar[str] = "rmse / rmse of the mean of the labels before"
    task: ClassVar[Literal["regression"]] = "regression"
    summary: ClassVar[Literal["moments"]] = "moments"

    def __post_init__(self) -> None:
        one_of(self, "variant", self.variant, ("default", "moa"))

    def supports(self) -> frozenset[str]:
        """The kinds of windows it is defined in."""
        return frozenset({"whole"}) if self.variant == "moa" else LINEAR

    def value(self, summary: Moments) -> F64:
        """sqrt(mse / mse of the mean of the labels before)."""
        if self.variant == "moa":
            baseline = summary["target_mean_squared"] + summary["first_squared"]
            ratio = summary["squared_errors"] / baseline
        else:
            mse = summary["squared_errors"] / summary["total"]
            ratio = mse / (summary["target_mean_squared"] / summary["baseline_items"])
        value: F64 = np.sqrt(ratio)
        return value

"""RMSE relative to repeating the last label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from streamgauge.measures._measure import Measure
from streamgauge.summaries import Moments
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class RMSEVsLastValue(Measure[Moments]):
    r"""Root mean squared error divided by that of repeating the last label.

    .. math:: \sqrt{\frac{\frac{1}{n} \sum_t (y_t - \hat y_t)^2}
        {\frac{1}{n'} \sum_t (y_t - y_{t-1})^2}}

    where :math:`n'` counts the items with a previous label. 0 is perfect, 1 is as good as
    `LastValue`, above 1 is worse.

    Examples
    --------
    >>> from streamgauge.summaries import Moments
    >>> moments = Moments.of([1.0, 2.0, 4.0], [1.0, 1.0, 2.0])
    >>> float(RMSEVsLastValue().over(moments))
    0.8165
    """

    best: ClassVar[float] = 0.0
    span: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    formula: ClassVar[str] = "rmse / rmse of repeating the last label"
    task: ClassVar[Literal["regression"]] = "regression"
    summary: ClassVar[Literal["moments"]] = "moments"

    def value(self, summary: Moments) -> F64:
        """sqrt(mse / mse of the previous label)."""
        mse = summary["squared_errors"] / summary["total"]
        value: F64 = np.sqrt(mse / (summary["last_value_squared"] / summary["with_previous"]))
        return value

"""Root mean squared error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from streamgauge.measures._measure import Measure
from streamgauge.summaries import Moments
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class RMSE(Measure[Moments]):
    r"""Square root of the mean squared difference of predictions and labels.

    .. math:: \sqrt{\frac{1}{n} \sum_t (y_t - \hat y_t)^2}

    where :math:`y_t` is the label and :math:`\hat y_t` the prediction of item t. 0 is perfect; in
    the unit of the labels. Large errors count more than in `mae`.

    Examples
    --------
    >>> from streamgauge.summaries import Moments
    >>> moments = Moments.of([1.0, 2.0, 4.0], [1.0, 1.0, 2.0])
    >>> float(RMSE().over(moments))
    1.291
    """

    best: ClassVar[float] = 0.0
    span: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    formula: ClassVar[str] = "sqrt(mean of (label - prediction)^2)"
    task: ClassVar[Literal["regression"]] = "regression"
    summary: ClassVar[Literal["moments"]] = "moments"
    averages: ClassVar[Literal["squares"]] = "squares"

    def value(self, summary: Moments) -> F64:
        """sqrt(sum of squared errors / n)."""
        value: F64 = np.sqrt(summary["squared_errors"] / summary["total"])
        return value

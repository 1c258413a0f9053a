"""Mean absolute error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.measures._measure import Measure
from streamgauge.summaries import Moments
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class MAE(Measure[Moments]):
    r"""Mean absolute difference of predictions and labels.

    .. math:: \frac{1}{n} \sum_t |y_t - \hat y_t|

    where :math:`y_t` is the label and :math:`\hat y_t` the prediction of item t. 0 is perfect; in
    the unit of the labels.

    Examples
    --------
    >>> from streamgauge.summaries import Moments
    >>> moments = Moments.of([1.0, 2.0, 4.0], [1.0, 1.0, 2.0])
    >>> float(MAE().over(moments))
    1.0
    """

    best: ClassVar[float] = 0.0
    span: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    formula: ClassVar[str] = "mean of |label - prediction|"
    task: ClassVar[Literal["regression"]] = "regression"
    summary: ClassVar[Literal["moments"]] = "moments"
    averages: ClassVar[Literal["items"]] = "items"

    def value(self, summary: Moments) -> F64:
        """The sum of absolute errors / n."""
        return summary["absolute_errors"] / summary["total"]

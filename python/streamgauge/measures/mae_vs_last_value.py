"""MAE relative to repeating the last label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.measures._measure import Measure
from streamgauge.summaries import Moments
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class MAEVsLastValue(Measure[Moments]):
    r"""Mean absolute error divided by that of repeating the last label.

    .. math:: \frac{\frac{1}{n} \sum_t |y_t - \hat y_t|}{\frac{1}{n'} \sum_t |y_t - y_{t-1}|}

    where :math:`n'` counts the items with a previous label. 0 is perfect, 1 is as good as
    `LastValue`, above 1 is worse.

    Examples
    --------
    >>> from streamgauge.summaries import Moments
    >>> moments = Moments.of([1.0, 2.0, 4.0], [1.0, 1.0, 2.0])
    >>> float(MAEVsLastValue().over(moments))
    0.6667
    """

    best: ClassVar[float] = 0.0
    span: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    formula: ClassVar[str] = "mae / mae of repeating the last label"
    task: ClassVar[Literal["regression"]] = "regression"
    summary: ClassVar[Literal["moments"]] = "moments"

    def value(self, summary: Moments) -> F64:
        """mae / mae of the previous label."""
        mae = summary["absolute_errors"] / summary["total"]
        return mae / (summary["last_value_absolute"] / summary["with_previous"])

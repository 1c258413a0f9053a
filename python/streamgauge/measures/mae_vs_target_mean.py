"""MAE relative to predicting the mean label so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.measures._measure import LINEAR, Measure, one_of
from streamgauge.summaries import Moments
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class MAEVsTargetMean(Measure[Moments]):
    r"""Mean absolute error divided by that of predicting the mean of the labels so far.

    .. math:: \frac{\frac{1}{n} \sum_t |y_t - \hat y_t|}{\frac{1}{n'} \sum_t |y_t - \bar y_{<t}|}

    where :math:`\bar y_{<t}` is the mean of the labels before item t and :math:`n'` counts the
    items that have one. 0 is perfect, 1 is as good as `TargetMean`, above 1 is worse.

    Parameters
    ----------
    variant
        `"moa"`: both over all items, with a mean of 0 before the first: the relative mean absolute
        error of MOA (whole log only).

    Examples
    --------
    >>> from streamgauge.summaries import Moments
    >>> moments = Moments.of([1.0, 2.0, 4.0], [1.0, 1.0, 2.0])
    >>> float(MAEVsTargetMean().over(moments))
    0.5714
    """

    variant: Literal["default", "moa"] = "default"

    best: ClassVar[float] = 0.0
    span: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    formula: ClassVar[str] = "mae / mae of the mean of the labels before"
    task: ClassVar[Literal["regression"]] = "regression"
    summary: ClassVar[Literal["moments"]] = "moments"

    def __post_init__(self) -> None:
        one_of(self, "variant", self.variant, ("default", "moa"))

    def supports(self) -> frozenset[str]:
        """The kinds of windows it is defined in."""
        return frozenset({"whole"}) if self.variant == "moa" else LINEAR

    def value(self, summary: Moments) -> F64:
        """mae / mae of the mean of the labels before."""
        if self.variant == "moa":
            baseline = summary["target_mean_absolute"] + summary["first_absolute"]
            return summary["absolute_errors"] / baseline
        mae = summary["absolute_errors"] / summary["total"]
        return mae / (summary["target_mean_absolute"] / summary["baseline_items"])

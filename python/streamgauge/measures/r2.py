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
    r"""How much of the labels' spread the answers account for.

    .. math:: R^2 = 1 - \frac{\sum_t (y_t - \hat y_t)^2}{\sum_t (y_t - \bar y)^2}

    with the mean of the labels in the window. 1 is perfect, 0 is as good as that mean, which
    nobody knew beforehand. NaN if all labels are equal.

    Parameters
    ----------
    variant
        `"prequential"`: against the mean of the labels known before each item, as a learner
        would have it; over the items that have one. `"moa"`: the same over all items, the mean
        before the first being 0, as MOA's basic evaluator prints it (whole log only).
        `"sklearn"`: if all labels are equal, 1 for perfect answers and 0 for others; NaN for a
        single item.

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
        """The share of the spread."""
        if self.variant == "prequential":
            reference = summary["mean_squared"] / summary["guesses"]
            return 1.0 - summary["squared"] / summary["total"] / reference
        if self.variant == "moa":
            return 1.0 - summary["squared"] / (summary["mean_squared"] + summary["opening_squared"])
        constant = summary["lowest"] == summary["highest"]
        value = 1.0 - summary["squared"] / summary["spread"]
        if self.variant == "sklearn":
            value = np.where(constant, np.where(summary["squared"] == 0.0, 1.0, 0.0), value)
            return np.where(summary["total"] < 2.0, np.nan, value)
        return np.where(constant, np.nan, value)

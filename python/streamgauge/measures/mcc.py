"""Matthews correlation coefficient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from streamgauge.measures._measure import Measure, one_of
from streamgauge.summaries import Confusion
from streamgauge.summaries._class_sum import class_sum
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class MCC(Measure[Confusion]):
    r"""Matthews correlation of labels and predictions, for any number of classes.

    .. math:: \frac{c s - \sum_i t_i p_i}{\sqrt{(s^2 - \sum_i p_i^2)(s^2 - \sum_i t_i^2)}}

    with s items, c correct predictions, and :math:`t_i` labels and :math:`p_i` predictions of class
    i (no prediction counts as one more class). 1 is perfect, 0 is chance. NaN if all labels or
    all predictions are of one class.

    Parameters
    ----------
    variant
        `"sklearn"`: undefined is 0.

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> float(MCC().over(Confusion.of([[20, 5], [10, 15]])))
    0.4082

    References
    ----------
    Gorodkin. Comparing two K-category assignments by a K-category correlation coefficient.
    Computational Biology and Chemistry 28 (2004).
    """

    variant: Literal["default", "sklearn"] = "default"

    best: ClassVar[float] = 1.0
    span: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    formula: ClassVar[str] = "correlation of labels and predictions (Gorodkin's R_K)"
    needs: ClassVar[frozenset[str]] = frozenset({"labels", "predictions"})

    def __post_init__(self) -> None:
        one_of(self, "variant", self.variant, ("default", "sklearn"))

    def value(self, summary: Confusion) -> F64:
        """The formula with numerator and denominator divided by s^2."""
        c = summary.correct / summary.total
        t = summary.labels / summary.total
        p = summary.predictions / summary.total
        abstained = summary.abstained / summary.total
        covariance = c - class_sum(t * p)
        label_variance = 1.0 - class_sum(t * t)
        prediction_variance = 1.0 - class_sum(p * p) - abstained * abstained
        value: F64 = covariance / np.sqrt(label_variance * prediction_variance)
        undefined = (label_variance < 1e-12) | (prediction_variance < 1e-12)
        return np.where(undefined, 0.0 if self.variant == "sklearn" else np.nan, value)

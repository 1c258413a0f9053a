"""Brier score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.measures._measure import Measure, one_of
from streamgauge.summaries import Losses
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class Brier(Measure[Losses]):
    r"""Mean squared distance of the scores from the labels.

    .. math:: \frac{1}{n} \sum_t \sum_i (s_t(i) - [y_t = i])^2

    where :math:`s_t(i)` is the score of class i and :math:`y_t` the label of item t. 0 is perfect;
    2 is the worst value of scores that sum to 1. Items without scores are skipped.

    Parameters
    ----------
    variant
        `"sklearn"`: half of it if there are two classes.

    Examples
    --------
    >>> from streamgauge.summaries import Losses
    >>> losses = Losses.of([0, 1], [[0.5, 0.5], [0.2, 0.8]])
    >>> float(Brier().over(losses)), float(Brier(variant="sklearn").over(losses))
    (0.29, 0.145)

    References
    ----------
    Brier. Verification of forecasts expressed in terms of probability.
    Monthly Weather Review 78 (1950).
    """

    variant: Literal["default", "sklearn"] = "default"

    best: ClassVar[float] = 0.0
    span: ClassVar[tuple[float, float]] = (0.0, 2.0)
    formula: ClassVar[str] = (
        "mean over items of the sum over classes of (score - [class is the label])^2"
    )
    summary: ClassVar[Literal["losses"]] = "losses"
    averages: ClassVar[Literal["items"]] = "items"

    def __post_init__(self) -> None:
        one_of(self, "variant", self.variant, ("default", "sklearn"))

    def value(self, summary: Losses) -> F64:
        """The sum of squared distances / n."""
        half = self.variant == "sklearn" and len(summary.classes) == 2
        return summary.squared / summary.total * (0.5 if half else 1.0)

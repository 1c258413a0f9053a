"""Log loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.measures._measure import Measure, one_of
from streamgauge.summaries import Losses
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class LogLoss(Measure[Losses]):
    r"""Mean negative logarithm of the score of the label.

    .. math:: -\frac{1}{n} \sum_t \ln s_t(y_t)

    where :math:`s_t(y_t)` is the score of the label of item t. 0 is perfect; infinite if the score
    of any label is 0. Scores, from 0 to 1, are used unchanged and should sum to 1. Items without
    scores are skipped.

    Parameters
    ----------
    variant
        `"sklearn"`: scores are divided by their sum and clipped to [eps, 1 - eps] (eps: machine
        epsilon), so the loss is finite.

    Examples
    --------
    >>> from streamgauge.summaries import Losses
    >>> float(LogLoss().over(Losses.of([0, 1], [[0.5, 0.5], [0.2, 0.8]])))
    0.4581
    """

    variant: Literal["default", "sklearn"] = "default"

    best: ClassVar[float] = 0.0
    span: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    formula: ClassVar[str] = "mean of -ln(score of the label)"
    summary: ClassVar[Literal["losses"]] = "losses"
    averages: ClassVar[Literal["items"]] = "items"

    def __post_init__(self) -> None:
        one_of(self, "variant", self.variant, ("default", "sklearn"))

    def value(self, summary: Losses) -> F64:
        """The sum of -ln(score of the label) / n."""
        if self.variant == "sklearn":
            return summary.negative_log_clipped / summary.total
        return summary.negative_log / summary.total

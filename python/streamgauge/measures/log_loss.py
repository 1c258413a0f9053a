"""Log loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.measures._measure import Measure, one_of
from streamgauge.summaries import Losses
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class LogLoss(Measure[Losses]):
    r"""The mean surprise at the label: minus the logarithm of the score it was given.

    .. math:: -\frac{1}{n} \sum_t \ln s_t(y_t)

    0 is perfect; infinite once a label was given the score 0. Scores are taken as they are:
    they should sum to 1. Items without scores are skipped.

    Parameters
    ----------
    variant
        `"sklearn"`: scores are made to sum to 1 and kept off 0 and 1 by the smallest step a
        number can make, so it is never infinite.

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

    def __post_init__(self) -> None:
        one_of(self, "variant", self.variant, ("default", "sklearn"))

    def value(self, summary: Losses) -> F64:
        """The mean loss."""
        return (summary.clipped if self.variant == "sklearn" else summary.log) / summary.total

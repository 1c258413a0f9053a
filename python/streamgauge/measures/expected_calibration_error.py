"""Expected calibration error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.measures._measure import Measure
from streamgauge.summaries import Losses
from streamgauge.summaries._class_sum import class_sum
from streamgauge.types import F64


@plain_numbers
@dataclass(frozen=True, slots=True)
class ExpectedCalibrationError(Measure[Losses]):
    r"""Mean difference between the confidence and the accuracy of predictions.

    .. math:: \sum_b \frac{n_b}{n} \left| \text{acc}_b - \text{conf}_b \right|

    Predictions are sorted by their score into `bins` bins of equal width, closed above;
    :math:`\text{acc}_b` is the share of the :math:`n_b` predictions of a bin that are correct,
    :math:`\text{conf}_b` their mean score. 0 is perfect. Items without scores are skipped.

    Parameters
    ----------
    bins
        Number of bins, 1 to 10,000.

    Examples
    --------
    >>> from streamgauge.summaries import Losses
    >>> losses = Losses.of([0, 1], [[0.9, 0.1], [0.8, 0.2]])
    >>> float(ExpectedCalibrationError().over(losses))
    0.45

    References
    ----------
    Naeini, Cooper, Hauskrecht. Obtaining well calibrated probabilities using Bayesian binning.
    AAAI (2015).
    """

    bins: int = 10

    best: ClassVar[float] = 0.0
    span: ClassVar[tuple[float, float]] = (0.0, 1.0)
    formula: ClassVar[str] = (
        "mean over bins of |share of correct predictions - mean score of predictions|"
    )
    summary: ClassVar[Literal["losses"]] = "losses"
    aliases: ClassVar[tuple[str, ...]] = ("ece",)

    def __post_init__(self) -> None:
        if (
            not isinstance(self.bins, int)
            or isinstance(self.bins, bool)
            or not 1 <= self.bins <= 10_000
        ):
            raise ParameterError.of(self, "bins", "a whole number from 1 to 10,000", self.bins)

    def parts(self) -> frozenset[str]:
        """The parts of the summary it reads."""
        return frozenset({f"bins:{self.bins}"})

    def value(self, summary: Losses) -> F64:
        """The sum over bins of |correct predictions - sum of scores|, divided by n."""
        table = summary.bins[self.bins]
        return class_sum(np.abs(table.correct - table.confidence)) / summary.total

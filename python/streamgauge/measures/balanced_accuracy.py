"""Balanced accuracy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from streamgauge.measures._class_average import class_nanmean
from streamgauge.measures._measure import Measure
from streamgauge.summaries import Confusion
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class BalancedAccuracy(Measure[Confusion]):
    r"""Mean of the recalls of the classes: the accuracy if all classes were equally frequent.

    .. math:: \frac{1}{m} \sum_i \frac{\text{true positives}_i}{\text{labels}_i}

    over the m classes that occur among the labels of the window. 1 is perfect, 1/m is the value
    of any constant prediction.

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> float(BalancedAccuracy().over(Confusion.of([[20, 5], [2, 2]])))
    0.65

    References
    ----------
    Brodersen, Ong, Stephan, Buhmann. The balanced accuracy and its posterior distribution.
    ICPR (2010).
    """

    best: ClassVar[float] = 1.0
    span: ClassVar[tuple[float, float]] = (0.0, 1.0)
    formula: ClassVar[str] = "mean recall of the classes that occur"
    needs: ClassVar[frozenset[str]] = frozenset({"true_positives", "labels"})

    def value(self, summary: Confusion) -> F64:
        """The mean recall over the classes that occur."""
        recalls = summary.true_positives / summary.labels
        return class_nanmean(recalls)

"""Balanced accuracy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from streamgauge.measures._measure import Measure
from streamgauge.measures._per_class import mean_defined
from streamgauge.summaries import Confusion
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class BalancedAccuracy(Measure[Confusion]):
    r"""The mean of the classes' recalls: accuracy if all classes were equally frequent.

    .. math:: \frac{1}{m} \sum_i \frac{\text{right answers of class } i}{\text{labels of class } i}

    over the m classes that occur among the labels of the window. 1 is perfect, 1/m is what any
    constant answer gets.

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
    needs: ClassVar[frozenset[str]] = frozenset({"hits", "truths"})

    def value(self, summary: Confusion) -> F64:
        """The mean recall."""
        return mean_defined(summary.hits / summary.truths)

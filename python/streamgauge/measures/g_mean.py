"""G-mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from streamgauge.measures._class_average import class_nanmean
from streamgauge.measures._measure import Measure
from streamgauge.summaries import Confusion
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class GMean(Measure[Confusion]):
    r"""Geometric mean of the recalls of the classes.

    .. math:: \left( \prod_i \frac{\text{true positives}_i}{\text{labels}_i} \right)^{1/m}

    over the m classes that occur among the labels of the window. 1 is perfect; 0 if the
    recall of one class is 0.

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> float(GMean().over(Confusion.of([[16, 9], [1, 3]])))
    0.6928

    References
    ----------
    Kubat, Matwin. Addressing the curse of imbalanced training sets: one-sided selection.
    ICML (1997).
    """

    best: ClassVar[float] = 1.0
    span: ClassVar[tuple[float, float]] = (0.0, 1.0)
    formula: ClassVar[str] = "geometric mean of the recalls of the classes that occur"
    needs: ClassVar[frozenset[str]] = frozenset({"true_positives", "labels"})

    def value(self, summary: Confusion) -> F64:
        """The geometric mean, as the exponential of the mean logarithm: exp(log(0)) is 0."""
        recalls = summary.true_positives / summary.labels
        value: F64 = np.exp(class_nanmean(np.log(recalls)))
        return value

"""G-mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from streamgauge.measures._measure import Measure
from streamgauge.measures._per_class import mean_defined
from streamgauge.summaries import Confusion
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class GMean(Measure[Confusion]):
    r"""The geometric mean of the classes' recalls.

    .. math:: \left( \prod_i
        \frac{\text{right answers of class } i}{\text{labels of class } i} \right)^{1/m}

    over the m classes that occur among the labels of the window. 1 is perfect; one class that
    is never found makes it 0.

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> float(GMean().over(Confusion.of([[16, 9], [1, 3]])))
    0.6928

    References
    ----------
    Kubat, Matwin. Addressing the curse of imbalanced training sets. ICML (1997).
    """

    best: ClassVar[float] = 1.0
    span: ClassVar[tuple[float, float]] = (0.0, 1.0)
    formula: ClassVar[str] = "geometric mean of the recalls of the classes that occur"
    needs: ClassVar[frozenset[str]] = frozenset({"hits", "truths"})

    def value(self, summary: Confusion) -> F64:
        """The mean recall."""
        # the log of 0 is minus infinity, and its exponential 0 again
        value: F64 = np.exp(mean_defined(np.log(summary.hits / summary.truths)))
        return value

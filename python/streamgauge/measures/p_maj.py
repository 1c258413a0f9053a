"""Share of the most frequent label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from streamgauge.measures._measure import ALL, Measure
from streamgauge.summaries import Confusion
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class PMaj(Measure[Confusion]):
    r"""Share of the most frequent label: the accuracy of always predicting that class.

    .. math:: p_{maj} = \max_i P(i)

    where :math:`P(i)` is the share of class i among the labels of the window. The majority of the
    window is known only at its end; `kappa_m` uses the majority of the labels before each item.

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> float(PMaj().over(Confusion.of([[20, 10], [5, 15]])))
    0.6

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """

    best: ClassVar[float] = float("nan")
    span: ClassVar[tuple[float, float]] = (0.0, 1.0)
    formula: ClassVar[str] = "p_maj = most frequent label / items"
    needs: ClassVar[frozenset[str]] = frozenset({"labels"})
    windows: ClassVar[frozenset[str]] = ALL

    def value(self, summary: Confusion) -> F64:
        """The largest number of labels of a class / items."""
        value: F64 = summary.labels.max(0) / summary.total
        return value

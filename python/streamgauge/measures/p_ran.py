"""Accuracy of the same predictions in random order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from streamgauge.measures._measure import ALL, Measure
from streamgauge.summaries import Confusion
from streamgauge.summaries._class_sum import class_sum
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class PRan(Measure[Confusion]):
    r"""Accuracy of the same predictions in random order.

    .. math:: p_{ran} = \sum_i P(i) P_h(i)

    where :math:`P(i)` and :math:`P_h(i)` are the shares of class i among labels and predictions.
    The reference of Cohen's kappa.

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> float(PRan().over(Confusion.of([[20, 5], [10, 15]])))
    0.5

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """

    best: ClassVar[float] = float("nan")
    span: ClassVar[tuple[float, float]] = (0.0, 1.0)
    formula: ClassVar[str] = "p_ran = sum over classes of (share of labels * share of predictions)"
    needs: ClassVar[frozenset[str]] = frozenset({"labels", "predictions"})
    windows: ClassVar[frozenset[str]] = ALL

    def value(self, summary: Confusion) -> F64:
        """The sum over classes of labels * predictions / items^2."""
        return class_sum(summary.labels * summary.predictions) / summary.total / summary.total

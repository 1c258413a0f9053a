"""Cohen's kappa."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from streamgauge.measures._limit_at_perfect_reference import limit_at_perfect_reference
from streamgauge.measures._measure import ALL, Measure
from streamgauge.summaries import Confusion
from streamgauge.summaries._class_sum import class_sum
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class Kappa(Measure[Confusion]):
    r"""Cohen's kappa: agreement of predictions and labels, corrected for chance.

    .. math:: \kappa = \frac{p - p_{ran}}{1 - p_{ran}}, \quad p_{ran} = \sum_i P(i) P_h(i)

    where :math:`p` is the accuracy and :math:`P(i)` and :math:`P_h(i)` are the shares of class i
    among labels and predictions: :math:`p_{ran}` is the accuracy of the same predictions in
    random order. 1 is perfect, 0 is chance. NaN if all labels and predictions are of one class.

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> float(Kappa().over(Confusion.of([[20, 5], [10, 15]])))
    0.4

    References
    ----------
    Cohen. A coefficient of agreement for nominal scales.
    Educational and Psychological Measurement 20 (1960).
    """

    best: ClassVar[float] = 1.0
    span: ClassVar[tuple[float, float]] = (-float("inf"), 1.0)
    formula: ClassVar[str] = "(p - p_ran) / (1 - p_ran)"
    needs: ClassVar[frozenset[str]] = frozenset({"labels", "predictions"})
    windows: ClassVar[frozenset[str]] = ALL

    def value(self, summary: Confusion) -> F64:
        """kappa = (p - p_ran) / (1 - p_ran)."""
        p = summary.correct / summary.total
        p_ran = class_sum(summary.labels * summary.predictions) / summary.total / summary.total
        kappa = (p - p_ran) / (1.0 - p_ran)
        return limit_at_perfect_reference(kappa, p, p_ran)

"""Cohen's kappa."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from streamgauge.measures._measure import ALL, Measure
from streamgauge.summaries import Shares
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class Kappa(Measure[Shares]):
    r"""Agreement with the truth beyond what chance would give: Cohen's kappa.

    .. math:: \kappa = \frac{p - p_{ran}}{1 - p_{ran}}

    where :math:`p` is the accuracy and :math:`p_{ran}` that of a guesser who answers each class
    as often as the learner does. 1 is perfect, 0 is chance. NaN when the guesser cannot be
    wrong: all labels and all answers are of one class.

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
    needs: ClassVar[frozenset[str]] = frozenset({"truths", "answers"})
    windows: ClassVar[frozenset[str]] = ALL

    def value(self, summary: Shares) -> F64:
        """The kappa."""
        return summary.beyond_chance

"""What the learner's answers would get right if they were shuffled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from streamgauge.measures._measure import ALL, Measure
from streamgauge.summaries import Shares
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class PRan(Measure[Shares]):
    r"""What the learner's answers would get right if they were shuffled.

    .. math:: p_{ran} = \sum_i P(i) P_h(i)

    with the shares of labels and of answers of each class. The reference of Cohen's kappa.

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
    formula: ClassVar[str] = "p_ran = sum over classes of (share of labels * share of answers)"
    needs: ClassVar[frozenset[str]] = frozenset({"truths", "answers"})
    windows: ClassVar[frozenset[str]] = ALL

    def value(self, summary: Shares) -> F64:
        """The share."""
        return summary.by_chance

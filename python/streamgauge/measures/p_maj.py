"""Share of the most frequent label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from streamgauge.measures._measure import ALL, Measure
from streamgauge.summaries import Shares
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class PMaj(Measure[Shares]):
    r"""Share of the most frequent label: what always answering that class would get right.

    .. math:: p_{maj} = \max_i P(i)

    over the labels of the window. It knows the window's labels beforehand; `kappa_m` compares
    with a majority that does not.

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
    needs: ClassVar[frozenset[str]] = frozenset({"truths"})
    windows: ClassVar[frozenset[str]] = ALL

    def value(self, summary: Shares) -> F64:
        """The share."""
        return summary.largest

"""Test statistic of Cohen's kappa."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from streamgauge.measures._measure import BLOCKS, Measure
from streamgauge.summaries import Confusion
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class KappaZ(Measure[Confusion]):
    r"""Test statistic of Cohen's kappa: is the agreement more than chance?

    .. math:: z = \kappa / \delta_0, \quad \delta_0 = \sqrt{\frac{p_{ran}}{N (1 - p_{ran})}}

    One-sided: above 1.65 at the 5 % level. Watched over a stream it says yes sooner or later,
    whatever is true; decide beforehand when to look. NaN where kappa is, and where nothing can
    be right by chance.

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> float(KappaZ().over(Confusion.of([[20, 5], [10, 15]])))
    2.8284

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """

    best: ClassVar[float] = float("inf")
    span: ClassVar[tuple[float, float]] = (-float("inf"), float("inf"))
    formula: ClassVar[str] = "kappa / sqrt(p_ran / (N (1 - p_ran)))"
    needs: ClassVar[frozenset[str]] = frozenset({"truths", "answers"})
    windows: ClassVar[frozenset[str]] = BLOCKS
    takes_weights: ClassVar[bool] = False

    def value(self, summary: Confusion) -> F64:
        """The statistic."""
        chance = summary.by_chance
        spread = np.sqrt(chance / (summary.total * (1.0 - chance)))
        value: F64 = summary.beyond_chance / spread
        return np.where(chance == 0.0, np.nan, value)

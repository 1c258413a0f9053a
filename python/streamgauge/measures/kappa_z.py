"""Test statistic of Cohen's kappa."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from streamgauge.measures._limit_at_perfect_reference import limit_at_perfect_reference
from streamgauge.measures._measure import BLOCKS, Measure
from streamgauge.summaries import Confusion
from streamgauge.summaries._class_sum import class_sum
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class KappaZ(Measure[Confusion]):
    r"""Test statistic of Cohen's kappa against the hypothesis of chance agreement.

    .. math:: z = \kappa / \delta_0, \quad \delta_0 = \sqrt{\frac{p_{ran}}{N (1 - p_{ran})}}

    where N is the number of items in the window and :math:`p_{ran}` the accuracy by chance (see
    `kappa`). One-sided: significant above 1.65 at the 5 % level, if tested once, at a time fixed
    beforehand; tested repeatedly along a stream it exceeds any level sooner or later. NaN where
    kappa is, and where :math:`p_{ran}` is 0.

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
    needs: ClassVar[frozenset[str]] = frozenset({"labels", "predictions"})
    windows: ClassVar[frozenset[str]] = BLOCKS
    takes_weights: ClassVar[bool] = False

    def value(self, summary: Confusion) -> F64:
        """z = kappa / sqrt(p_ran / (N (1 - p_ran)))."""
        p = summary.correct / summary.total
        p_ran = class_sum(summary.labels * summary.predictions) / summary.total / summary.total
        kappa = limit_at_perfect_reference((p - p_ran) / (1.0 - p_ran), p, p_ran)
        value: F64 = kappa / np.sqrt(p_ran / (summary.total * (1.0 - p_ran)))
        return np.where(p_ran == 0.0, np.nan, value)

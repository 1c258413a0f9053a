"""Standard error of Cohen's kappa."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from streamgauge.measures._measure import BLOCKS, Measure
from streamgauge.summaries import Confusion
from streamgauge.summaries._class_sum import class_sum
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class KappaSe(Measure[Confusion]):
    r"""Standard error of Cohen's kappa, approximately.

    .. math:: \delta_\kappa = \sqrt{\frac{p (1 - p)}{N (1 - p_{ran})^2}}

    where N is the number of items in the window, :math:`p` the accuracy and :math:`p_{ran}` the
    accuracy by chance (see `kappa`). NaN where kappa is.

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> float(KappaSe().over(Confusion.of([[20, 5], [10, 15]])))
    0.1296

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """

    best: ClassVar[float] = 0.0
    span: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    formula: ClassVar[str] = "sqrt(p (1 - p) / (N (1 - p_ran)^2))"
    needs: ClassVar[frozenset[str]] = frozenset({"labels", "predictions"})
    windows: ClassVar[frozenset[str]] = BLOCKS
    takes_weights: ClassVar[bool] = False

    def value(self, summary: Confusion) -> F64:
        """sqrt(p (1 - p) / N) / (1 - p_ran); NaN where p_ran is 1."""
        p = summary.correct / summary.total
        p_ran = class_sum(summary.labels * summary.predictions) / summary.total / summary.total
        value: F64 = np.sqrt(p * (1.0 - p) / summary.total) / (1.0 - p_ran)
        return np.where(np.abs(1.0 - p_ran) < 1e-12, np.nan, value)

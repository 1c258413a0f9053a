"""Standard error of Cohen's kappa under chance agreement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from streamgauge.measures._measure import BLOCKS, Measure
from streamgauge.summaries import Confusion
from streamgauge.summaries._class_sum import class_sum
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class KappaSe0(Measure[Confusion]):
    r"""Standard error of Cohen's kappa if labels and predictions agree by chance only.

    .. math:: \delta_0 = \sqrt{\frac{p_{ran}}{N (1 - p_{ran})}}

    where N is the number of items in the window and :math:`p_{ran}` the accuracy by chance (see
    `kappa`). `kappa_z` divides kappa by it. NaN where :math:`p_{ran}` is 1.

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> float(KappaSe0().over(Confusion.of([[20, 5], [10, 15]])))
    0.1414

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """

    best: ClassVar[float] = float("nan")
    span: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    formula: ClassVar[str] = "sqrt(p_ran / (N (1 - p_ran)))"
    needs: ClassVar[frozenset[str]] = frozenset({"labels", "predictions"})
    windows: ClassVar[frozenset[str]] = BLOCKS
    takes_weights: ClassVar[bool] = False

    def value(self, summary: Confusion) -> F64:
        """sqrt(p_ran / (N (1 - p_ran))); NaN where p_ran is 1."""
        p_ran = class_sum(summary.labels * summary.predictions) / summary.total / summary.total
        value: F64 = np.sqrt(p_ran / (summary.total * (1.0 - p_ran)))
        return np.where(np.abs(1.0 - p_ran) < 1e-12, np.nan, value)

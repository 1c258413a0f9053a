"""Accuracy of a uniformly random guess."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from streamgauge.measures._measure import ALL, Measure
from streamgauge.summaries import Confusion
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class P0(Measure[Confusion]):
    r"""Accuracy of a uniformly random guess.

    .. math:: p_0 = 1/k

    with k declared classes, for any log; the lowest of the baselines.

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> float(P0().over(Confusion.of([[20, 5], [10, 15]])))
    0.5

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """

    best: ClassVar[float] = float("nan")
    span: ClassVar[tuple[float, float]] = (0.0, 1.0)
    formula: ClassVar[str] = "p_0 = 1 / classes"
    windows: ClassVar[frozenset[str]] = ALL

    def value(self, summary: Confusion) -> F64:
        """1 / k; NaN if there are no items."""
        p = summary.correct / summary.total
        return np.where(np.isnan(p), np.nan, 1.0 / len(summary.classes))

"""Kappa-plus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from streamgauge.measures._limit_at_perfect_reference import limit_at_perfect_reference
from streamgauge.measures._measure import ALL, Measure
from streamgauge.summaries import Confusion
from streamgauge.summaries._class_sum import class_sum
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class KappaPlus(Measure[Confusion]):
    r"""Geometric mean of Cohen's kappa and kappa-temporal, each at least 0.

    .. math:: \kappa^+ = \sqrt{\max(0, \kappa) \max(0, \kappa_{per})}

    where :math:`\kappa = (p - p_{ran}) / (1 - p_{ran})` compares the accuracy :math:`p` with chance
    (`kappa`) and :math:`\kappa_{per} = (p - p_{per}) / (1 - p_{per})` with repeating the last label
    (`kappa_temporal`). 1 is perfect; 0 is no better than one of the two. NaN if either kappa is.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.summaries import Confusion
    >>> c = Confusion.of([[20, 5], [10, 15]])
    >>> counts = {**c.counts, "with_previous": np.array(49.0), "repeats": np.array(24.5)}
    >>> float(KappaPlus().over(Confusion((0, 1), counts)))
    0.4

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """

    best: ClassVar[float] = 1.0
    span: ClassVar[tuple[float, float]] = (0.0, 1.0)
    formula: ClassVar[str] = "sqrt(max(0, kappa) * max(0, kappa_temporal))"
    needs: ClassVar[frozenset[str]] = frozenset({"labels", "predictions", "repeats"})
    windows: ClassVar[frozenset[str]] = ALL

    def value(self, summary: Confusion) -> F64:
        """kappa_plus = sqrt(max(0, kappa) max(0, kappa_per))."""
        p = summary.correct / summary.total
        p_ran = class_sum(summary.labels * summary.predictions) / summary.total / summary.total
        p_per = summary.repeats / summary.with_previous
        kappa = limit_at_perfect_reference((p - p_ran) / (1.0 - p_ran), p, p_ran)
        kappa_per = limit_at_perfect_reference((p - p_per) / (1.0 - p_per), p, p_per)
        value: F64 = np.sqrt(np.maximum(kappa, 0.0) * np.maximum(kappa_per, 0.0))  # NaN stays
        return value

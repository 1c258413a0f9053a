"""Kappa-plus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from streamgauge.measures._measure import ALL, Measure
from streamgauge.summaries import Shares
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class KappaPlus(Measure[Shares]):
    r"""Better than chance and better than repeating the last label, in one number.

    .. math:: \kappa^+ = \sqrt{\max(0, \kappa) \max(0, \kappa_{per})}

    1 is perfect; 0 is no better than one of the two guessers. NaN if either kappa is.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.summaries import Confusion
    >>> c = Confusion.of([[20, 5], [10, 15]])
    >>> counts = {**c.counts, "pairs": np.array(49.0), "repeats": np.array(24.5)}
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
    needs: ClassVar[frozenset[str]] = frozenset({"truths", "answers", "repeats"})
    windows: ClassVar[frozenset[str]] = ALL

    def value(self, summary: Shares) -> F64:
        """The kappa."""
        # np.maximum passes NaN on, and takes minus infinity for what it is: negative
        chance = np.maximum(summary.beyond_chance, 0.0)
        persistent = np.maximum(summary.beyond_persistent, 0.0)
        value: F64 = np.sqrt(chance * persistent)
        return value

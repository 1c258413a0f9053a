"""Share of labels that equal the previous one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from streamgauge.measures._measure import ALL, Measure
from streamgauge.summaries import Confusion
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class PPer(Measure[Confusion]):
    r"""Share of labels that equal the previous one: the accuracy of repeating the last label.

    .. math:: p_{per} = P(y_t = y_{t-1})

    over the items with a previous label: the first label of a log has none; the first one of a
    window is compared with the last one before the window. NaN with fewer than two labels.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.summaries import Confusion
    >>> numbers = {"total": 11.0, "with_previous": 10.0, "repeats": 6.0}
    >>> counts = {name: np.array(number) for name, number in numbers.items()}
    >>> float(PPer().over(Confusion((0, 1), counts)))
    0.6

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """

    best: ClassVar[float] = float("nan")
    span: ClassVar[tuple[float, float]] = (0.0, 1.0)
    formula: ClassVar[str] = "p_per = repeated labels / pairs of labels"
    needs: ClassVar[frozenset[str]] = frozenset({"repeats"})
    windows: ClassVar[frozenset[str]] = ALL

    def value(self, summary: Confusion) -> F64:
        """p_per = repeated labels / pairs of consecutive labels."""
        return summary.repeats / summary.with_previous

"""Kappa-temporal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.measures._limit_at_perfect_reference import limit_at_perfect_reference
from streamgauge.measures._measure import ALL, LINEAR, Measure, one_of
from streamgauge.summaries import Confusion
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class KappaTemporal(Measure[Confusion]):
    r"""Accuracy compared with that of repeating the last label.

    .. math:: \kappa_{per} = \frac{p - p_{per}}{1 - p_{per}}, \quad p_{per} = P(y_t = y_{t-1})

    where :math:`p` is the accuracy and :math:`p_{per}` that of the persistent classifier, which
    repeats the last label, over the items with a previous label (the first one of a log has none).
    1 is perfect, 0 is as good as the persistent classifier, and there is no lower limit. NaN if
    both accuracies are 1, minus infinity if only :math:`p_{per}` is.

    Parameters
    ----------
    variant
        `"moa"`: the label before the first one is assumed to be the first class, and counts. The
        algorithm of the paper is the window `EWMA`.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.summaries import Confusion
    >>> numbers = {"total": 11.0, "correct": 8.8, "with_previous": 10.0, "repeats": 6.0}
    >>> counts = {name: np.array(n) for name, n in numbers.items()}
    >>> float(KappaTemporal().over(Confusion((0, 1), counts)))
    0.5

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """

    variant: Literal["default", "moa"] = "default"

    best: ClassVar[float] = 1.0
    span: ClassVar[tuple[float, float]] = (-float("inf"), 1.0)
    formula: ClassVar[str] = "(p - p_per) / (1 - p_per)"
    aliases: ClassVar[tuple[str, ...]] = ("kappa_t", "kappa_per")

    def __post_init__(self) -> None:
        one_of(self, "variant", self.variant, ("default", "moa"))

    def parts(self) -> frozenset[str]:
        """The parts of the summary it reads."""
        return frozenset({"repeats", "first_repeats"} if self.variant == "moa" else {"repeats"})

    def supports(self) -> frozenset[str]:
        """The kinds of windows it is defined in."""
        return LINEAR if self.variant == "moa" else ALL

    def value(self, summary: Confusion) -> F64:
        """kappa_per = (p - p_per) / (1 - p_per)."""
        p = summary.correct / summary.total
        if self.variant == "moa":
            p_per = (summary.repeats + summary.counts["first_repeats"]) / summary.total
        else:
            p_per = summary.repeats / summary.with_previous
        kappa_per = (p - p_per) / (1.0 - p_per)
        return limit_at_perfect_reference(kappa_per, p, p_per)

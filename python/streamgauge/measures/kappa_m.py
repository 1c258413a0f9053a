"""Kappa-M."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.measures._limit_at_perfect_reference import limit_at_perfect_reference
from streamgauge.measures._measure import LINEAR, Measure, one_of
from streamgauge.summaries import Confusion
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class KappaM(Measure[Confusion]):
    r"""Accuracy compared with that of the majority class.

    .. math:: \kappa_m = \frac{p - p_m}{1 - p_m}

    where :math:`p` is the accuracy and :math:`p_m` that of predicting the most frequent of the
    labels known before each item (the first class at ties), over the items with a label before
    them. 1 is perfect, 0 is as good as that baseline, and there is no lower limit. NaN if both
    accuracies are 1, minus infinity if only :math:`p_m` is.

    Parameters
    ----------
    variant
        `"default"`: the majority of the labels before the item. `"share"`: the majority of the
        window, :math:`p_m` is `p_maj`. `"moa"`: the majority of the labels up to and including
        the item's own, as in MOA (whole log only; in MOA's windows the majority is that of the
        window).

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> float(KappaM("share").over(Confusion.of([[20, 10], [5, 15]])))
    0.25

    References
    ----------
    Bifet, de Francisci Morales, Read, Holmes, Pfahringer. Efficient online evaluation of big
    data stream classifiers. KDD (2015).
    """

    variant: Literal["default", "share", "moa"] = "default"

    best: ClassVar[float] = 1.0
    span: ClassVar[tuple[float, float]] = (-float("inf"), 1.0)
    formula: ClassVar[str] = "(p - p_m) / (1 - p_m), p_m: accuracy of the majority class"

    def __post_init__(self) -> None:
        one_of(self, "variant", self.variant, ("default", "share", "moa"))

    def parts(self) -> frozenset[str]:
        """The parts of the summary it reads."""
        return frozenset({"labels"} if self.variant == "share" else {"majority"})

    def supports(self) -> frozenset[str]:
        """The kinds of windows it is defined in."""
        return frozenset({"whole"}) if self.variant == "moa" else LINEAR

    def value(self, summary: Confusion) -> F64:
        """kappa_m = (p - p_m) / (1 - p_m)."""
        p = summary.correct / summary.total
        match self.variant:
            case "share":
                p_m = summary.labels.max(0) / summary.total
            case "moa":
                p_m = summary.counts["majority_correct_inclusive"] / summary.total
            case _:
                p_m = summary.counts["majority_correct"] / summary.counts["baseline_items"]
        kappa_m = (p - p_m) / (1.0 - p_m)
        return limit_at_perfect_reference(kappa_m, p, p_m)

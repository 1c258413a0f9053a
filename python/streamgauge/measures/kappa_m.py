"""Kappa-M."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.measures._measure import LINEAR, Measure, one_of
from streamgauge.summaries import Confusion
from streamgauge.summaries.shares import beyond
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class KappaM(Measure[Confusion]):
    r"""Agreement with the truth beyond what the majority class would give.

    .. math:: \kappa_m = \frac{p - p_m}{1 - p_m}

    where :math:`p_m` is the accuracy of a guesser who always answers the most frequent of the
    labels that were known before the item (the first class at ties; there is none before the
    first item). 1 is perfect, 0 is as good as that guesser, and there is no lower limit.

    Parameters
    ----------
    variant
        `"default"`: the guesser knows only what came before. `"share"`: it knows the window,
        :math:`p_m` is `p_maj`. `"moa"`: it has seen the label it is asked for, as in MOA (whole
        log only; in MOA's windows the majority is that of the window).

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
        return frozenset({"truths"} if self.variant == "share" else {"majority"})

    def supports(self) -> frozenset[str]:
        """The kinds of windows it is defined in."""
        return frozenset({"whole"}) if self.variant == "moa" else LINEAR

    def value(self, summary: Confusion) -> F64:
        """The kappa."""
        counts = summary.counts
        match self.variant:
            case "share":
                majority = summary.largest
            case "moa":
                majority = counts["majority_hits_looking"] / summary.total
            case _:
                majority = counts["majority_hits"] / counts["guesses"]
        return beyond(summary.observed, majority)

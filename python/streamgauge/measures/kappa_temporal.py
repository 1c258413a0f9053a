"""Kappa-temporal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.measures._measure import ALL, LINEAR, Measure, one_of
from streamgauge.summaries import Confusion, Shares
from streamgauge.summaries.shares import beyond
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class KappaTemporal(Measure[Shares]):
    r"""Agreement with the truth beyond what repeating the last label would give.

    .. math:: \kappa_{per} = \frac{p - p_{per}}{1 - p_{per}}

    where :math:`p_{per}` is the share of labels that equal the label before. 1 is perfect, 0 is
    as good as the persistent guesser, and there is no lower limit. NaN when both are never
    wrong, minus infinity when only the guesser is.

    Parameters
    ----------
    variant
        `"moa"`: the label before the first one is taken to be the first class, and counts. The
        paper's own algorithm is the window `EWMA`.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.summaries import Confusion
    >>> seen = {"total": 11.0, "agreed": 8.8, "pairs": 10.0, "repeats": 6.0}
    >>> counts = {name: np.array(n) for name, n in seen.items()}
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
        return frozenset({"repeats", "opening"} if self.variant == "moa" else {"repeats"})

    def supports(self) -> frozenset[str]:
        """The kinds of windows it is defined in."""
        return LINEAR if self.variant == "moa" else ALL

    def value(self, summary: Shares) -> F64:
        """The kappa."""
        if self.variant == "moa" and isinstance(summary, Confusion):
            repeats = summary.counts["repeats"] + summary.counts["opening"]
            return beyond(summary.observed, repeats / summary.total)
        return summary.beyond_persistent

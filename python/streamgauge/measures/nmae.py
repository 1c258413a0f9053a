"""Normalised mean absolute error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.measures._measure import BLOCKS, LINEAR, Measure, one_of
from streamgauge.measures._references import variation
from streamgauge.summaries import Moments
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class NMAE(Measure[Moments]):
    r"""The mean absolute error as a share of how much labels vary.

    .. math:: \text{mae} / v

    0 is perfect. NaN or infinite if the labels of the window do not vary.

    Parameters
    ----------
    by
        What it is divided by: `"range"`, the highest label of the window minus the lowest (does
        not fade, so not in `Fading`); `"deviation"`, their standard deviation; `"mean"`, the
        absolute value of their mean.

    Examples
    --------
    >>> from streamgauge.summaries import Moments
    >>> moments = Moments.of([1.0, 2.0, 4.0], [1.0, 1.0, 2.0])
    >>> float(NMAE().over(moments)), float(NMAE("deviation").over(moments))
    (0.3333, 0.8018)
    """

    by: Literal["range", "deviation", "mean"] = "range"

    best: ClassVar[float] = 0.0
    span: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    formula: ClassVar[str] = "mae / range, standard deviation or |mean| of the labels"
    task: ClassVar[Literal["regression"]] = "regression"
    summary: ClassVar[Literal["moments"]] = "moments"

    def __post_init__(self) -> None:
        one_of(self, "by", self.by, ("range", "deviation", "mean"))

    def supports(self) -> frozenset[str]:
        """The kinds of windows it is defined in."""
        return BLOCKS if self.by == "range" else LINEAR

    def value(self, summary: Moments) -> F64:
        """The share."""
        error: F64 = summary["absolute"] / summary["total"]
        return error / variation(summary, self.by)

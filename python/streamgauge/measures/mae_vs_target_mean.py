"""MAE against answering the mean so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.measures._measure import LINEAR, Measure, one_of
from streamgauge.summaries import Moments
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class MAEVsTargetMean(Measure[Moments]):
    r"""The mean absolute error, divided by that of answering the mean of the labels so far.

    .. math:: \frac{\text{mae}}{\text{mae}(\bar y_{<t})}

    0 is perfect, 1 is as good as `TargetMean`, above 1 is worse. The guesser's error is over the
    items that have a label before them.

    Parameters
    ----------
    variant
        `"moa"`: over all items, the mean before the first being 0: what MOA calls the relative
        mean absolute error (whole log only).

    Examples
    --------
    >>> from streamgauge.summaries import Moments
    >>> moments = Moments.of([1.0, 2.0, 4.0], [1.0, 1.0, 2.0])
    >>> float(MAEVsTargetMean().over(moments))
    0.5714
    """

    variant: Literal["default", "moa"] = "default"

    best: ClassVar[float] = 0.0
    span: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    formula: ClassVar[str] = "mae / mae of the mean of the labels before"
    task: ClassVar[Literal["regression"]] = "regression"
    summary: ClassVar[Literal["moments"]] = "moments"

    def __post_init__(self) -> None:
        one_of(self, "variant", self.variant, ("default", "moa"))

    def supports(self) -> frozenset[str]:
        """The kinds of windows it is defined in."""
        return frozenset({"whole"}) if self.variant == "moa" else LINEAR

    def value(self, summary: Moments) -> F64:
        """The ratio."""
        own, reference = summary["absolute"], summary["mean_absolute"]
        if self.variant == "moa":
            return own / (reference + summary["opening_absolute"])
        return (own / summary["total"]) / (reference / summary["guesses"])

"""Share of right answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from streamgauge.measures._measure import ALL, Measure
from streamgauge.summaries import Shares
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class Accuracy(Measure[Shares]):
    r"""Share of right answers.

    .. math:: p = \frac{\text{right answers}}{\text{items}}

    1 is perfect. What a guesser reaches depends on the stream: compare `p_maj` and `p_per`.

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> float(Accuracy().over(Confusion.of([[20, 5], [10, 15]])))
    0.7
    """

    best: ClassVar[float] = 1.0
    span: ClassVar[tuple[float, float]] = (0.0, 1.0)
    formula: ClassVar[str] = "p = right answers / items"
    windows: ClassVar[frozenset[str]] = ALL
    aliases: ClassVar[tuple[str, ...]] = ("acc",)

    def value(self, summary: Shares) -> F64:
        """The share."""
        return summary.observed

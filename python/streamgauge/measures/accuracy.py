"""Share of correct predictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.measures._measure import ALL, Measure
from streamgauge.summaries import Confusion
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class Accuracy(Measure[Confusion]):
    r"""Share of correct predictions.

    .. math:: p = \frac{\text{correct predictions}}{\text{items}}

    1 is perfect. What a simple baseline reaches depends on the stream: compare `p_maj` and `p_per`.

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> float(Accuracy().over(Confusion.of([[20, 5], [10, 15]])))
    0.7
    """

    best: ClassVar[float] = 1.0
    span: ClassVar[tuple[float, float]] = (0.0, 1.0)
    formula: ClassVar[str] = "p = correct predictions / items"
    windows: ClassVar[frozenset[str]] = ALL
    aliases: ClassVar[tuple[str, ...]] = ("acc",)
    averages: ClassVar[Literal["items"]] = "items"

    def value(self, summary: Confusion) -> F64:
        """p = correct predictions / items."""
        return summary.correct / summary.total

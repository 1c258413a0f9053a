"""Share of wrong predictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.measures._measure import ALL, Measure
from streamgauge.summaries import Confusion
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class Error(Measure[Confusion]):
    r"""Share of wrong predictions: the prequential error under the zero-one loss.

    .. math:: e = 1 - p, \quad p = \frac{\text{correct predictions}}{\text{items}}

    0 is perfect. In a `Fading` window it is the fading estimate :math:`S_\alpha / N_\alpha`.

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> float(Error().over(Confusion.of([[20, 5], [10, 15]])))
    0.3

    References
    ----------
    Gama, Sebastião, Rodrigues. On evaluating stream learning algorithms.
    Machine Learning 90 (2013).
    """

    best: ClassVar[float] = 0.0
    span: ClassVar[tuple[float, float]] = (0.0, 1.0)
    formula: ClassVar[str] = "e = 1 - p"
    windows: ClassVar[frozenset[str]] = ALL
    averages: ClassVar[Literal["items"]] = "items"

    def value(self, summary: Confusion) -> F64:
        """e = 1 - p."""
        p = summary.correct / summary.total
        return 1.0 - p

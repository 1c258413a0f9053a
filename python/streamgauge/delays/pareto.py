"""Delays drawn from a Pareto distribution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge.delays._delay import Items, number, whole
from streamgauge.kinds import plain_numbers
from streamgauge.types import I64


@plain_numbers
@dataclass(frozen=True, slots=True)
class Pareto:
    r"""Delays with a heavy tail: :math:`P(w > t) = (\text{least} / t)^{\text{shape}}`.

    With a shape of at most 1 there is no mean.

    Parameters
    ----------
    least
        The shortest delay, in the unit of `streams.delay`.
    shape
        The exponent of the tail.
    """

    least: float
    shape: float = 1.5

    def __post_init__(self) -> None:
        number(self, "least", self.least, above=True)
        number(self, "shape", self.shape, above=True)

    def ticks(self, items: Items) -> I64:
        """Ticks drawn by the number of the item."""
        with np.errstate(over="ignore"):
            drawn = self.least * (1.0 - items.draws("pareto")) ** (-1.0 / self.shape)
        return whole(drawn, items.ticks)

    def __str__(self) -> str:
        return f"pareto({self.least:g}, {self.shape:g})"

"""Labels with a heavy tail."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge.kinds import plain_numbers
from streamgauge.types import I64
from streamgauge.waits._wait import Items, number, whole


@plain_numbers
@dataclass(frozen=True, slots=True)
class Pareto:
    r"""Waits with a heavy tail: :math:`P(w > t) = (\text{least} / t)^{\text{shape}}`.

    With a shape of 1 or less there is no mean: few labels take most of the time.

    Parameters
    ----------
    least
        The shortest wait, in the unit of `delay`.
    shape
        How fast the tail falls.
    """

    least: float
    shape: float = 1.5

    def __post_init__(self) -> None:
        number(self, "least", self.least, above=True)
        number(self, "shape", self.shape, above=True)

    def ticks(self, items: Items) -> I64:
        """By the item's number."""
        with np.errstate(over="ignore"):
            drawn = self.least * (1.0 - items.draws("pareto")) ** (-1.0 / self.shape)
        return whole(drawn, items.ticks)

    def __str__(self) -> str:
        return f"pareto({self.least:g}, {self.shape:g})"

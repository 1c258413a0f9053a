"""Delays drawn from a log-normal distribution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge.delays._delay import Items, number, whole
from streamgauge.kinds import plain_numbers
from streamgauge.types import I64


@plain_numbers
@dataclass(frozen=True, slots=True)
class LogNormal:
    """Delays whose logarithm is normally distributed: most are short, some very long.

    Parameters
    ----------
    median
        The median delay, in the unit of `streams.delay`.
    spread
        Standard deviation of the logarithm; at 1, one delay in forty exceeds 7 medians.
    """

    median: float
    spread: float = 1.0

    def __post_init__(self) -> None:
        number(self, "median", self.median, above=True)
        number(self, "spread", self.spread)

    def ticks(self, items: Items) -> I64:
        """Ticks drawn by the number of the item (Box and Muller)."""
        radius = np.sqrt(-2.0 * np.log1p(-items.draws("radius")))
        normal = radius * np.cos(2.0 * np.pi * items.draws("angle"))
        return whole(self.median * np.exp(self.spread * normal), items.ticks)

    def __str__(self) -> str:
        return f"log_normal({self.median:g}, {self.spread:g})"

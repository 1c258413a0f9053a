"""Delays drawn from an exponential distribution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge.delays._delay import Items, number, whole
from streamgauge.kinds import plain_numbers
from streamgauge.types import I64


@plain_numbers
@dataclass(frozen=True, slots=True)
class Exponential:
    """Exponentially distributed delays: the remaining time does not depend on the time so far.

    Parameters
    ----------
    mean
        The mean delay, in the unit of `streams.delay`.
    """

    mean: float

    def __post_init__(self) -> None:
        number(self, "mean", self.mean)

    def ticks(self, items: Items) -> I64:
        """Ticks drawn by the number of the item."""
        return whole(-self.mean * np.log1p(-items.draws("exponential")), items.ticks)

    def __str__(self) -> str:
        return f"exponential({self.mean:g})"

"""Labels that come as by chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge.kinds import plain_numbers
from streamgauge.types import I64
from streamgauge.waits._wait import Items, number, whole


@plain_numbers
@dataclass(frozen=True, slots=True)
class Exponential:
    """Waits without memory: however long a label has been on its way, the rest is as long.

    Parameters
    ----------
    mean
        The mean wait, in the unit of `delay`.
    """

    mean: float

    def __post_init__(self) -> None:
        number(self, "mean", self.mean)

    def ticks(self, items: Items) -> I64:
        """By the item's number."""
        return whole(-self.mean * np.log1p(-items.draws("exponential")), items.ticks)

    def __str__(self) -> str:
        return f"exponential({self.mean:g})"

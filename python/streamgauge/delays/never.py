"""A share of missing labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge.delays._delay import Items, delay_of, delay_text, number, ticks_of_delay
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.types import I64, NEVER


@plain_numbers
@dataclass(frozen=True, slots=True)
class Never:
    """A share of the labels never arrives.

    Parameters
    ----------
    share
        The share, from 0 to 1; drawn by the number of the item.
    delay
        The delay of the others: a number, or a delay.
    """

    share: float
    delay: Any = 0

    def __post_init__(self) -> None:
        number(self, "share", self.share)
        if self.share > 1:
            raise ParameterError.of(self, "share", "from 0 to 1", self.share)
        delay_of(self, "delay", self.delay)

    def ticks(self, items: Items) -> I64:
        """Ticks drawn by the number of the item."""
        delays = ticks_of_delay(delay_of(self, "delay", self.delay), items)
        return np.where(items.draws("never") < self.share, NEVER, delays)

    def __str__(self) -> str:
        return f"never({self.share:g}, {delay_text(self.delay)})"

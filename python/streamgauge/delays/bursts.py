"""Labels that arrive in bursts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge.delays._delay import LONGEST, Items, delay_of, delay_text, number, ticks_of_delay
from streamgauge.kinds import plain_numbers
from streamgauge.types import I64, NEVER


@plain_numbers
@dataclass(frozen=True, slots=True)
class Bursts:
    """Labels arrive in bursts: at the first delivery at or after the time they are ready.

    Parameters
    ----------
    every
        Time between two deliveries, in the unit of `streams.delay`; there is one at time 0.
    delay
        The delay until a label is ready: a number, or a delay.
    """

    every: float
    delay: Any = 0

    def __post_init__(self) -> None:
        number(self, "every", self.every, above=True)
        delay_of(self, "delay", self.delay)

    def ticks(self, items: Items) -> I64:
        """Ticks until the first delivery at or after the time the label is ready."""
        delays = ticks_of_delay(delay_of(self, "delay", self.delay), items)
        never = delays >= LONGEST
        ready = items.time + np.where(never, 0, delays)
        step = max(1, round(self.every * items.ticks))
        return np.where(never, NEVER, -(-ready // step) * step - items.time)

    def __str__(self) -> str:
        return f"bursts({self.every:g}, {delay_text(self.delay)})"

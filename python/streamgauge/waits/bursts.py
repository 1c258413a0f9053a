"""Labels that come together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge.kinds import plain_numbers
from streamgauge.types import I64, NEVER
from streamgauge.waits._wait import LONGEST, Items, number, told, wait_of


@plain_numbers
@dataclass(frozen=True, slots=True)
class Bursts:
    """Labels come in bursts: those that are ready wait for the next delivery.

    Parameters
    ----------
    every
        Time between two deliveries, in the unit of `delay`; there is one at time 0.
    wait
        How long each label takes until it is ready.
    """

    every: float
    wait: Any = 0

    def __post_init__(self) -> None:
        number(self, "every", self.every, above=True)
        wait_of(self, "wait", self.wait)

    def ticks(self, items: Items) -> I64:
        """Up to the next delivery."""
        waits = wait_of(self, "wait", self.wait).ticks(items)
        never = waits >= LONGEST
        ready = items.time + np.where(never, 0, waits)
        step = max(1, round(self.every * items.ticks))
        return np.where(never, NEVER, -(-ready // step) * step - items.time)

    def __str__(self) -> str:
        return f"bursts({self.every:g}, {told(self.wait)})"

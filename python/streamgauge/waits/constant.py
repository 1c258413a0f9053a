"""Every label takes as long."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge.kinds import plain_numbers
from streamgauge.types import I64
from streamgauge.waits._wait import Items, number, whole


@plain_numbers
@dataclass(frozen=True, slots=True)
class Constant:
    """Every label takes equally long.

    Parameters
    ----------
    by
        How long, in the unit of `delay`.
    """

    by: float

    def __post_init__(self) -> None:
        number(self, "by", self.by)

    def ticks(self, items: Items) -> I64:
        """The same for all."""
        return whole(np.full(len(items.time), float(self.by)), items.ticks)

    def __str__(self) -> str:
        return f"constant({self.by:g})"

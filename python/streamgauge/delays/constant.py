"""The same delay for every label."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge.delays._delay import Items, number, whole
from streamgauge.kinds import plain_numbers
from streamgauge.types import I64


@plain_numbers
@dataclass(frozen=True, slots=True)
class Constant:
    """Every label has the same delay.

    Parameters
    ----------
    by
        The delay, in the unit of `streams.delay`; with 2**53 ticks or more no label arrives.
    """

    by: float

    def __post_init__(self) -> None:
        number(self, "by", self.by)

    def ticks(self, items: Items) -> I64:
        """The same ticks for all items."""
        return whole(np.full(len(items.time), float(self.by)), items.ticks)

    def __str__(self) -> str:
        return f"constant({self.by:g})"

"""Delays drawn from a uniform distribution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge.delays._delay import Items, number, whole
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.types import I64


@plain_numbers
@dataclass(frozen=True, slots=True)
class Uniform:
    """Delays between two limits, all equally probable.

    Parameters
    ----------
    least, most
        The limits, in the unit of `streams.delay`.
    """

    least: float
    most: float

    def __post_init__(self) -> None:
        number(self, "least", self.least)
        number(self, "most", self.most)
        if self.most < self.least:
            raise ParameterError.of(self, "most", f"at least {self.least:g}", self.most)

    def ticks(self, items: Items) -> I64:
        """Ticks drawn by the number of the item."""
        low, high = self.least * items.ticks, self.most * items.ticks
        drawn = np.floor(low + items.draws("uniform") * (high - low + 1))
        return whole(np.minimum(drawn, high), 1)

    def __str__(self) -> str:
        return f"uniform({self.least:g}, {self.most:g})"

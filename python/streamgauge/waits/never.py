"""Labels of which a share never comes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.types import I64, NEVER
from streamgauge.waits._wait import Items, number, told, wait_of


@plain_numbers
@dataclass(frozen=True, slots=True)
class Never:
    """A share of the labels never comes.

    Parameters
    ----------
    share
        Which, from 0 to 1; chosen by the items' numbers.
    wait
        How long the others take.
    """

    share: float
    wait: Any = 0

    def __post_init__(self) -> None:
        number(self, "share", self.share)
        if self.share > 1:
            raise ParameterError.of(self, "share", "from 0 to 1", self.share)
        wait_of(self, "wait", self.wait)

    def ticks(self, items: Items) -> I64:
        """By the item's number."""
        waits = wait_of(self, "wait", self.wait).ticks(items)
        return np.where(items.draws("never") < self.share, NEVER, waits)

    def __str__(self) -> str:
        return f"never({self.share:g}, {told(self.wait)})"

"""Labels whose wait depends on what they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.types import I64, Value
from streamgauge.waits._wait import Items, told, wait_of


@plain_numbers
@dataclass(frozen=True, slots=True)
class ByClass:
    """Each class has a wait of its own: late flights are known to be late when they land.

    Parameters
    ----------
    of
        Class -> its wait (a number, or a wait).
    other
        The wait of classes not named.
    """

    of: Mapping[Value, Any] = field(default_factory=dict)
    other: Any = 0

    def __post_init__(self) -> None:
        if not isinstance(self.of, Mapping):
            raise ParameterError.of(self, "of", "waits by class, like {'late': 100}", self.of)
        for value, wait in self.of.items():
            wait_of(self, f"of[{value!r}]", wait)
        wait_of(self, "other", self.other)

    def ticks(self, items: Items) -> I64:
        """By the item's label."""
        classes = items.classes
        if classes is None:
            raise ParameterError("ByClass: the target must have classes, got a real one")
        strange = [value for value in self.of if value not in classes]
        if strange:
            must = f"classes among {', '.join(map(repr, classes))}"
            raise ParameterError.of(self, "of", must, strange[0])
        out = wait_of(self, "other", self.other).ticks(items)
        for value, wait in self.of.items():
            mine = items.label == classes.index(value)
            out = np.where(mine, wait_of(self, "of", wait).ticks(items), out)
        return out

    def __str__(self) -> str:
        waits = ", ".join(f"{value!r}: {told(wait)}" for value, wait in self.of.items())
        return f"by_class({{{waits}}}, {told(self.other)})"

"""Delays that depend on the class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from streamgauge.delays._delay import Items, delay_of, delay_text, ticks_of_delay
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.types import I64, Value


@plain_numbers
@dataclass(frozen=True, slots=True)
class ByClass:
    """Each class has its own delay: a late flight is known to be late only when it lands.

    Parameters
    ----------
    of
        Class -> its delay: a number, or a delay.
    other
        The delay of all other classes.
    """

    of: Mapping[Value, Any] = field(default_factory=dict)
    other: Any = 0

    def __post_init__(self) -> None:
        if not isinstance(self.of, Mapping):
            raise ParameterError.of(self, "of", "delays by class, like {'late': 100}", self.of)
        for value, delay in self.of.items():
            delay_of(self, f"of[{value!r}]", delay)
        delay_of(self, "other", self.other)

    def ticks(self, items: Items) -> I64:
        """Ticks by the label of the item."""
        classes = items.classes
        if classes is None:
            raise ParameterError("ByClass: the target must have classes, got a real one")
        unknown = [value for value in self.of if value not in classes]
        if unknown:
            must = f"classes among {', '.join(map(repr, classes))}"
            raise ParameterError.of(self, "of", must, unknown[0])
        out = ticks_of_delay(delay_of(self, "other", self.other), items)
        for value, delay in self.of.items():
            own = items.label == classes.index(value)
            out = np.where(own, ticks_of_delay(delay_of(self, "of", delay), items), out)
        return out

    def __str__(self) -> str:
        delays = ", ".join(f"{value!r}: {delay_text(delay)}" for value, delay in self.of.items())
        return f"by_class({{{delays}}}, {delay_text(self.other)})"

"""What a wait is: from items to ticks."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Protocol, runtime_checkable

import numpy as np

from streamgauge._core import uniforms
from streamgauge.errors import ParameterError
from streamgauge.seeds import child
from streamgauge.types import F64, I64, NEVER, Codes, Value

LONGEST = 2**53
"""No wait is longer; what would be never comes."""


@dataclass(frozen=True, slots=True)
class Items:
    """Consecutive items as a wait sees them. `classes` is None for a real target.

    `ticks` is how many ticks of the stream's clock the unit of waiting has.
    """

    first: int
    time: I64
    label: Codes | F64
    classes: tuple[Value, ...] | None
    seed: int
    ticks: int = 1

    def draws(self, role: str) -> F64:
        """A number from 0 to below 1 for each item, by its number and the role alone."""
        return uniforms(child(self.seed, "wait", role), self.first, len(self.time))


@runtime_checkable
class Wait(Protocol):
    """How long the label of each item takes."""

    def ticks(self, items: Items) -> I64:
        """Ticks from an item's coming to its label's; `NEVER`: it does not come."""


def whole(wait: F64, ticks: int) -> I64:
    """Waits in units as whole ticks, rounded; those without end never come."""
    long = wait * ticks
    known = long < LONGEST
    return np.where(known, np.rint(np.where(known, long, 0.0)).astype(np.int64), NEVER)


def wait_of(who: object, what: str, given: object) -> Wait:
    """A wait; a number is a constant one."""
    if isinstance(given, bool) or not isinstance(given, int | float | Wait):
        raise ParameterError.of(who, what, "a number or a wait like exponential(100)", given)
    return _Number(number(who, what, given)) if isinstance(given, int | float) else given


def number(
    who: object, what: str, value: float, least: float = 0.0, *, above: bool = False
) -> float:
    """Refuse what is not a finite number from `least` on."""
    fits = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    if not fits or value < least or (above and value == least):
        must = f"above {least:g}" if above else f"at least {least:g}"
        raise ParameterError.of(who, what, must, value)
    return float(value)


def told(wait: object) -> str:
    """A wait as names show it: a number as it is."""
    return f"{wait:g}" if isinstance(wait, int | float) else str(wait)


@dataclass(frozen=True, slots=True)
class _Number:
    value: float

    def ticks(self, items: Items) -> I64:
        return whole(np.full(len(items.time), self.value), items.ticks)

"""The interface of delays: from items to ticks."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Protocol, runtime_checkable

import numpy as np

from streamgauge._core import uniforms
from streamgauge.errors import ParameterError
from streamgauge.log.about import name_of
from streamgauge.names import make
from streamgauge.seeds import child
from streamgauge.types import F64, I64, NEVER, Codes, Value

LONGEST = 2**53
"""A delay of this many ticks or more means that the label never arrives."""


@dataclass(frozen=True, slots=True)
class Items:
    """Consecutive items, the input of a delay. `classes` is None for a real target.

    `ticks` is the number of ticks of the stream's clock in one unit of delay.
    """

    first: int
    time: I64
    label: Codes | F64
    classes: tuple[Value, ...] | None
    seed: int
    ticks: int = 1

    def draws(self, role: str) -> F64:
        """A number in [0, 1) for each item, which depends on its number and the role alone."""
        # The role "wait" is kept: another word would change all draws.
        return uniforms(child(self.seed, "wait", role), self.first, len(self.time))


@runtime_checkable
class Delay(Protocol):
    """The delay of the label of each item."""

    def ticks(self, items: Items) -> I64:
        """Ticks from the arrival of each item to that of its label; `NEVER`: it does not arrive."""


def whole(delay: F64, ticks: int) -> I64:
    """Delays in units as whole ticks, rounded; `NEVER` for those of `LONGEST` or more."""
    long = delay * ticks
    known = long < LONGEST
    return np.where(known, np.rint(np.where(known, long, 0.0)).astype(np.int64), NEVER)


def delay_of(who: object, what: str, given: object) -> Delay:
    """A delay; a number is a constant one, text the name of one."""
    if isinstance(given, str):
        given = make("delay", given)
    if isinstance(given, bool | type) or not isinstance(given, int | float | Delay):
        raise ParameterError.of(who, what, "a number or a delay like exponential(100)", given)
    return _Number(number(who, what, given)) if isinstance(given, int | float) else given


def ticks_of_delay(delay: Delay, items: Items) -> I64:
    """The ticks of a delay, checked: one whole number per item, at least 0."""
    found: object = delay.ticks(items)
    who, must = type(delay).__name__, f"an integer array of shape ({len(items.time)},)"
    if not isinstance(found, np.ndarray) or found.shape != items.time.shape:
        got = found.shape if isinstance(found, np.ndarray) else type(found).__name__
        raise ParameterError(f"{who}: ticks must be {must}, got {got}")
    if found.dtype.kind not in "iu":
        raise ParameterError(f"{who}: ticks must be {must}, got one of {found.dtype}")
    if len(found) and found.min() < 0:
        raise ParameterError.of(who, "ticks", "at least 0", int(found.min()))
    return found.astype(np.int64, copy=False)


def number(
    who: object, what: str, value: float, least: float = 0.0, *, above: bool = False
) -> float:
    """Check that a value is a finite number, at least (or above) `least`."""
    fits = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    if not fits or value < least or (above and value == least):
        must = f"above {least:g}" if above else f"at least {least:g}"
        raise ParameterError.of(who, what, must, value)
    return float(value)


def delay_text(delay: object) -> str:
    """A delay in names: a number as it is.

    A class of the user's own need not have a text: that of `object` is an address, and seeds are
    made from names.

    Examples
    --------
    >>> from streamgauge.delays import Exponential
    >>> delay_text(5), delay_text(Exponential(100))
    ('5', 'exponential(100)')
    """
    if isinstance(delay, int | float):
        return f"{delay:g}"
    return name_of(delay) if type(delay).__str__ is object.__str__ else str(delay)


@dataclass(frozen=True, slots=True)
class _Number:
    value: float

    def ticks(self, items: Items) -> I64:
        return whole(np.full(len(items.time), self.value), items.ticks)

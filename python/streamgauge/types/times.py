"""The range of times, and times as text: ticks of a clock as durations and dates."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

ClockName: TypeAlias = Literal["item", "us"]
"""The unit of a tick: an item, or a microsecond."""

MAX_TICKS = 2**62 - 1
"""The largest time, and minus the least: the difference of two times then has 64 bits."""

UNITS = ((86_400e6, "days"), (3_600e6, "hours"), (60e6, "minutes"), (1e6, "seconds"))
"""Microseconds in a unit, the largest first."""


def span(ticks: float, clock: str) -> str:
    """A duration as text.

    Examples
    --------
    >>> span(1200, "item"), span(1, "item"), span(5.4e9, "us")
    ('1,200 items', '1 item', '1.5 hours')
    """
    if clock == "item":
        return f"{ticks:,.4g} {'item' if ticks == 1 else 'items'}"
    size, unit = next((u for u in UNITS if ticks >= u[0]), UNITS[-1])
    return f"{ticks / size:.3g} {unit}"


def moment(ticks: int, clock: str) -> str:
    """A point in time as text.

    Examples
    --------
    >>> moment(1200, "item"), moment(5_400_000_000, "us")
    ('1200', '1970-01-01T01:30:00')
    """
    if clock == "item":
        return str(int(ticks))
    return str(np.datetime64(int(ticks), "us")).removesuffix(".000000")


def too_far(who: str, where: str, what: str, got: object, unit: int = 1) -> str:
    """Format the error message about a time that is out of range."""
    ticks = "" if unit == 1 else f" units of {unit:,} ticks"
    return (
        f"{who}: {where}, {what} must be between -2**62 and 2**62 ticks, got {got}{ticks}; "
        "correct it, or use another unit"
    )

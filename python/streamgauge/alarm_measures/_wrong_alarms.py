"""Alarms that count as wrong, with or without repeated ones."""

from __future__ import annotations

from streamgauge.alarm_measures._matching import Matching
from streamgauge.errors import ParameterError


def check_repeats(who: object, repeats: str) -> None:
    """Raise unless the parameter `repeats` is legal."""
    if repeats not in ("count", "ignore"):
        raise ParameterError.of(who, "repeats", "'count' or 'ignore'", repeats)


def wrong_alarms(matching: Matching, repeats: str) -> int:
    """Number of alarms in no window and, if they count, of repeated ones in a window."""
    return len(matching.false_alarms) + (matching.repeated if repeats == "count" else 0)

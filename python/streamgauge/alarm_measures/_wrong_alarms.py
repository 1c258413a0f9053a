"""Alarms that count as wrong, with or without repeated ones."""

from __future__ import annotations

from streamgauge.alarm_measures._matching import Matching
from streamgauge.errors import ParameterError


def check_repeated_alarms(who: object, repeated_alarms: str) -> None:
    """Raise unless the parameter `repeated_alarms` is legal."""
    if repeated_alarms not in ("count", "ignore"):
        raise ParameterError.of(who, "repeated_alarms", "'count' or 'ignore'", repeated_alarms)


def wrong_alarms(matching: Matching, repeated_alarms: str) -> int:
    """Number of alarms in no window and, if they count, of repeated ones in a window."""
    return len(matching.false_alarms) + (matching.repeated if repeated_alarms == "count" else 0)

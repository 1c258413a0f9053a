"""Checks of the parameters of windows."""

from __future__ import annotations

from streamgauge.errors import ParameterError


def is_number(value: object) -> bool:
    """Whether a value is a number, and not a bool."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def whole_number(who: object, what: str, value: object) -> None:
    """Raise unless a value is a whole number, at least 1."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ParameterError.of(who, what, "a whole number, at least 1", value)

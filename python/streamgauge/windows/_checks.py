"""What a parameter of a window must be."""

from __future__ import annotations

from streamgauge.errors import ParameterError


def number(value: object) -> bool:
    """Is it a number, and not True or False?"""
    return isinstance(value, int | float) and not isinstance(value, bool)


def whole_number(who: object, what: str, value: object) -> None:
    """Refuse anything but a whole number from 1 on."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ParameterError.of(who, what, "a whole number, at least 1", value)

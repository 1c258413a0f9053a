"""Nominal values and classes: their order, their identity, and messages about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isinf

from streamgauge.errors import DataError
from streamgauge.types import Value
from streamgauge.types.values import inexact, is_number


def all_numbers(values: Iterable[Value]) -> bool:
    """Return whether all values are numbers (booleans are not)."""
    return all(is_number(value) for value in values)


def refuse_inexact(who: str, what: str, name: str, values: Sequence[Value]) -> tuple[Value, ...]:
    """Return nominal values; raise if one is a float that may stand for several whole numbers."""
    large = inexact(values)
    if any(isinstance(value, float) and not value.is_integer() for value in values):
        # Beside a fraction all are floats.
        large = inexact([float(value) for value in values if is_number(value)])
    if large is not None:
        raise DataError(inexact_value(who, "", what, name, large))
    return tuple(values)


def inexact_value(who: str, where: str, what: str, name: str, got: float) -> str:
    """Format the error message about a float that may stand for several whole numbers."""
    if isinf(got):
        return f"{who}: {where}{what} {name!r} must be finite, got {got}; correct it"
    return (
        f"{who}: {where}{what} {name!r} must be below 2**53 where values are floats, got "
        f"{got:.17g}, which may stand for several whole numbers; store them as integers or text"
    )


def sorted_values(values: Iterable[Value]) -> tuple[Value, ...]:
    """Sort values: numbers by value (as int if all are whole), others by their text.

    Examples
    --------
    >>> sorted_values(["10", "9", "x"]), sorted_values([10.0, 9.0]), sorted_values([True, False])
    (('10', '9', 'x'), (9, 10), (False, True))
    """
    values = tuple(values)
    if not all_numbers(values):
        return tuple(sorted(values, key=str))
    numbers = sorted(float(value) if isinstance(value, float) else value for value in values)
    return as_whole(numbers)


def as_whole(numbers: Iterable[Value]) -> tuple[Value, ...]:
    """Convert numbers to int if all are whole, otherwise to float."""
    numbers = tuple(numbers)
    if all(value.is_integer() for value in numbers if isinstance(value, float)):
        return tuple(int(value) for value in numbers)
    return tuple(float(value) for value in numbers)


def format_values(values: Sequence[Value], most: int = 12) -> str:
    """Format at most `most` values for an error message."""
    shown = ", ".join(repr(value) for value in values[:most])
    return shown + (f", … ({len(values)} in all)" if len(values) > most else "")


def unknown_value(
    who: str, where: str, what: str, name: str, cell: object, values: Sequence[Value]
) -> str:
    """Format the error message about a value that was not declared."""
    way = "pass unseen_class='grow'" if what == "class" else "add it to types"
    return (
        f"{who}: {where}, {what} {name!r} must be one of {format_values(values)}, got {cell!r}; "
        f"correct it, or {way}"
    )

"""Classes and nominal values: which texts are numbers, and how values are matched."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from streamgauge.types.columns import Value

EXACT_BELOW = 2**53
"""Whole numbers below it are exact as float64."""

MISSING = frozenset(("?", "NA", "N/A", "NaN", "nan", "NAN", "null", "NULL"))
"""Words for a missing cell of a text file; the core has the same list."""

WHOLE = re.compile(r"[+-]?[0-9]+", re.ASCII)
CANONICAL = re.compile(r"0|-?[1-9][0-9]{0,19}", re.ASCII)
DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)


def is_whole_text(text: str) -> bool:
    """Return whether a text is a whole number of 64 bits, written canonically.

    Examples
    --------
    >>> [is_whole_text(text) for text in ("7", "-7", "18446744073709551615")]
    [True, True, True]
    >>> [is_whole_text(text) for text in ("007", "+7", "-0", "7.0", " 7", "1_000", "1" * 20)]
    [False, False, False, False, False, False, True]
    >>> is_whole_text("9" * 20)
    False
    """
    return CANONICAL.fullmatch(text) is not None and -(2**63) <= int(text) < 2**64


def is_other_whole_text(text: str) -> bool:
    """Return whether a text has the digits of a whole number, but is not canonical: `007`, `+7`."""
    return WHOLE.fullmatch(text) is not None and not is_whole_text(text)


def number_of_text(text: str) -> Value:
    """Return the number that a text stands for: canonical whole numbers and decimals.

    Other texts stand for themselves, also `007` and `+7`.

    Examples
    --------
    >>> [number_of_text(text) for text in ("9007199254740993", "7.0", "007", "x")]
    [9007199254740993, 7.0, '007', 'x']
    """
    if is_whole_text(text):
        return int(text)
    if WHOLE.fullmatch(text) is None and DECIMAL.fullmatch(text) is not None:
        return float(text)
    return text


def numbers_of_texts(texts: Iterable[str]) -> list[Value]:
    """Return whole numbers if all texts are canonical ones, otherwise the texts.

    Examples
    --------
    >>> numbers_of_texts(["1", "2"]), numbers_of_texts(iter(["1", "02"]))
    ([1, 2], ['1', '02'])
    """
    texts = list(texts)
    return [int(text) for text in texts] if all(map(is_whole_text, texts)) else list(texts)


def is_number(value: object) -> bool:
    """Return whether a value is a number; booleans are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def plain_value(value: object) -> object:
    """Return a decimal number as int if it is whole, otherwise as float; others as they are."""
    if isinstance(value, Decimal) and value.is_finite():
        return int(value) if value == value.to_integral_value() else float(value)
    return value


def match_key(value: Value, by_number: bool) -> Value:
    """Return the key by which equal values are found: the text, or the number if it has one."""
    if isinstance(value, str):
        return number_of_text(value) if by_number else value
    return value if by_number and is_number(value) else str(value)


def inexact(values: Iterable[object]) -> float | None:
    """Return the first float that may stand for several whole numbers; None if there is none.

    Examples
    --------
    >>> inexact([1.0, 2**60, 2.0**53]), inexact([1.0, 2**60])
    (9007199254740992.0, None)
    """
    large = (v for v in values if isinstance(v, float) and abs(v) >= EXACT_BELOW)
    return next(large, None)

"""Labels in NumPy arrays: their profile, and their conversion to codes or reals."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streamgauge.errors import DataError
from streamgauge.streams.layout import MAX_VALUES, ColumnProfile, QuotedCell
from streamgauge.streams.nominal import all_numbers, format_values
from streamgauge.types import F64, I64, NONE, Codes, Flags, Value
from streamgauge.types.values import EXACT_BELOW, inexact, plain_value

UNUSABLE = "SMmcV"
"""Kinds of NumPy types that labels cannot have: bytes, times, complex numbers, structures."""


def real_labels(y: NDArray[Any]) -> F64:
    """Convert labels of a real target to float64, NaN if missing."""
    if y.dtype.kind != "O":
        with np.errstate(over="ignore"):  # a long double may be infinite as float64
            return np.asarray(y, dtype=np.float64)
    cells = [np.nan if missing(cell) else real_value(cell) for cell in y.tolist()]
    return np.array(cells, np.float64)


def real_value(cell: Any) -> float:
    """A label as float64; infinite if it is beyond its range."""
    try:
        return float(cell)
    except OverflowError:
        return math.inf if cell > 0 else -math.inf


def profile_of_labels(who: str, target: str, y: NDArray[Any]) -> ColumnProfile:
    """Return the profile of the labels."""
    if y.dtype.kind == "f":
        y = real_labels(y)
        known = y[~np.isnan(y)]
        infinite = np.flatnonzero(np.isinf(y))
        at = QuotedCell(str(y[infinite[0]]), f"item {infinite[0]:,}") if len(infinite) else None
        distinct = np.unique(known)
        return ColumnProfile(
            numbers=len(known) > 0,
            fractions=bool((known != np.trunc(known)).any()),
            infinite=at,
            values=None if len(distinct) > MAX_VALUES else tuple(distinct.tolist()),
        )
    if y.dtype.kind in "iub":
        distinct = distinct_integers(y)
        values = None if len(distinct) > MAX_VALUES else tuple(distinct.tolist())
        return ColumnProfile(numbers=len(y) > 0, values=values)
    found: dict[Value, int] = {}
    kinds: dict[bool, int] = {}
    for item, cell in enumerate(y.tolist()):
        if not missing(cell):
            value = label_value(who, target, item, cell)
            found.setdefault(value, item)
            if not isinstance(value, str):
                kinds.setdefault(isinstance(value, bool), item)
    if len(kinds) > 1:  # True is 1 in Python
        raise DataError(
            f"{who}: item {max(kinds.values()):,}, target {target!r} must hold booleans or "
            "numbers, got both; convert them to text or numbers"
        )
    if all_numbers(found):
        floats = [value for value in found if isinstance(value, float)]
        real = any(not value.is_integer() for value in floats)
        if real or (floats and inexact(map(real_value, found)) is None):
            return profile_of_labels(who, target, real_labels(y))
        return ColumnProfile(
            numbers=len(found) > 0,
            values=None if len(found) > MAX_VALUES else tuple(sorted(found)),
        )
    first = next((QuotedCell(str(v), f"item {i:,}") for v, i in found.items()), None)
    return ColumnProfile(text=first, values=None if len(found) > MAX_VALUES else tuple(found))


def label_value(who: str, target: str, item: int, cell: object) -> Value:
    """Return a label as a plain value; raise unless it is text, a number or a boolean."""
    cell = plain_value(cell.item() if isinstance(cell, np.generic) else cell)
    if isinstance(cell, str | bool | int | float):
        return cell
    advice = "decode them" if isinstance(cell, bytes) else "convert them to text or numbers"
    raise DataError(
        f"{who}: item {item:,}, target {target!r} must be text, a number or a boolean, got "
        f"{cell!r} ({type(cell).__name__}); {advice}"
    )


def distinct_integers(y: NDArray[Any]) -> NDArray[Any]:
    """Return the distinct numbers, sorted; by counting if the range is small, which is faster."""
    if y.dtype.kind == "b" or y.dtype == np.uint64 or not len(y):
        return np.unique(y)
    least, most = int(y.min()), int(y.max())
    if most - least > 10 * MAX_VALUES:
        return np.unique(y)
    found: I64 = np.flatnonzero(np.bincount(y.astype(np.int64) - least)) + least
    return found


def missing(cell: object) -> bool:
    """Return whether a label is None, NaN, or missing in pandas (NA, NaT)."""
    if cell is None or isinstance(cell, str | int):
        return cell is None
    if type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(cell, float | Decimal | np.floating) and cell != cell


def codes_of(who: str, y: NDArray[Any], classes: tuple[Value, ...]) -> Codes:
    """Convert labels to class codes, `NONE` for a missing label."""
    if y.dtype.kind in "fiu" and all_numbers(classes):
        gaps = np.isnan(y)
        fits, place = search(y, classes)
        codes = np.where(fits, place, NONE).astype(np.int32)
        unknown = np.flatnonzero(~(fits | gaps))
    else:
        table: dict[object, int] = {value: code for code, value in enumerate(classes)}
        cells = map(plain_value, y.tolist())
        codes = np.array([NONE if missing(c) else table.get(c, -2) for c in cells], dtype=np.int32)
        unknown = np.flatnonzero(codes == -2)
    if len(unknown):
        raise DataError(
            f"{who}: item {unknown[0]:,}, class must be one of {format_values(classes)}, "
            f"got {y[unknown[:1]].tolist()[0]!r}; correct it, or add it to classes"
        )
    return codes


def search(y: NDArray[Any], classes: tuple[Value, ...]) -> tuple[Flags, I64]:
    """Return whether each number is a class, and its code if it is.

    Whole numbers are compared as such, because float64 holds them exactly only up to 2^53.
    """
    dtype = np.dtype(np.float64) if y.dtype.kind == "f" else y.dtype
    if dtype.kind == "f":
        usable = {
            code: float(value)
            for code, value in enumerate(classes)
            if isinstance(value, float) or abs(int(value)) < EXACT_BELOW
        }
    else:
        bounds = np.iinfo(dtype)
        usable = {
            code: int(value)
            for code, value in enumerate(classes)
            if value == int(value) and bounds.min <= value <= bounds.max
        }
    if not usable:
        return np.zeros(len(y), np.bool_), np.zeros(len(y), np.int64)
    values = np.array(list(usable.values()), dtype)
    order = np.argsort(values)
    place = np.minimum(np.searchsorted(values[order], y), len(values) - 1)
    codes = np.array(list(usable), np.int64)[order]
    return values[order][place] == y, codes[place]


def label_array(given: Any) -> NDArray[Any]:
    """Return labels or identifiers as an array; a list of large whole numbers keeps them all.

    NumPy makes floats of whole numbers that no integer type holds together.

    Examples
    --------
    >>> label_array([-1, 2**64 - 1]).tolist()
    [-1, 18446744073709551615]
    """
    cells = np.asarray(given)
    if cells.dtype.kind != "f" or cells.ndim != 1 or isinstance(given, np.ndarray):
        return cells
    if str(getattr(given, "dtype", "")).lower().startswith(("int", "uint")):
        return np.array(list(given), dtype=object)  # with missing cells, which NumPy makes NaN
    if any(isinstance(cell, int) and abs(cell) >= EXACT_BELOW for cell in given):
        return np.asarray(given, dtype=object)
    return cells

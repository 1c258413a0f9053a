"""Conversion of Arrow columns of times to ticks, without overflow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.buffers import as_numpy, valid
from streamgauge.errors import DataError
from streamgauge.types import I64, NEVER
from streamgauge.types.times import MAX_TICKS, too_far

TICKS_PER_UNIT = {
    "s": 1_000_000,
    "ms": 1_000,
    "us": 1,
    "ns": 0,
    "date32[day]": 86_400_000_000,
    "date64[ms]": 1_000,
}
"""Unit of a timestamp or type of a date -> microseconds; 0 for nanoseconds."""


def ticks_of_column(
    who: str, what: str, column: Any, first: int = 0, unit: int = 1, round_down: bool = False
) -> I64:
    """Convert whole numbers, in units of `unit` ticks, or timestamps; `NEVER` for a missing cell.

    Parts of a microsecond are refused, or dropped if `round_down`.

    Examples
    --------
    >>> ticks_of_column("a.csv", "time", pa.array([1, None]), unit=60).tolist()
    [60, 9223372036854775807]
    """
    gaps, found = ~valid(column), _whole(who, what, column, first)
    if pa.types.is_temporal(column.type):
        unit = TICKS_PER_UNIT[str(getattr(column.type, "unit", column.type))]
    if unit == 0:
        finer = np.flatnonzero(np.where(gaps, 0, found) % 1000)
        if len(finer) and not round_down:
            raise DataError(
                f"{who}: item {first + int(finer[0]):,}, {what} must be whole microseconds, got "
                f"{np.datetime64(int(found[finer[0]]), 'ns')}; round it, or convert it to a whole "
                "number"
            )
        return np.where(gaps, NEVER, found // 1000)
    limit = MAX_TICKS // unit
    far = np.flatnonzero(~gaps & ((found > limit) | (found < -limit)))
    if len(far):
        row = int(far[0])
        raise DataError(too_far(who, f"item {first + row:,}", what, found[row], unit))
    return np.where(gaps, NEVER, found * unit)


def _whole(who: str, what: str, column: Any, first: int) -> I64:
    """Whole numbers or timestamps, in their own unit, as int64; zero if missing."""
    if pa.types.is_date32(column.type):
        column = column.cast(pa.int32())
    try:
        found: I64 = as_numpy(column.cast(pa.int64()), 0)
    except pa.ArrowInvalid:
        cells = as_numpy(column.cast(pa.float64(), safe=False), 0.0)
        # In the column's own type: a float loses the last digits of a decimal.
        truncated = column if pa.types.is_integer(column.type) else pc.trunc(column)
        wrong = np.flatnonzero(as_numpy(pc.not_equal(column, truncated).cast(pa.uint8()), 0))
        row = int(wrong[0]) if len(wrong) else int(np.flatnonzero(abs(cells) >= 2.0**63)[0])
        where = f"item {first + row:,}"
        if len(wrong):
            raise DataError(
                f"{who}: {where}, {what} must be a whole number or a timestamp, got "
                f"{column[row].as_py()}; round it"
            ) from None
        raise DataError(too_far(who, where, what, f"{cells[row]:g}")) from None
    return found

"""Column types, sentinels, and tests for missing values."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

F64: TypeAlias = NDArray[np.float64]
I64: TypeAlias = NDArray[np.int64]
I32: TypeAlias = NDArray[np.int32]
U64: TypeAlias = NDArray[np.uint64]
U32: TypeAlias = NDArray[np.uint32]
U16: TypeAlias = NDArray[np.uint16]
U8: TypeAlias = NDArray[np.uint8]
Flags: TypeAlias = NDArray[np.bool_]
Codes: TypeAlias = I32
"""Class codes, `NONE` if missing."""

Value: TypeAlias = str | int | float | bool
"""A nominal value or class as the user wrote it."""

NONE = -1
"""The code of a missing label or of an abstained prediction (reals: NaN)."""

NEVER = 2**63 - 1
"""The label time of a label that never arrives."""


def missing(values: Codes | F64) -> Flags:
    """Flags of missing labels or abstained predictions.

    Examples
    --------
    >>> missing(np.array([0, -1], np.int32)).tolist(), missing(np.array([0.5, np.nan])).tolist()
    ([False, True], [False, True])
    """
    none: Flags = np.isnan(values) if values.dtype.kind == "f" else values < 0
    return none


def any_missing(values: Codes | F64) -> bool:
    """Whether a label is missing, without an array of flags: once per batch, in every run.

    Examples
    --------
    >>> any_missing(np.array([0, 1], np.int32)), any_missing(np.array([0.5, np.nan]))
    (False, True)
    """
    if not len(values):
        return False
    least = np.minimum.reduce(values)  # NaN if one of them is; quicker than `values.min()`
    return bool(np.isnan(least)) if values.dtype.kind == "f" else bool(least < 0)


def nothing(values: Codes | F64) -> float | int:
    """The value that marks a missing entry in a column of this type."""
    return np.nan if values.dtype.kind == "f" else NONE

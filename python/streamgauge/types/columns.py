"""Column types, sentinels, and the one question about missing values."""

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
"""Class codes, `NONE` where there is none."""

Value: TypeAlias = str | int | float | bool
"""A nominal value or class as the user wrote it."""

NONE = -1
"""The code of a missing label or of an abstained prediction (reals: NaN)."""

NEVER = 2**63 - 1
"""The label time of a label that never comes."""


def missing(values: Codes | F64) -> Flags:
    """Which labels are missing, or which predictions were not given.

    Examples
    --------
    >>> missing(np.array([0, -1], np.int32)).tolist(), missing(np.array([0.5, np.nan])).tolist()
    ([False, True], [False, True])
    """
    none: Flags = np.isnan(values) if values.dtype.kind == "f" else values < 0
    return none


def nothing(values: Codes | F64) -> float | int:
    """What stands for a missing value in a column of this type."""
    return np.nan if values.dtype.kind == "f" else NONE

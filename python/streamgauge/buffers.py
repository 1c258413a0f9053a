"""Conversions between Arrow columns and NumPy arrays that share memory.

pyarrow's own conversions load pandas wherever it is installed (`pa.array`, `pa.scalar`, `to_numpy`
and `fill_null`), which takes longer than a short run. These functions use the buffers directly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from streamgauge.types import Flags

DTYPES = {
    str(kind): np.dtype(name)
    for kind, name in (
        (pa.int8(), "i1"),
        (pa.int16(), "i2"),
        (pa.int32(), "i4"),
        (pa.int64(), "i8"),
        (pa.uint8(), "u1"),
        (pa.uint16(), "u2"),
        (pa.uint32(), "u4"),
        (pa.uint64(), "u8"),
        (pa.float32(), "f4"),
        (pa.float64(), "f8"),
    )
}
KINDS = {dtype: kind for kind, dtype in DTYPES.items()}


def as_arrow(values: NDArray[Any], null: Flags | None = None) -> pa.Array:
    """A one-dimensional array as an Arrow column, without a copy; null where `null` is true.

    Examples
    --------
    >>> import numpy as np
    >>> column = as_arrow(np.array([1, 2, 3]), np.array([False, True, False]))
    >>> column.to_pylist()
    [1, None, 3]
    """
    flat = np.ascontiguousarray(values)
    bitmap, nulls = _bitmap(null)
    kind = pa.type_for_alias(KINDS[flat.dtype])
    return pa.Array.from_buffers(kind, len(flat), [bitmap, pa.py_buffer(flat)], nulls)


def _bitmap(null: Flags | None) -> tuple[pa.Buffer | None, int]:
    """The buffer of the cells that are not null, and the number of those that are."""
    if null is None or not null.any():
        return None, 0
    return pa.py_buffer(np.packbits(~null, bitorder="little")), int(null.sum())


def texts(values: Sequence[str], null: Flags | None = None) -> pa.Array:
    """Texts as an Arrow column; null where `null` is true.

    Examples
    --------
    >>> texts(["é", "", "b"]).to_pylist()
    ['é', '', 'b']
    """
    encoded = {value: value.encode() for value in set(values)}  # names are repeated
    data = [encoded[value] for value in values]
    ends = np.cumsum([0, *map(len, data)]).astype(np.int32)
    bitmap, nulls = _bitmap(null)
    buffers = [bitmap, pa.py_buffer(ends), pa.py_buffer(b"".join(data))]
    return pa.Array.from_buffers(pa.string(), len(data), buffers, nulls)


def as_numpy(column: pa.Array, none: float | int | None = None) -> NDArray[Any]:
    """A column of numbers as an array; nulls become `none`. Copied only if there are nulls.

    Examples
    --------
    >>> import pyarrow as pa
    >>> as_numpy(pa.array([1.5, None, 2.5]), float("nan")).tolist()
    [1.5, nan, 2.5]
    """
    dtype = DTYPES[str(column.type)]
    count, offset = len(column), column.offset
    bitmap, values = column.buffers()
    if values is None or not count:
        return np.full(count, none or 0, dtype)
    array = np.frombuffer(values, dtype, count, offset * dtype.itemsize)
    if bitmap is None or not column.null_count:
        return array
    filled = array.copy()
    filled[~valid(column)] = none
    return filled


def valid(column: pa.Array) -> Flags:
    """Which cells are not null."""
    if pa.types.is_null(column.type):
        return np.zeros(len(column), np.bool_)
    bitmap = column.buffers()[0]
    count, offset = len(column), column.offset
    if bitmap is None:
        return np.ones(count, np.bool_)
    bits = np.unpackbits(np.frombuffer(bitmap, np.uint8), count=offset + count, bitorder="little")
    return bits[offset:].view(np.bool_)

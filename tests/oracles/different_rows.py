"""The rows in which two Parquet files differ, value by value."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq


def bits(value: Any) -> Any:
    """A value whose equality is that of all bits; every NaN is the same."""
    if isinstance(value, list):
        return [bits(one) for one in value]
    if isinstance(value, float):
        return "nan" if value != value else struct.pack("d", value)
    return value


def different_rows(a: Path, b: Path) -> list[tuple[int, str]]:
    """Rows that differ, each with its first column; "" for rows that only one file has."""
    one, other = (pq.read_table(path).to_pylist() for path in (a, b))
    found = []
    for nth in range(max(len(one), len(other))):
        if nth >= min(len(one), len(other)):
            found.append((nth, ""))
            continue
        columns = [c for c in one[nth] if bits(one[nth][c]) != bits(other[nth][c])]
        if columns:
            found.append((nth, columns[0]))
    return found

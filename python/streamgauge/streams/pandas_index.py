"""The index of a pandas table, which is no feature."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pyarrow as pa

from streamgauge.errors import DataError
from streamgauge.streams.columns import Columns

UNNAMED = re.compile(r"__index_level_(\d+)__")


def levels(schema: Any) -> dict[str, str]:
    """The columns that hold the index -> what `reset_index()` would call them.

    Examples
    --------
    >>> levels(pa.schema([("a", pa.int64())]))
    {}
    >>> said = {b"pandas": b'{"index_columns": ["__index_level_0__"]}'}
    >>> levels(pa.schema([("a", pa.int64()), ("__index_level_0__", pa.int64())], said))
    {'__index_level_0__': 'index'}
    """
    said = json.loads((schema.metadata or {}).get(b"pandas", b"{}"))
    # An index of consecutive numbers is a description, not a column.
    stored = [name for name in said.get("index_columns", ()) if name in schema.names]
    names = set(schema.names)
    found = {}
    for name in stored:
        unnamed = UNNAMED.fullmatch(name)
        plain = "index" if len(stored) == 1 and "index" not in names else "level_{}"
        found[name] = name if unnamed is None else plain.format(unnamed[1])
    return found


def left_out(
    who: str, said: Columns, index: Mapping[str, str], schema: Any
) -> tuple[Columns, list[str]]:
    """What was said, with every level of the index dropped that has no role, and notes on it."""
    roles = (said.target, said.time, said.label_time, said.weight)
    drop, notes = list(said.drop), []
    for stored, name in index.items():
        if name in (*said.nominal, *said.types) and name not in roles:
            raise DataError(
                f"{who}: a feature must be a column, got {name!r}, which is the index; "
                "give the table with reset_index()"
            )
        if name in roles:
            continue
        drop.append(name)
        times = pa.types.is_temporal(schema.field(stored).type)
        way = f"time={name!r} times the items by it" if times else "reset_index() makes it one"
        notes.append(f"index: {name!r} is no feature; {way}")
    return replace(said, drop=tuple(dict.fromkeys(drop))), notes

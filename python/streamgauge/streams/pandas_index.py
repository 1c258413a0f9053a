"""The index of a pandas table, which is not a feature."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pyarrow as pa

from streamgauge.errors import DataError, error_line
from streamgauge.streams.columns import Columns

UNNAMED = re.compile(r"__index_level_(\d+)__")


def index_names(who: str, schema: Any) -> dict[str, str]:
    """Return the columns that hold the index -> their names after `reset_index()`.

    Examples
    --------
    >>> index_names("table", pa.schema([("a", pa.int64())]))
    {}
    >>> metadata = {b"pandas": b'{"index_columns": ["__index_level_0__"]}'}
    >>> fields = [("a", pa.int64()), ("__index_level_0__", pa.int64())]
    >>> index_names("table", pa.schema(fields, metadata))
    {'__index_level_0__': 'index'}
    """
    try:
        metadata = json.loads((schema.metadata or {}).get(b"pandas", b"{}"))
        # A RangeIndex is stored as a description, not as a column.
        stored = [name for name in metadata.get("index_columns", ()) if name in schema.names]
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise DataError(
            f"{who}: metadata of pandas must be as pandas writes it, got others "
            f"({error_line(error)}); write the table again"
        ) from error
    names = set(schema.names)
    found = {}
    for name in stored:
        unnamed = UNNAMED.fullmatch(name)
        plain = "index" if len(stored) == 1 and "index" not in names else "level_{}"
        found[name] = name if unnamed is None else plain.format(unnamed[1])
    return found


def drop_index(
    who: str, options: Columns, index: Mapping[str, str], schema: Any
) -> tuple[Columns, list[str]]:
    """Return the options with index levels that have no role dropped, and notes on them."""
    roles = (options.target, options.time, options.label_time, options.weight)
    drop, notes = list(options.drop), []
    for stored, name in index.items():
        if name in (*options.nominal, *options.types) and name not in roles:
            raise DataError(
                f"{who}: a feature must be a column, got {name!r}, which is the index; "
                "pass the table with reset_index()"
            )
        if name in roles:
            continue
        drop.append(name)
        times = pa.types.is_temporal(schema.field(stored).type)
        way = f"time={name!r} uses it as time" if times else "reset_index() makes it one"
        notes.append(f"index: {name!r} is not a feature; {way}")
    return replace(options, drop=tuple(dict.fromkeys(drop))), notes

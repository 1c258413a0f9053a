"""Checksums of a changed log, written a second time: to get a change past them.

A log of a version without checksums is left as it is.
"""

from __future__ import annotations

import json
import zlib
from pathlib import PurePosixPath

import pyarrow as pa
import pyarrow.parquet as pq

Files = dict[str, bytes]
KEY = "checksum"


def resealed(files: Files) -> Files:
    """The files of a folder with the sizes, row counts and checksums that fit them."""
    fitting = dict(files)
    for name in files:
        if not name.endswith(".json"):
            continue
        try:
            content = json.loads(files[name])
        except ValueError:
            continue
        if not isinstance(content, dict) or KEY not in content:
            continue
        del content[KEY]
        tables = content.get("tables")
        for table in tables.values() if isinstance(tables, dict) else ():
            if isinstance(table, dict) and isinstance(table.get("file"), str):
                path = PurePosixPath(name).parent / table["file"]
                if (given := files.get(path.as_posix())) is not None:
                    table |= {"bytes": len(given), KEY: f"{zlib.crc32(given):08x}"}
                    table["rows"] = _rows(given, table.get("rows"))
        fitting[name] = sealed_json(content)
    return fitting


def sealed_json(content: dict[str, object]) -> bytes:
    """JSON whose last key is the checksum of the text before it."""
    body = json.dumps(content, indent=1).removesuffix("\n}")
    return f'{body},\n "{KEY}": "{zlib.crc32(body.encode()):08x}"\n}}\n'.encode()


def _rows(content: bytes, otherwise: object) -> object:
    try:
        return pq.read_metadata(pa.BufferReader(content)).num_rows
    except (pa.ArrowException, OSError, UnicodeDecodeError):
        return otherwise

"""Parquet files: a table of any types as Parquet and as Arrow, or a file with changed bytes."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from fuzz.changes import changed_bytes
from fuzz.kind import Input, Progress
from fuzz.one_log import read_files
from fuzz.typed_tables import drawn_typed
from fuzz.writers import ipc_bytes, parquet_bytes

FIRST_CHECK = "footer and schema accepted, at least one row decoded"


def draw(draw: random.Random) -> Input:
    """Half of the inputs are whole files, half have changed bytes."""
    while True:
        table, options = drawn_typed(draw)
        try:
            content = parquet_bytes(table, draw.choice((1, 5, 100)))
        except pa.ArrowException:  # a type that Parquet has not
            continue
        break
    if draw.random() < 0.5:
        files = {"t.parquet": content}
        if pq.read_schema(pa.BufferReader(content)).equals(table.schema):
            files["t.arrow"] = ipc_bytes(table, draw.choice((1, 5, 100)))
        return Input(files, {"options": options, "same": len(files) > 1})
    return Input({"t.parquet": changed_bytes(draw, content)}, {"options": options, "same": False})


def run(given: Input, folder: Path, progress: Progress) -> None:
    """Open each file."""
    read_files(given, folder, progress)

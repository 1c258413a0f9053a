"""Arrow files: a table as file, as stream and in memory, or a file with changed bytes."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa

from fuzz.changes import changed_bytes
from fuzz.kind import Input, Progress
from fuzz.one_log import read_files
from fuzz.typed_tables import drawn_typed
from fuzz.writers import ipc_bytes

FIRST_CHECK = "schema accepted, at least one row decoded"


def draw(draw: random.Random) -> Input:
    """Half of the inputs are whole files, half have changed bytes."""
    table, options = drawn_typed(draw)
    rows = draw.choice((1, 5, 100))
    if draw.random() < 0.5:
        files = {"t.arrow": ipc_bytes(table, rows), "t.arrows": ipc_bytes(table, rows, True)}
        return Input(files, {"options": options, "same": True})
    stream = draw.random() < 0.5
    content = changed_bytes(draw, ipc_bytes(table, rows, stream))
    return Input({"t.arrow": content}, {"options": options, "same": False})


def run(given: Input, folder: Path, progress: Progress) -> None:
    """Open each file, and the table in memory."""
    tables = []
    if given.call["same"]:
        tables = [pa.ipc.open_file(pa.BufferReader(given.files["t.arrow"])).read_all()]
    read_files(given, folder, progress, *tables)

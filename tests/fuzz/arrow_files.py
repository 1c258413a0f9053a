"""Arrow files: a table as file, as stream and in memory, or a file with changed bytes."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa

from fuzz.changes import changed_bytes
from fuzz.kind import Input, Progress
from fuzz.one_log import items, log_of, outcome, same, same_log
from fuzz.typed_tables import drawn_typed
from fuzz.writers import ipc_bytes
from streamgauge.streams import open_stream

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
    """Open each file; the same items in batches of any size, one log for one table."""
    options = given.call["options"]
    for name, content in given.files.items():
        (folder / name).write_bytes(content)
    if given.call["same"]:
        table = pa.ipc.open_file(pa.BufferReader(given.files["t.arrow"])).read_all()
        opened = [outcome(lambda n=name: open_stream(folder / n, **options)) for name in given.files]
        opened.append(outcome(lambda: open_stream(table, **options)))
        progress.past = any(batch is not None for _, batch, _ in opened)
        names = [*given.files, "memory"]
        same_log(names, [o[0] for o in opened], [o[2] for o in opened])
        return
    stream = open_stream(folder / "t.arrow", **options)
    batch = items(stream)
    progress.past = batch is not None
    same("batches of 2", batch, items(open_stream(folder / "t.arrow", **options), 2))
    log_of(stream)

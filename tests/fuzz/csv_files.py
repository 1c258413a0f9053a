"""CSV files: one table in three formats, or a text with changes and options."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any

from fuzz.changes import changed_bytes, changed_text
from fuzz.kind import Input, Progress
from fuzz.one_log import read_files
from fuzz.tables import Table, change_options, change_table, drawn_table
from fuzz.writers import arrow_table, csv_text, ipc_bytes, parquet_bytes

FIRST_CHECK = "header accepted, at least one row decoded"
MARKS = ",;\t| \n\r\"'?.-+e0123456789\ufeff"


def comparable(table: Table) -> bool:
    """Whether CSV, which has no types, can hold the table without a loss."""
    names = [column.name for column in table.columns]
    return len(set(names)) == len(names) and all(
        any(cell is not None and cell == cell for cell in column.cells) for column in table.columns
    )


def draw(draw: random.Random) -> Input:
    """Half of the inputs are one table in three formats, half are changed texts."""
    table = drawn_table(draw)
    if draw.random() < 0.5:
        for _ in range(draw.choice((0, 1, 1, 2))):
            change_table(draw, table)
        if comparable(table):
            text = csv_text(draw, table)
            typed = arrow_table(table)
            files = {
                "t.csv": text.encode(),
                "t.parquet": parquet_bytes(typed),
                "t.arrow": ipc_bytes(typed),
            }
            return Input(files, {"options": table.options, "same": True})
    separator = draw.choice((",", ",", ";", "\t", "|", " "))
    text = csv_text(draw, table, separator)
    if draw.random() < 0.3:
        change_options(draw, [c.name for c in table.columns], table.options)
    options: dict[str, Any] = dict(table.options)
    if draw.random() < 0.4:
        options["separator"] = separator
    if draw.random() < 0.1:
        options["header"] = draw.choice((True, False))
    if draw.random() < 0.1:
        options["decimal"] = ","
    for _ in range(draw.choice((0, 1, 1, 1, 2, 3))):
        text = changed_text(draw, text, MARKS)
    content = text.encode()
    if draw.random() < 0.05:
        content = changed_bytes(draw, content)
    name = "t.csv"
    if draw.random() < 0.1:
        content, name = gzip.compress(content, mtime=0), "t.csv.gz"
        if draw.random() < 0.5:
            content = changed_bytes(draw, content, 1)
    return Input({name: content}, {"options": options, "same": False})


def run(given: Input, folder: Path, progress: Progress) -> None:
    """Open each file."""
    read_files(given, folder, progress)

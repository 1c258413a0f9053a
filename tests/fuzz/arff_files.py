"""ARFF files: the table of a CSV file and of an ARFF file, or a text with changes and options."""

from __future__ import annotations

import random
from pathlib import Path

from fuzz.changes import changed_bytes, changed_text
from fuzz.csv_files import comparable
from fuzz.kind import Input, Progress
from fuzz.one_log import read_files
from fuzz.tables import change_options, change_table, drawn_table
from fuzz.writers import arff_text, arrow_table, csv_text, parquet_bytes

FIRST_CHECK = "header accepted, at least one row decoded"
MARKS = ",{}%'\"\\@?\n\t .0123456789-"


def draw(draw: random.Random) -> Input:
    """A third of the inputs are one table in three formats, the others are changed texts."""
    table = drawn_table(draw)
    if draw.random() < 0.35:
        for _ in range(draw.choice((0, 1))):
            change_table(draw, table)
        if comparable(table) and not {"types", "classes", "nominal"} & table.options.keys():
            # An ARFF header states what other readers infer from the values.
            target = next((c for c in table.columns if c.name == table.options["target"]), None)
            real = target is not None and target.kind == "number"
            table.options["task"] = "regression" if real else "classification"
            files = {
                "t.arff": arff_text(draw, table).encode(),
                "t.csv": csv_text(draw, table).encode(),
                "t.parquet": parquet_bytes(arrow_table(table)),
            }
            return Input(files, {"options": table.options, "same": True})
    text = arff_text(draw, table)
    if draw.random() < 0.3:
        change_options(draw, [c.name for c in table.columns], table.options)
    for _ in range(draw.choice((0, 1, 1, 1, 2, 3))):
        if draw.random() < 0.6 and "@data" in text:  # the rows rather than the header
            head, _, rows = text.partition("@data\n")
            text = f"{head}@data\n{changed_text(draw, rows, MARKS)}"
        else:
            text = changed_text(draw, text, MARKS)
    content = text.encode()
    if draw.random() < 0.05:
        content = changed_bytes(draw, content)
    return Input({"t.arff": content}, {"options": table.options, "same": False})


def run(given: Input, folder: Path, progress: Progress) -> None:
    """Open each file."""
    read_files(given, folder, progress)

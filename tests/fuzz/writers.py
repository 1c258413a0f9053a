"""Writers of the random tables, independent of those of the package."""

from __future__ import annotations

import datetime as dt
import io
import random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fuzz.tables import Column, Table

TYPES = {
    "number": pa.float64(),
    "whole": pa.int64(),
    "text": pa.string(),
    "stamp": pa.timestamp("us"),
}


def arrow_table(table: Table) -> pa.Table:
    """The table with one Arrow type per kind."""
    arrays = [pa.array(c.cells, TYPES[c.kind], from_pandas=False) for c in table.columns]
    return pa.Table.from_arrays(arrays, names=[c.name for c in table.columns])


def parquet_bytes(table: pa.Table, rows: int = 5) -> bytes:
    """A Parquet file with row groups of `rows`."""
    out = io.BytesIO()
    pq.write_table(table, out, row_group_size=rows)
    return out.getvalue()


def ipc_bytes(table: pa.Table, rows: int = 5, stream: bool = False) -> bytes:
    """An Arrow IPC file or stream with batches of `rows`."""
    out = io.BytesIO()
    make = pa.ipc.new_stream if stream else pa.ipc.new_file
    with make(out, table.schema) as writer:
        writer.write_table(table, max_chunksize=rows)
    return out.getvalue()


def plain(cell: Any) -> str:
    """A cell as text that reads back as the same value."""
    if isinstance(cell, dt.datetime):
        return cell.isoformat(sep=" ")
    return repr(cell) if isinstance(cell, float | int) else str(cell)


def csv_text(draw: random.Random, table: Table, separator: str = ",") -> str:
    """A CSV file with a header, in random spellings."""
    end = draw.choice(("\n", "\n", "\r\n"))
    marks = separator + "\"'\n\r \t"
    gap = draw.choice(("", "", "?", "NA")) if len(table.columns) > 1 else "?"

    def cell(value: Any) -> str:
        if value is None or value != value:
            return gap
        text = plain(value)
        if any(mark in text for mark in marks) or not text or draw.random() < 0.1:
            return '"' + text.replace('"', '""') + '"'
        return text

    lines = [separator.join(cell(c.name) for c in table.columns)]
    for row in range(table.rows):
        lines.append(separator.join(cell(c.cells[row]) for c in table.columns))
    last = draw.choice((end, end, ""))
    return end.join(lines) + last


def arff_text(draw: random.Random, table: Table) -> str:
    """An ARFF file, dense or with sparse rows."""
    lines = ["% made", f"@relation {draw.choice(('r', quoted('a b')))}"]
    for column in table.columns:
        lines.append(f"@attribute {quoted(column.name)} {attribute(column, table)}")
    lines.append("@data")
    for row in range(table.rows):
        cells = ["?" if gap(c.cells[row]) else quoted(plain(c.cells[row])) for c in table.columns]
        if draw.random() < 0.15:
            given = [
                f"{nth} {cell}"
                for nth, (column, cell) in enumerate(zip(table.columns, cells, strict=True))
                if cell != omitted(column, table) or draw.random() < 0.3
            ]
            lines.append("{" + ", ".join(given) + "}")
        else:
            lines.append(",".join(cells))
        if draw.random() < 0.05:
            lines.append(draw.choice(("", "% a comment", "  ")))
    return "\n".join(lines) + draw.choice(("\n", ""))


def gap(cell: Any) -> bool:
    """Whether a cell is missing."""
    return cell is None or cell != cell


def omitted(column: Column, table: Table) -> str:
    """The cell that a sparse row may leave out: zero, or the first nominal value."""
    kind = attribute(column, table)
    if kind.startswith("{"):
        values = sorted({cell for cell in column.cells if not gap(cell)})
        return quoted(plain(values[0])) if values else ""
    return {"numeric": "0.0", "integer": "0"}.get(kind, "")


def attribute(column: Column, table: Table) -> str:
    """The type of an attribute; nominal values sorted, as other readers sort them."""
    if column.kind == "stamp":
        return "date"
    found = {cell for cell in column.cells if not gap(cell)}
    classes = column.kind == "whole" and column.name == table.options.get("target")
    classes = classes and table.listed
    if column.kind == "text" or classes:
        values = sorted(found)
        return "{" + ",".join(quoted(plain(value)) for value in values) + "}"
    return "numeric" if column.kind == "number" else "integer"


def quoted(text: str) -> str:
    """A name or value of an ARFF file."""
    if text and all(letter.isalnum() or letter in "._+-" for letter in text):
        return text
    for mark, escape in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        text = text.replace(mark, escape)
    return f"'{text}'"

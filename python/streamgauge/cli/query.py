"""`streamgauge query`: SQL over a run folder."""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pyarrow as pa

from streamgauge.cli import options
from streamgauge.cli.printing import plain, print_table, terminal
from streamgauge.cli.safe_text import echo
from streamgauge.errors import ParameterError
from streamgauge.escapes import DIRECTION, in_csv
from streamgauge.experiments._query import query
from streamgauge.progress import watcher
from streamgauge.report.page import Column, Row, Table

PRINTED = 100
"""Largest number of rows of a table in the terminal."""


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.argument("sql")
@options.measures
@options.windows
@options.as_json
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
def command(
    folder: Path, sql: str, measures: str, windows: str, as_json: bool, as_csv: bool
) -> None:
    """Query the run in FOLDER: SQL is a query of DuckDB, such as "select * from cells".

    The tables are results (stream, learner, protocol, repetition, fold, measure, window, value),
    cells (one row per cell), and predictions, labels, training and alarms (those of all complete
    logs, with the column cell). A query can read and write no files.

    Measures and windows of results are those of the experiment, unless they are given.
    """
    if as_json and as_csv:
        raise ParameterError("query: only one of --json and --csv can be given, got both")

    def note(sentence: str) -> None:
        echo(f"note: {sentence}", err=True)

    found = query(
        folder,
        sql,
        options.split(measures) or None,
        options.split(windows) or None,
        progress=watcher(str(folder), unit="cells"),
        note=note,
    )
    if as_json:
        twice = [name for name, n in Counter(found.column_names).items() if n > 1]
        if twice:
            raise ParameterError(
                f"query: columns must have different names in JSON, got {twice[0]!r} twice; "
                "rename one with AS"
            )
        rows = [dict(zip(found.column_names, row, strict=True)) for row in _rows(found)]
        click.echo(json.dumps(plain(rows), indent=1, default=str))
    elif as_csv:
        _print_csv(found)
    else:
        _print(found)


def _rows(found: pa.Table) -> Iterator[tuple[Any, ...]]:
    """The rows as Python values; maps as dictionaries."""
    columns = []
    for column in found.columns:
        values = column.to_pylist()
        is_map = pa.types.is_map(column.type)
        columns.append([dict(v) if is_map and v is not None else v for v in values])
    return zip(*columns, strict=True)


def _print_csv(found: pa.Table) -> None:
    """Print CSV; undefined cells are empty, and no text is a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(in_csv, found.column_names))
    for row in _rows(found):
        writer.writerow([_csv_cell(value) for value in row])
    click.echo(out.getvalue(), nl=False)


def _csv_cell(value: Any) -> str | float:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    return in_csv(_text(value))


def _print(found: pa.Table) -> None:
    """Print a table, or its first rows; where it is too wide, each row by itself."""
    names = found.column_names
    rows = [
        tuple(DIRECTION.sub("\ufffd", _text(value)) for value in row)
        for row in _rows(found.slice(0, PRINTED))
    ]
    widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    if sum(widths) + 2 * len(widths) <= terminal().width:
        columns = (
            Column(str(nth), name, "number" if _is_number(found.field(nth).type) else "text")
            for nth, name in enumerate(names)
        )
        print_table(Table(tuple(columns), tuple(map(Row, rows))))
    else:
        for nth, row in enumerate(rows, 1):
            echo(f"row {nth}")
            for name, value in zip(names, row, strict=True):
                echo(f"  {name:<{max(map(len, names))}}  {value}".rstrip())
    if found.num_rows > PRINTED:
        echo(
            f"note: {PRINTED} of {found.num_rows:,} rows; print all with --csv or --json", err=True
        )


def _is_number(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    )


def _text(value: Any) -> str:
    """A value as text; nothing if it is undefined."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list | dict):
        return json.dumps(plain(value), default=str, ensure_ascii=False)
    return str(value)

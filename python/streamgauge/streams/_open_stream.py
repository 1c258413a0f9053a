"""Open a file, table or pair of arrays with the reader for its type."""

from __future__ import annotations

import os
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

from streamgauge.errors import DataError, ParameterError
from streamgauge.files import existing
from streamgauge.lazy import suggestion
from streamgauge.streams._impute import Impute
from streamgauge.types import Stream

CSV = ("streamgauge.streams.csv", "Csv")
ARROW = ("streamgauge.streams.arrow", "Arrow")
ARRAYS = ("streamgauge.streams.arrays", "Arrays")

READERS = {
    ".csv": CSV,
    ".tsv": CSV,
    ".txt": CSV,
    ".data": CSV,
    ".arff": ("streamgauge.streams.arff", "Arff"),
    ".parquet": ("streamgauge.streams.parquet", "Parquet"),
    ".pq": ("streamgauge.streams.parquet", "Parquet"),
    ".arrow": ("streamgauge.streams.ipc", "Ipc"),
    ".arrows": ("streamgauge.streams.ipc", "Ipc"),
    ".feather": ("streamgauge.streams.ipc", "Ipc"),
    ".ipc": ("streamgauge.streams.ipc", "Ipc"),
}
"""File suffix -> module and class of its reader, imported on first use."""

COMPRESSED = (".gz", ".zst")


def open_stream(source: Any, *, impute: Any = None, **options: Any) -> Stream:
    """Open a file or a table as a stream, with the reader for its type.

    Parameters
    ----------
    source
        A path (`.csv`, `.tsv`, `.data`, `.arff`, each also `.gz` or `.zst`; `.parquet`,
        `.arrow`, `.feather`), a table of pandas, polars, duckdb or pyarrow, two NumPy arrays
        (x, y), or a stream, which is returned as it is.
    impute
        How to fill in missing cells, see `impute`; None leaves them missing.
    **options
        Options of the reader, mostly about columns, see `Columns`: `target=`, `time=`, …

    Examples
    --------
    >>> import pyarrow as pa
    >>> open_stream(pa.table({"a": [1.0, 2.0], "y": ["no", "yes"]}), target="y").length
    2
    """
    stream = open_source(source, options)
    return stream if impute is None else Impute(stream, impute)


def open_source(source: Any, options: dict[str, Any]) -> Stream:
    """Open a source with the reader for its type."""
    if isinstance(source, str | os.PathLike):
        path = existing(Path(source))
        reader = READERS.get(format_suffix(path))
        if reader is None:
            raise DataError(
                f"{path}: must end in one of {', '.join(READERS)}, got {path.suffix!r}; rename it"
            )
        return call_reader(reader, (path,), options)
    if isinstance(source, Stream):
        if options:
            raise ParameterError.of("open_stream", "a stream", "given alone", sorted(options))
        return source
    if isinstance(source, tuple) and len(source) == 2:
        return call_reader(ARRAYS, source, options)
    return call_reader(ARROW, (source,), options)


def format_suffix(path: Path) -> str:
    """Return the suffix of the format, without that of the compression."""
    last = path.suffix.lower()
    return Path(path.stem).suffix.lower() or last if last in COMPRESSED else last


def call_reader(
    reader: tuple[str, str], source: tuple[Any, ...], options: dict[str, Any]
) -> Stream:
    """Call a reader; raise for an unknown option, with a suggestion."""
    kind = getattr(import_module(reader[0]), reader[1])
    known = [option.name for option in fields(kind) if option.init]
    for option in options:
        if option not in known:
            hint = suggestion(option, known) or f"; known: {', '.join(sorted(known))}"
            raise ParameterError(f"open_stream: {reader[1]} has no {option!r}{hint}")
    stream: Stream = kind(*source, **options)
    return stream

"""One door to every reader: it looks at the name, or at the object."""

from __future__ import annotations

import os
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

from streamgauge.doors import suggestion
from streamgauge.errors import DataError, ParameterError
from streamgauge.files import existing
from streamgauge.streams.imputing import Impute
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
"""The ending of a file's name -> the reader that takes it; nothing is imported before."""

PACKED = (".gz", ".zst")


def open_stream(source: Any, *, impute: Any = None, **said: Any) -> Stream:
    """A stream from a file or a table, by whatever reader takes it.

    Parameters
    ----------
    source
        A path (`.csv`, `.tsv`, `.data`, `.arff`, each also `.gz` or `.zst`; `.parquet`,
        `.arrow`, `.feather`), a table of pandas, polars, duckdb or pyarrow, two NumPy arrays
        (x, y), or a stream, which is handed back.
    impute
        How to fill in missing cells, see `impute`; None leaves them missing.
    **said
        Which column is what, see `Columns`: `target=`, `time=`, `drop=`, `nominal=`, …

    Examples
    --------
    >>> import pyarrow as pa
    >>> open_stream(pa.table({"a": [1.0, 2.0], "y": ["no", "yes"]}), target="y").length
    2
    """
    stream = found(source, said)
    return stream if impute is None else Impute(stream, impute)


def found(source: Any, said: dict[str, Any]) -> Stream:
    """The reader that takes the source, at work."""
    if isinstance(source, str | os.PathLike):
        path = existing(Path(source))
        reader = READERS.get(ending(path))
        if reader is None:
            raise DataError(
                f"{path}: must end in one of {', '.join(READERS)}, got {path.suffix!r}; rename it"
            )
        return opened(reader, (path,), said)
    if isinstance(source, Stream):
        if said:
            raise ParameterError.of("open_stream", "a stream", "given alone", sorted(said))
        return source
    if isinstance(source, tuple) and len(source) == 2:
        return opened(ARRAYS, source, said)
    return opened(ARROW, (source,), said)


def ending(path: Path) -> str:
    """The ending that tells the format, without that of the packing."""
    suffixes = [suffix.lower() for suffix in path.suffixes[-2:]]
    return suffixes[0] if suffixes[-1:] and suffixes[-1] in PACKED else "".join(suffixes[-1:])


def opened(reader: tuple[str, str], source: tuple[Any, ...], said: dict[str, Any]) -> Stream:
    """Hand the words to the reader, after a look at their spelling."""
    kind = getattr(import_module(reader[0]), reader[1])
    known = [word.name for word in fields(kind) if word.init]
    for word in said:
        if word not in known:
            hint = suggestion(word, known) or f"; known: {', '.join(sorted(known))}"
            raise ParameterError(f"open_stream: {reader[1]} has no {word!r}{hint}")
    stream: Stream = kind(*source, **said)
    return stream

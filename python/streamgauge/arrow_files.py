"""Arrow and Parquet files of others: read without trust, and validated before use.

pyarrow checks the structure of a file but not its content: an offset or dictionary index out of
range is followed when the column is used, and crashes the interpreter. A memory-mapped file that
is cut off meanwhile crashes it too, so files are read, not mapped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from streamgauge.buffers import valid
from streamgauge.errors import DataError, error_line
from streamgauge.files import existing

MAX_SCALE = {32: 9, 64: 18, 128: 38, 256: 76}
"""The largest scale of a decimal by its number of bits; pyarrow cannot print others."""

VIEW_BYTES = 16
"""Size of a view: length, and the text or where it is."""

MAGIC = b"ARROW1"
"""The first bytes of an IPC file; an IPC stream has none."""


@contextmanager
def refuse_damage(path: Path | str, what: str) -> Iterator[None]:
    """Turn errors of pyarrow about the content of a file into a DataError about `path`.

    A missing permission, a folder and a missing file are not about the content.
    """
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        if isinstance(error, DataError | FileNotFoundError | IsADirectoryError | PermissionError):
            raise
        raise DataError(
            f"{path}: must be {what}, got another format or a damaged one ({plain(error)}); "
            "write it again"
        ) from error


def plain(error: Exception) -> str:
    """Type and text of an error as one short line without control characters.

    Examples
    --------
    >>> plain(ValueError("first\\n  \\x00second"))
    'ValueError: first ?second'
    """
    text = error_line(error)[:200]
    return "".join(c if c.isprintable() else "?" for c in text)


def validated(who: object, part: Any) -> Any:
    """Return a record batch or table after a full check of its columns.

    Offsets, dictionary indices, numbers of nulls and UTF-8; numbers have nothing to check but the
    length of their buffers. Views of null cells, which pyarrow does not check but follows in a
    cast, are emptied.
    """
    for field in part.schema:
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if pa.types.is_decimal(kind) and abs(kind.scale) > (most := MAX_SCALE[kind.bit_width]):
            raise DataError(
                f"{who}: column {field.name!r} must be a decimal of a scale up to {most}, got "
                f"{kind}; write it again"
            )
    try:
        part.validate(full=True)
    except pa.ArrowException as error:
        raise DataError(
            f"{who}: columns must be valid Arrow data, got damaged ones ({plain(error)}); "
            "write it again"
        ) from error
    for place, field in enumerate(part.schema):
        if _is_view(field.type) and part.column(place).null_count:
            part = part.set_column(place, field, _without_null_views(part.column(place)))
    return part


def _is_view(kind: Any) -> bool:
    return bool(pa.types.is_string_view(kind) or pa.types.is_binary_view(kind))


def _without_null_views(column: Any) -> Any:
    """The same texts; the views of null cells are empty."""
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array([_without_null_views(c) for c in column.chunks], column.type)
    bitmap, views, *data = column.buffers()
    if bitmap is None:
        return column
    rows = np.frombuffer(views, np.uint8).reshape(-1, VIEW_BYTES).copy()
    used = rows[column.offset : column.offset + len(column)]
    used[~valid(column)] = 0
    buffers = [bitmap, pa.py_buffer(rows), *data]
    return pa.Array.from_buffers(
        column.type, len(column), buffers, column.null_count, column.offset
    )


def ipc_schema(path: Path | str) -> Any:
    """Return the schema of an Arrow IPC file or stream."""
    with refuse_damage(path, "an Arrow IPC file"), _opened(existing(path)) as reader:
        schema = reader.schema
        _ = schema.names, schema.metadata  # decodes the names
        return schema


def ipc_batches(path: Path | str, names: Sequence[str] | None = None) -> Iterator[Any]:
    """Yield the validated record batches of an IPC file or stream, with some columns or all."""
    with refuse_damage(path, "an Arrow IPC file"):
        columns = None
        if names is not None:
            columns = [ipc_schema(path).get_field_index(name) for name in names]
        with _opened(existing(path), columns) as reader:
            parts = (
                (reader.get_batch(i) for i in range(reader.num_record_batches))
                if hasattr(reader, "get_batch")
                else reader
            )
            for part in parts:
                chosen = part if names is None else part.select(list(names))
                yield validated(path, chosen)


@contextmanager
def _opened(path: Path, columns: Sequence[int] | None = None) -> Iterator[Any]:
    options = pa.ipc.IpcReadOptions(included_fields=None if columns is None else sorted(columns))
    with pa.OSFile(str(path)) as source:
        kind = pa.ipc.open_file if source.read(len(MAGIC)) == MAGIC else pa.ipc.open_stream
        source.seek(0)
        with kind(source, options=options) as reader:
            yield reader


@contextmanager
def parquet_file(path: Path | str) -> Iterator[Any]:
    """Open a Parquet file whose errors are about `path`."""
    with refuse_damage(path, "a Parquet file"), pq.ParquetFile(existing(path)) as file:
        yield file


def parquet_batches(
    path: Path | str, names: Sequence[str] | None = None, size: int = 65_536
) -> Iterator[Any]:
    """Yield the validated rows of a Parquet file, at most `size` at a time."""
    with parquet_file(path) as file:
        rows, stated = 0, file.metadata.num_rows
        for part in file.iter_batches(batch_size=size, columns=names):
            rows += len(part)
            yield validated(path, part)
        if rows != stated:  # a damaged page ends early without an error of pyarrow
            raise DataError(
                f"{path}: must have the {stated:,} rows that its footer states, got {rows:,}; "
                "write it again"
            )

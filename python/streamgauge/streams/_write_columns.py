"""Writers of Parquet and Arrow IPC files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from streamgauge.buffers import DTYPES, as_arrow, texts
from streamgauge.streams._file_spec import Column, FileSpec
from streamgauge.streams._options import KEY, options_to_json
from streamgauge.types import Batch, Value

ROW_GROUP_CELLS = 1 << 22
"""Minimum number of cells of a Parquet row group."""


@contextmanager
def arrow_writer(part: Path, spec: FileSpec) -> Iterator[Callable[[Batch], None]]:
    """Write an Arrow IPC file (Feather v2), one record batch per batch."""
    schema = arrow_schema(spec)
    with pa.ipc.new_file(str(part), schema) as file:
        yield lambda batch: file.write_batch(record_batch(spec, schema, batch))


@contextmanager
def parquet_writer(part: Path, spec: FileSpec) -> Iterator[Callable[[Batch], None]]:
    """Write a Parquet file, with row groups of at least `ROW_GROUP_CELLS` cells."""
    schema = arrow_schema(spec)
    pending: list[Any] = []
    with pq.ParquetWriter(part, schema) as file:

        def flush() -> None:
            if pending:
                file.write_table(pa.Table.from_batches(pending))
                pending.clear()

        def write(batch: Batch) -> None:
            pending.append(record_batch(spec, schema, batch))
            if sum(rows.num_rows for rows in pending) * len(spec.columns) >= ROW_GROUP_CELLS:
                flush()

        yield write
        flush()


def arrow_schema(spec: FileSpec) -> Any:
    """Return names and types, with the options to read the file back as metadata."""
    fields = [(column.name, arrow_type(column)) for column in spec.columns]
    return pa.schema(fields, metadata={KEY: options_to_json(spec.options())})


def arrow_type(column: Column) -> Any:
    """Return the type of a column: a dictionary for text, otherwise the type of its values."""
    if column.values is not None:
        return value_type(column.values)
    if column.stamps:
        return pa.timestamp("us")
    return pa.int64() if column.ticks else pa.float64()


def value_type(values: tuple[Value, ...]) -> Any:
    """Return the type of a nominal column; text for whole numbers that no type holds together."""
    texts = pa.dictionary(pa.int32(), pa.string())
    if not values or isinstance(values[0], str):
        return texts
    if isinstance(values[0], bool):
        return pa.bool_()
    if any(isinstance(value, float) for value in values):
        return pa.float64()
    least, most = (int(limit(map(int, values))) for limit in (min, max))
    if least >= -(2**63) and most < 2**63:
        return pa.int64()
    return pa.uint64() if least >= 0 and most < 2**64 else texts


def record_batch(spec: FileSpec, schema: Any, batch: Batch) -> Any:
    """Convert a batch to Arrow columns, null for missing cells."""
    arrays = [arrow_cells(column, batch) for column in spec.columns]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def arrow_cells(column: Column, batch: Batch) -> Any:
    """Convert one column of a batch."""
    kind = arrow_type(column)
    if column.values is None:
        cells, gaps = column.cells(batch)
        return as_arrow(cells, gaps).cast(kind)
    codes, gaps = column.codes(batch)
    if pa.types.is_dictionary(kind):
        values = texts([str(value) for value in column.values])
        return pa.DictionaryArray.from_arrays(as_arrow(codes, gaps), values)
    numbers = np.asarray(column.values, np.int64 if kind == pa.bool_() else DTYPES[str(kind)])
    return as_arrow(numbers[codes], gaps).cast(kind)

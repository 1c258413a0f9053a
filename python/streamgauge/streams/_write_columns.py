"""Streams as typed columns: Parquet and Arrow IPC files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from streamgauge.buffers import as_arrow, texts
from streamgauge.streams._options import KEY, packed
from streamgauge.streams._sheet import Column, Sheet
from streamgauge.types import Batch, Value

ROW_GROUP_CELLS = 1 << 22
"""Cells that are held before they are written as a row group of Parquet."""


@contextmanager
def arrow_writer(part: Path, sheet: Sheet) -> Iterator[Callable[[Batch], None]]:
    """An Arrow IPC file (Feather v2), a record batch per batch."""
    schema = arrow_schema(sheet)
    with pa.ipc.new_file(str(part), schema) as file:
        yield lambda batch: file.write_batch(record_batch(sheet, schema, batch))


@contextmanager
def parquet_writer(part: Path, sheet: Sheet) -> Iterator[Callable[[Batch], None]]:
    """A Parquet file, a row group per so many cells."""
    schema = arrow_schema(sheet)
    held: list[Any] = []
    with pq.ParquetWriter(part, schema) as file:

        def flush() -> None:
            if held:
                file.write_table(pa.Table.from_batches(held))
                held.clear()

        def write(batch: Batch) -> None:
            held.append(record_batch(sheet, schema, batch))
            if sum(rows.num_rows for rows in held) * len(sheet.columns) >= ROW_GROUP_CELLS:
                flush()

        yield write
        flush()


def arrow_schema(sheet: Sheet) -> Any:
    """Names and types, with the options to read the file back as metadata."""
    fields = [(column.name, arrow_type(column)) for column in sheet.columns]
    return pa.schema(fields, metadata={KEY: packed(sheet.options())})


def arrow_type(column: Column) -> Any:
    """The type of a column: texts as a dictionary, other nominal values as they are."""
    if column.values is not None:
        return value_type(column.values)
    if column.stamps:
        return pa.timestamp("us")
    return pa.int64() if column.ticks else pa.float64()


def value_type(values: tuple[Value, ...]) -> Any:
    """The type of a nominal column."""
    if not values or isinstance(values[0], str):
        return pa.dictionary(pa.int32(), pa.string())
    if isinstance(values[0], bool):
        return pa.bool_()
    whole = all(isinstance(v, int) and -(2**63) <= v < 2**63 for v in values)
    return pa.int64() if whole else pa.float64()


def record_batch(sheet: Sheet, schema: Any, batch: Batch) -> Any:
    """A batch as Arrow columns, null where a cell is missing."""
    arrays = [arrow_cells(column, batch) for column in sheet.columns]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def arrow_cells(column: Column, batch: Batch) -> Any:
    """The cells of one column."""
    kind = arrow_type(column)
    if column.values is None:
        cells, gaps = column.cells(batch)
        return as_arrow(cells, gaps).cast(kind)
    codes, gaps = column.codes(batch)
    if pa.types.is_dictionary(kind):
        values = texts([str(value) for value in column.values])
        return pa.DictionaryArray.from_arrays(as_arrow(codes, gaps), values)
    numbers = np.array(column.values, np.float64 if kind == pa.float64() else np.int64)
    return as_arrow(numbers[codes], gaps).cast(kind)

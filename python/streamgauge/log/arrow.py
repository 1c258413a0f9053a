"""The tables of a log as Arrow: the documented, versioned schema, and both conversions."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from streamgauge.log.rows import Said, Taught, Truth
from streamgauge.types import F64, NONE, Codes, Schema

VERSION = 1
"""The version of the schema below; a reader refuses a newer one."""

TABLES = ("said", "true", "taught")


def schemas(schema: Schema, scores: bool) -> dict[str, pa.Schema]:
    """Table -> its Arrow schema. Answers and labels are class codes or reals; null is none."""
    value = pa.float64() if schema.classes is None else pa.int32()
    said = [
        pa.field("item", pa.uint64(), nullable=False),
        pa.field("fold", pa.uint16(), nullable=False),
        pa.field("turn", pa.uint32(), nullable=False),
        pa.field("kind", pa.uint8(), nullable=False),
        pa.field("time", pa.int64(), nullable=False),
        pa.field("answer", value),
    ]
    if scores:
        said.append(pa.field("scores", pa.list_(pa.float64(), len(schema.classes or ()))))
    true = [
        pa.field("item", pa.uint64(), nullable=False),
        pa.field("time", pa.int64(), nullable=False),
        pa.field("label", value, nullable=False),
    ]
    taught = [
        pa.field("item", pa.uint64(), nullable=False),
        pa.field("fold", pa.uint16(), nullable=False),
        pa.field("weight", pa.float64(), nullable=False),
    ]
    notes = {"streamgauge.log": str(VERSION)}
    return {
        name: pa.schema(fields, metadata=notes)
        for name, fields in zip(TABLES, (said, true, taught), strict=True)
    }


def said_batch(rows: Said, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of *said* as Arrow."""
    columns = [
        pa.array(rows.item),
        pa.array(rows.fold),
        pa.array(rows.turn),
        pa.array(rows.kind),
        pa.array(rows.time),
        _nullable(rows.answer),
    ]
    if "scores" in schema.names:
        width = schema.field("scores").type.list_size
        scores = np.full((len(rows), width), np.nan) if rows.scores is None else rows.scores
        columns.append(pa.FixedSizeListArray.from_arrays(pa.array(np.ravel(scores)), width))
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def true_batch(rows: Truth, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of *true* as Arrow."""
    columns = [pa.array(rows.item), pa.array(rows.time), pa.array(rows.label)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def taught_batch(rows: Taught, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of *taught* as Arrow."""
    columns = [pa.array(rows.item), pa.array(rows.fold), pa.array(rows.weight)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def said_rows(batch: pa.RecordBatch) -> Said:
    """*said* from Arrow."""
    scores = None
    if "scores" in batch.schema.names:
        column = batch.column("scores")
        scores = column.flatten().to_numpy(zero_copy_only=False).reshape(len(batch), -1)
    return Said(
        batch.column("item").to_numpy(),
        batch.column("fold").to_numpy(),
        batch.column("turn").to_numpy(),
        batch.column("kind").to_numpy(),
        batch.column("time").to_numpy(),
        _filled(batch.column("answer")),
        scores,
    )


def true_rows(batch: pa.RecordBatch) -> Truth:
    """*true* from Arrow."""
    return Truth(
        batch.column("item").to_numpy(),
        batch.column("time").to_numpy(),
        batch.column("label").to_numpy(),
    )


def taught_rows(batch: pa.RecordBatch) -> Taught:
    """*taught* from Arrow."""
    return Taught(
        batch.column("item").to_numpy(),
        batch.column("fold").to_numpy(),
        batch.column("weight").to_numpy(),
    )


def _nullable(answer: Codes | F64) -> pa.Array:
    none = answer < 0 if answer.dtype.kind == "i" else np.isnan(answer)
    return pa.array(answer, mask=none) if none.any() else pa.array(answer)


def _filled(column: pa.Array) -> Codes | F64:
    if column.null_count:
        column = column.fill_null(NONE if pa.types.is_integer(column.type) else float("nan"))
    values: Codes | F64 = column.to_numpy()
    return values

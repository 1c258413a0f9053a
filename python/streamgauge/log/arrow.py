"""The tables of a log as Arrow: the documented, versioned schema, and both conversions."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from streamgauge.buffers import as_arrow, as_numpy
from streamgauge.log.alarms import Alarms
from streamgauge.log.rows import Came, Said, Taught, Truth, Weighted
from streamgauge.types import F64, NONE, Codes, Schema, missing

VERSION = 1
"""The version of the schema below; a reader refuses a newer one."""

TABLES = ("said", "true", "taught")

SIDE_TABLES = ("alarms", "unpredicted", "weights")
"""Tables that are there only if something was written to them."""


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
    alarms = [
        pa.field("item", pa.uint64(), nullable=False),
        pa.field("fold", pa.uint16(), nullable=False),
        pa.field("detector", pa.string(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
    ]
    unpredicted = [
        pa.field("item", pa.uint64(), nullable=False),
        pa.field("time", pa.int64(), nullable=False),
    ]
    weights = [
        pa.field("row", pa.uint64(), nullable=False),
        pa.field("weight", pa.float64(), nullable=False),
    ]
    notes = {"streamgauge.log": str(VERSION)}
    columns = (said, true, taught, alarms, unpredicted, weights)
    tables = zip((*TABLES, *SIDE_TABLES), columns, strict=True)
    return {name: pa.schema(fields, metadata=notes) for name, fields in tables}


def said_batch(rows: Said, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of *said* as Arrow."""
    columns = [
        as_arrow(rows.item),
        as_arrow(rows.fold),
        as_arrow(rows.turn),
        as_arrow(rows.kind),
        as_arrow(rows.time),
        _nullable(rows.answer),
    ]
    if "scores" in schema.names:
        width = schema.field("scores").type.list_size
        scores = np.full((len(rows), width), np.nan) if rows.scores is None else rows.scores
        columns.append(pa.FixedSizeListArray.from_arrays(as_arrow(np.ravel(scores)), width))
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def true_batch(rows: Truth, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of *true* as Arrow."""
    columns = [as_arrow(rows.item), as_arrow(rows.time), as_arrow(rows.label)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def taught_batch(rows: Taught, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of *taught* as Arrow."""
    columns = [as_arrow(rows.item), as_arrow(rows.fold), as_arrow(rows.weight)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def alarms_batch(rows: Alarms, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of *alarms* as Arrow."""
    words = pa.array(rows.detector, pa.string()), pa.array(rows.kind, pa.string())
    columns = [as_arrow(rows.item), as_arrow(rows.fold), *words]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def came_batch(rows: Came, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of *unpredicted* as Arrow."""
    return pa.RecordBatch.from_arrays([as_arrow(rows.item), as_arrow(rows.time)], schema=schema)


def weights_batch(rows: Weighted, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of *weights* as Arrow."""
    return pa.RecordBatch.from_arrays([as_arrow(rows.row), as_arrow(rows.weight)], schema=schema)


def said_rows(batch: pa.RecordBatch) -> Said:
    """*said* from Arrow."""
    scores = None
    if "scores" in batch.schema.names:
        column = batch.column("scores")
        scores = as_numpy(column.flatten(), float("nan")).reshape(len(batch), -1)
    return Said(
        as_numpy(batch.column("item")),
        as_numpy(batch.column("fold")),
        as_numpy(batch.column("turn")),
        as_numpy(batch.column("kind")),
        as_numpy(batch.column("time")),
        _filled(batch.column("answer")),
        scores,
    )


def true_rows(batch: pa.RecordBatch) -> Truth:
    """*true* from Arrow, without weights."""
    return Truth(
        as_numpy(batch.column("item")),
        as_numpy(batch.column("time")),
        as_numpy(batch.column("label")),
    )


def taught_rows(batch: pa.RecordBatch) -> Taught:
    """*taught* from Arrow."""
    return Taught(
        as_numpy(batch.column("item")),
        as_numpy(batch.column("fold")),
        as_numpy(batch.column("weight")),
    )


def alarms_rows(batch: pa.RecordBatch) -> Alarms:
    """*alarms* from Arrow."""
    return Alarms(
        as_numpy(batch.column("item")),
        as_numpy(batch.column("fold")),
        tuple(batch.column("detector").to_pylist()),
        tuple(batch.column("kind").to_pylist()),
    )


def came_rows(batch: pa.RecordBatch) -> Came:
    """*unpredicted* from Arrow."""
    return Came(as_numpy(batch.column("item")), as_numpy(batch.column("time")))


def weights_rows(batch: pa.RecordBatch) -> Weighted:
    """*weights* from Arrow."""
    return Weighted(as_numpy(batch.column("row")), as_numpy(batch.column("weight")))


def _nullable(answer: Codes | F64) -> pa.Array:
    return as_arrow(answer, missing(answer))


def _filled(column: pa.Array) -> Codes | F64:
    return as_numpy(column, NONE if pa.types.is_integer(column.type) else float("nan"))

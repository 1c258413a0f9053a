"""The tables of a log as Arrow: the documented, versioned schema, and conversions."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from streamgauge.buffers import as_arrow, as_numpy, texts
from streamgauge.log.alarms import Alarms
from streamgauge.log.rows import Arrived, Labels, Perturbed, Predictions, Training, Weights
from streamgauge.log.selections import Selections
from streamgauge.log.side_tables import SideTable
from streamgauge.log.vitals import Vitals
from streamgauge.types import F64, NONE, Codes, Schema, missing

VERSION = 4
"""The version of the schema below; a reader refuses any other."""

RUN = b"streamgauge.run"
"""The key of the run's identifier in the metadata of a table."""

TABLES = ("predictions", "labels", "training")

SIDE_TABLES = ("alarms", "vitals", "selections", "unpredicted", "weights", "perturbed")
"""Tables that exist only if they have rows."""


def schemas(schema: Schema, scores: bool, run: str = "") -> dict[str, pa.Schema]:
    """Table -> its Arrow schema. Predictions and labels are codes or reals, null if missing.

    The metadata hold the version and the identifier of the run.
    """
    value = pa.float64() if schema.classes is None else pa.int32()
    predictions = [
        pa.field("item", pa.uint64(), nullable=False),
        pa.field("fold", pa.uint16(), nullable=False),
        pa.field("turn", pa.uint32(), nullable=False),
        pa.field("kind", pa.uint8(), nullable=False),
        pa.field("time", pa.int64(), nullable=False),
        pa.field("prediction", value),
    ]
    perturbed = [
        pa.field("item", pa.uint64(), nullable=False),
        pa.field("fold", pa.uint16(), nullable=False),
        pa.field("copy", pa.uint32(), nullable=False),
        pa.field("prediction", value),
    ]
    if scores:
        score = pa.field("item", pa.float64(), nullable=False)  # NaN if missing; faster to read
        scored = pa.list_(score, len(schema.classes or ()))
        predictions.append(pa.field("scores", scored, nullable=False))
        perturbed.append(pa.field("scores", scored, nullable=False))
    labels = [
        pa.field("item", pa.uint64(), nullable=False),
        pa.field("time", pa.int64(), nullable=False),
        pa.field("label", value, nullable=False),
    ]
    training = [
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
    vitals = [
        pa.field("item", pa.uint64(), nullable=False),
        pa.field("fold", pa.uint16(), nullable=False),
        pa.field("name", pa.string(), nullable=False),
        pa.field("value", pa.float64(), nullable=False),
    ]
    feature = pa.field("item", pa.uint32(), nullable=False)
    selections = [
        pa.field("item", pa.uint64(), nullable=False),
        pa.field("fold", pa.uint16(), nullable=False),
        pa.field("features", pa.list_(feature), nullable=False),
    ]
    unpredicted = [
        pa.field("item", pa.uint64(), nullable=False),
        pa.field("time", pa.int64(), nullable=False),
    ]
    weights = [
        pa.field("row", pa.uint64(), nullable=False),
        pa.field("weight", pa.float64(), nullable=False),
    ]
    notes = {"streamgauge.log": str(VERSION), RUN.decode(): run}
    columns = (
        predictions,
        labels,
        training,
        alarms,
        vitals,
        selections,
        unpredicted,
        weights,
        perturbed,
    )
    tables = zip((*TABLES, *SIDE_TABLES), columns, strict=True)
    return {name: pa.schema(fields, metadata=notes) for name, fields in tables}


def predictions_batch(rows: Predictions, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of *predictions* as Arrow."""
    columns = [
        as_arrow(rows.item),
        as_arrow(rows.fold),
        as_arrow(rows.turn),
        as_arrow(rows.kind),
        as_arrow(rows.time),
        _nullable(rows.prediction),
        *_scores(rows, schema),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def perturbed_batch(rows: Perturbed, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of *perturbed* as Arrow."""
    columns = [
        as_arrow(rows.item),
        as_arrow(rows.fold),
        as_arrow(rows.copy),
        _nullable(rows.prediction),
        *_scores(rows, schema),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _scores(rows: Predictions | Perturbed, schema: pa.Schema) -> list[pa.Array]:
    """The column of scores, NaN if there are none; no column if they are not recorded."""
    if "scores" not in schema.names:
        return []
    kind = schema.field("scores").type
    scores = np.full((len(rows), kind.list_size), np.nan) if rows.scores is None else rows.scores
    flat = as_arrow(np.ravel(scores))
    return [pa.Array.from_buffers(kind, len(rows), [None], children=[flat])]


def labels_batch(rows: Labels, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of *labels* as Arrow."""
    columns = [as_arrow(rows.item), as_arrow(rows.time), as_arrow(rows.label)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def training_batch(rows: Training, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of *training* as Arrow."""
    columns = [as_arrow(rows.item), as_arrow(rows.fold), as_arrow(rows.weight)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def alarms_batch(rows: Alarms, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of *alarms* as Arrow."""
    text = pa.array(rows.detector, pa.string()), pa.array(rows.kind, pa.string())
    columns = [as_arrow(rows.item), as_arrow(rows.fold), *text]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def vitals_batch(rows: Vitals, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of *vitals* as Arrow."""
    names = texts(rows.name)
    columns = [as_arrow(rows.item), as_arrow(rows.fold), names, as_arrow(rows.value)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def selections_batch(rows: Selections, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of *selections* as Arrow."""
    kind = schema.field("features").type
    offsets = pa.py_buffer(np.ascontiguousarray(rows.offset, np.int32))
    chosen = as_arrow(rows.chosen)
    features = pa.Array.from_buffers(kind, len(rows), [None, offsets], children=[chosen])
    columns = [as_arrow(rows.item), as_arrow(rows.fold), features]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def side_batch(rows: SideTable, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of a side table as Arrow."""
    if isinstance(rows, Alarms):
        return alarms_batch(rows, schema)
    if isinstance(rows, Vitals):
        return vitals_batch(rows, schema)
    return selections_batch(rows, schema)


def arrived_batch(rows: Arrived, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of *unpredicted* as Arrow."""
    return pa.RecordBatch.from_arrays([as_arrow(rows.item), as_arrow(rows.time)], schema=schema)


def weights_batch(rows: Weights, schema: pa.Schema) -> pa.RecordBatch:
    """Rows of *weights* as Arrow."""
    return pa.RecordBatch.from_arrays([as_arrow(rows.row), as_arrow(rows.weight)], schema=schema)


def predictions_rows(batch: pa.RecordBatch) -> Predictions:
    """*predictions* from Arrow."""
    return Predictions(
        as_numpy(batch.column("item")),
        as_numpy(batch.column("fold")),
        as_numpy(batch.column("turn")),
        as_numpy(batch.column("kind")),
        as_numpy(batch.column("time")),
        _filled(batch.column("prediction")),
        _read_scores(batch),
    )


def perturbed_rows(batch: pa.RecordBatch) -> Perturbed:
    """*perturbed* from Arrow."""
    return Perturbed(
        as_numpy(batch.column("item")),
        as_numpy(batch.column("fold")),
        as_numpy(batch.column("copy")),
        _filled(batch.column("prediction")),
        _read_scores(batch),
    )


def _read_scores(batch: pa.RecordBatch) -> F64 | None:
    if "scores" not in batch.schema.names:
        return None
    column = batch.column("scores")
    scores: F64 = as_numpy(column.flatten(), float("nan")).reshape(len(batch), -1)
    return scores


def labels_rows(batch: pa.RecordBatch) -> Labels:
    """*labels* from Arrow, without weights."""
    return Labels(
        as_numpy(batch.column("item")),
        as_numpy(batch.column("time")),
        as_numpy(batch.column("label")),
    )


def training_rows(batch: pa.RecordBatch) -> Training:
    """*training* from Arrow."""
    return Training(
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


def vitals_rows(batch: pa.RecordBatch) -> Vitals:
    """*vitals* from Arrow."""
    return Vitals(
        as_numpy(batch.column("item")),
        as_numpy(batch.column("fold")),
        tuple(batch.column("name").to_pylist()),
        as_numpy(batch.column("value")),
    )


def selections_rows(batch: pa.RecordBatch) -> Selections:
    """*selections* from Arrow."""
    column = batch.column("features")
    counts = as_numpy(column.value_lengths())
    return Selections(
        as_numpy(batch.column("item")),
        as_numpy(batch.column("fold")),
        as_numpy(column.flatten()),
        np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)]),
    )


def arrived_rows(batch: pa.RecordBatch) -> Arrived:
    """*unpredicted* from Arrow."""
    return Arrived(as_numpy(batch.column("item")), as_numpy(batch.column("time")))


def weights_rows(batch: pa.RecordBatch) -> Weights:
    """*weights* from Arrow."""
    return Weights(as_numpy(batch.column("row")), as_numpy(batch.column("weight")))


def _nullable(prediction: Codes | F64) -> pa.Array:
    return as_arrow(prediction, missing(prediction))


def _filled(column: pa.Array) -> Codes | F64:
    return as_numpy(column, NONE if pa.types.is_integer(column.type) else float("nan"))

"""Logs made elsewhere: a file with a column of labels and one of answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from streamgauge.doors import suggestion
from streamgauge.errors import DataError, LogError, MissingDataError
from streamgauge.log.rows import Plain
from streamgauge.log.table import Held, Log
from streamgauge.types import F64, I64, Codes, Schema, Value, missing

FEW_CLASSES = 50
"""Whole numbers written as floats are classes if there are at most this many of them."""


def read_predictions(
    path: Path | str,
    label: str,
    answer: str,
    *,
    time: str | None = None,
    scores: Sequence[str] = (),
    classes: Sequence[Value] | None = None,
    task: Literal["classification", "regression"] | None = None,
) -> Log:
    """Read predictions that another tool made, as a log.

    Rows are in the order the labels became known. An empty label is unknown and not counted;
    an empty answer is one that was not given. `scores` names a column for each class, in the
    order of the classes (sorted, numerically if all are whole numbers, unless `classes` says).

    Parameters
    ----------
    path
        CSV (also .gz, .zst), Parquet, or an Arrow IPC file.
    label, answer
        The columns with what was true and what was said.
    time
        The column with the time of each row.
    task
        Inferred unless given: text and whole numbers are classes, other numbers a real target.
    """
    path = Path(path)
    wanted = [label, answer, *([time] if time else []), *scores]
    table = _read(path, wanted)
    if task is None:
        task = "regression" if _real(table[label]) or _real(table[answer]) else "classification"
    ticks = _ticks(table[time], path, time) if time else None
    if task == "regression":
        schema = Schema((), label, None, clock=_clock(table, time))
        truth, said = _reals(table[label], path, label), _reals(table[answer], path, answer)
        return _log(schema, truth, said, None, ticks, path, answer)
    truths, answers = (_plain_values(table[name], path, name) for name in (label, answer))
    known = tuple(classes) if classes else _classes(truths, answers)
    schema = Schema((), label, known, clock=_clock(table, time))
    sheet = _scores(table, scores, known, path)
    return _log(
        schema,
        _codes(truths, known, path, label),
        _codes(answers, known, path, answer),
        sheet,
        ticks,
        path,
        answer,
    )


def _log(
    schema: Schema,
    label: Codes | F64,
    answer: Codes | F64,
    scores: F64 | None,
    time: I64 | None,
    path: Path,
    name: str,
) -> Log:
    known = ~missing(label)
    rows = Plain(0, label, answer, scores, None if known.all() else known, time)
    about = {"stream": path.name, "learner": name, "protocol": "as logged"}
    return Log(schema, Held((rows,)), about)


def _read(path: Path, wanted: list[str]) -> pa.Table:
    if not path.is_file():
        raise MissingDataError(f"{path}: must be a file of predictions, got no such file")
    if path.stat().st_size == 0:
        raise DataError(f"{path}: must have a header and rows, got an empty file")
    suffixes = [s.lower() for s in path.suffixes]
    try:
        if ".parquet" in suffixes:
            table = pq.read_table(path)
        elif ".arrow" in suffixes or ".feather" in suffixes:
            with pa.memory_map(str(path)) as source:
                table = pa.ipc.open_file(source).read_all()
        else:
            table = pa_csv.read_csv(path)
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"{path}: must be a table of predictions; {_plainly(error)}") from None
    for name in wanted:
        if table.column_names.count(name) > 1:
            raise DataError(f"{path}: must have one column {name!r}, got several; rename them")
        if name not in table.column_names:
            hint = suggestion(name, table.column_names)
            raise DataError(
                f"{path}: must have a column {name!r}, got {', '.join(table.column_names)}{hint}"
            )
    return table.select(list(dict.fromkeys(wanted)))


def _plainly(error: Exception) -> str:
    """What was wrong, as one short line without control characters."""
    text = " ".join(str(error).split())
    return "".join(c if c.isprintable() else "?" for c in text[:200])


def _real(column: pa.ChunkedArray) -> bool:
    """Is it a real target? Floats are, unless they are few whole numbers."""
    if pa.types.is_decimal(column.type):
        return True
    if not pa.types.is_floating(column.type):
        return False
    values = pc.unique(column.drop_null()).to_numpy()
    values = values[~np.isnan(values)]
    return len(values) > FEW_CLASSES or bool((values != np.round(values)).any())


def _plain_values(column: pa.ChunkedArray, path: Path, name: str) -> pa.ChunkedArray:
    """Dictionary-encoded, text as `string`, whole floats as integers: comparable across columns."""
    try:
        return _comparable(column)
    except pa.ArrowException as error:
        raise DataError(
            f"{path}: {name} must be classes (text or whole numbers); {_plainly(error)}"
        ) from None


def _comparable(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_floating(column.type):
        column = pc.if_else(pc.is_nan(column), None, column).cast(pa.int64())
    if pa.types.is_integer(column.type):
        column = column.cast(pa.int64())
    elif not pa.types.is_boolean(column.type):
        column = column.cast(pa.string())
        column = pc.if_else(pc.equal(column, ""), None, column)  # in CSV, a cell left empty
    return column.combine_chunks()


def _classes(truths: pa.Array, answers: pa.Array) -> tuple[Value, ...]:
    if truths.type != answers.type:
        if pa.types.is_null(answers.type):
            answers = answers.cast(truths.type)
        else:
            truths, answers = truths.cast(pa.string()), answers.cast(pa.string())
    values = pc.unique(pa.concat_arrays([truths, answers])).drop_null().to_pylist()
    return tuple(sorted(values))


def _codes(values: pa.Array, classes: tuple[Value, ...], path: Path, name: str) -> Codes:
    if not classes:
        return np.full(len(values), -1, np.int32)
    known = pa.array(list(classes))
    same = values if values.type == known.type else values.cast(known.type)
    codes = pc.index_in(same, known)
    stray = pc.and_(codes.is_null(), same.is_valid()).to_numpy(zero_copy_only=False)
    if stray.any():
        row = int(np.flatnonzero(stray)[0])
        raise DataError(
            f"{path}: {name} must be one of {', '.join(map(str, classes))}, "
            f"got {values[row].as_py()!r} in row {row + 1}"
        )
    filled: Codes = codes.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)
    return filled


def _reals(column: pa.ChunkedArray, path: Path, name: str) -> F64:
    try:
        values = column.cast(pa.float64()).combine_chunks().fill_null(float("nan"))
    except pa.ArrowInvalid as error:
        raise DataError(f"{path}: {name} must be numbers; {error}") from None
    reals: F64 = values.to_numpy(zero_copy_only=False)
    return reals


def _scores(
    table: pa.Table, names: Sequence[str], classes: tuple[Value, ...], path: Path
) -> F64 | None:
    if not names:
        return None
    if len(names) != len(classes):
        raise LogError(
            f"{path}: scores must name a column for each of the {len(classes)} classes "
            f"({', '.join(map(str, classes))}), got {len(names)}"
        )
    return np.ascontiguousarray(np.column_stack([_reals(table[n], path, n) for n in names]))


def _clock(table: pa.Table, time: str | None) -> Literal["item", "us"]:
    return "us" if time and pa.types.is_temporal(table[time].type) else "item"


def _ticks(column: pa.ChunkedArray, path: Path, name: str) -> I64:
    if column.null_count:
        raise DataError(f"{path}: {name} must be there in every row, got {column.null_count} gaps")
    if pa.types.is_temporal(column.type):
        column = column.cast(pa.timestamp("us")).cast(pa.int64())
    try:
        ticks: I64 = column.cast(pa.int64()).combine_chunks().to_numpy()
    except pa.ArrowInvalid as error:
        raise DataError(f"{path}: {name} must be whole numbers or times; {error}") from None
    if len(ticks) > 1 and bool((np.diff(ticks) < 0).any()):
        row = int(np.flatnonzero(np.diff(ticks) < 0)[0]) + 2
        raise DataError(f"{path}: {name} must not step back, got a step back in row {row}; sort it")
    return ticks

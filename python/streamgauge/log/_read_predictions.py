"""Logs of other tools: files with a column of labels and one of predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from streamgauge.buffers import as_numpy
from streamgauge.errors import DataError, LogError, MissingDataError
from streamgauge.lazy import suggestion
from streamgauge.log.rows import SimpleRows
from streamgauge.log.table import LEARNS_EACH, InMemory, Log
from streamgauge.types import F64, I64, Codes, Schema, Value, missing

FEW_CLASSES = 50
"""Whole numbers written as floats are classes if there are at most this many distinct ones."""


def read_predictions(
    path: Path | str,
    label: str,
    prediction: str,
    *,
    time: str | None = None,
    scores: Sequence[str] = (),
    classes: Sequence[Value] | None = None,
    task: Literal["classification", "regression"] | None = None,
) -> Log:
    """Read the predictions of another tool as a log.

    Rows are in the order the labels became known. An empty label is unknown and not counted; an
    empty prediction means that the learner abstained. `scores` names one column per class, in the
    order of `classes` (by default sorted, numerically if all are whole numbers).

    Parameters
    ----------
    path
        CSV (also .gz, .zst), Parquet, or an Arrow IPC file.
    label, prediction
        The columns of the labels and of the predictions.
    time
        The column of the times.
    task
        By default inferred: text and whole numbers are classes, other numbers a real target.
    scores
        The columns of the scores, one per class.
    classes
        The classes, in the order of `scores`; by default those that occur, sorted.
    """
    path = Path(path)
    wanted = [label, prediction, *([time] if time else []), *scores]
    table = _read(path, wanted)
    if task is None:
        task = "regression" if _real(table[label]) or _real(table[prediction]) else "classification"
    ticks = _ticks(table[time], path, time) if time else None
    if task == "regression":
        schema = Schema((), label, None, clock=_clock(table, time))
        labels, predictions = (
            _reals(table[label], path, label),
            _reals(table[prediction], path, prediction),
        )
        return _log(schema, labels, predictions, None, ticks, path, prediction)
    given_labels, given_predictions = (
        _Values.of(table[name], path, name) for name in (label, prediction)
    )
    known = tuple(classes) if classes else _classes(given_labels, given_predictions)
    schema = Schema((), label, known, clock=_clock(table, time))
    sheet = _scores(table, scores, known, path)
    return _log(
        schema,
        given_labels.codes(known, path, label),
        given_predictions.codes(known, path, prediction),
        sheet,
        ticks,
        path,
        prediction,
    )


def _log(
    schema: Schema,
    label: Codes | F64,
    prediction: Codes | F64,
    scores: F64 | None,
    time: I64 | None,
    path: Path,
    name: str,
) -> Log:
    known = ~missing(label)
    rows = SimpleRows(0, label, prediction, scores, None if known.all() else known, time)
    about = {"stream": path.name, "learner": name, "protocol": "as logged", **LEARNS_EACH}
    return Log(schema, InMemory((rows,)), about)


def _read(path: Path, wanted: list[str]) -> pa.Table:
    if not path.is_file():
        raise MissingDataError(f"{path}: must be a file of predictions, got no such file")
    if path.stat().st_size == 0:
        raise DataError(f"{path}: must have a header and rows, got an empty file")
    suffixes = [s.lower() for s in path.suffixes]
    try:
        if ".parquet" in suffixes:
            with pq.ParquetFile(path) as file:
                table = file.read()
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
    """An error message as one short line without control characters."""
    text = " ".join(str(error).split())
    return "".join(c if c.isprintable() else "?" for c in text[:200])


def _real(column: pa.ChunkedArray) -> bool:
    """Whether a column is a real target: floats, unless they are few whole numbers."""
    if pa.types.is_decimal(column.type):
        return True
    if not pa.types.is_floating(column.type):
        return False
    values = as_numpy(pc.unique(column.cast(pa.float64())), np.nan)
    values = values[~np.isnan(values)]
    return len(values) > FEW_CLASSES or bool((values != np.round(values)).any())


@dataclass(frozen=True, slots=True)
class _Values:
    """A column of classes: its distinct values, and the index of the value of each row.

    A row without a value has the index after the last. Empty text is no value (in CSV, an empty
    cell); floats are whole numbers or NaN, which is no value.
    """

    distinct: tuple[Value | None, ...]
    rows: I64

    @classmethod
    def of(cls, column: pa.ChunkedArray, path: Path, name: str) -> _Values:
        """The values of a column of text, whole numbers or booleans."""
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        try:
            if pa.types.is_floating(column.type):
                column = column.cast(pa.float64())
            elif not (pa.types.is_integer(column.type) or pa.types.is_boolean(column.type)):
                column = column.cast(pa.string())
        except pa.ArrowException as error:
            raise _not_classes(path, name, _plainly(error)) from None
        encoded = column.combine_chunks().dictionary_encode()
        found = encoded.dictionary.to_pylist()
        values = tuple(_class(value, path, name) for value in found)
        return cls(values, as_numpy(encoded.indices.cast(pa.int64()), len(values)))

    def codes(self, classes: Sequence[Value], path: Path, name: str) -> Codes:
        """The class code of each row, -1 if it has none; other values are refused."""
        table: dict[Value, int] = {value: code for code, value in enumerate(classes)}
        own = np.array([*(_code(v, table) for v in self.distinct), -1], np.int32)
        codes: Codes = own[self.rows]
        stray = np.flatnonzero(codes == UNKNOWN)
        if len(stray):
            row = int(stray[0])
            raise DataError(
                f"{path}: {name} must be one of {', '.join(map(str, classes))}, "
                f"got {self.distinct[self.rows[row]]!r} in row {row + 1}"
            )
        return codes


UNKNOWN = -2
"""The code of a value that is not among the classes."""


def _class(value: Any, path: Path, name: str) -> Value | None:
    """A value as a class: a whole number even if it is written as a float."""
    if value is None or value == "" or value != value:
        return None
    if isinstance(value, float):
        if not value.is_integer():
            raise _not_classes(path, name, f"got {value!r}")
        return int(value)
    known: Value = value
    return known


def _not_classes(path: Path, name: str, why: str) -> DataError:
    return DataError(f"{path}: {name} must be classes (text or whole numbers); {why}")


def _code(value: Value | None, table: Mapping[Value, int]) -> int:
    """The code of a value, or else of the class with the same text, as it is or in lower case."""
    if value is None:
        return -1
    if value in table and isinstance(value, bool) == any(isinstance(c, bool) for c in table):
        return table[value]
    by_text = {str(known): code for known, code in table.items()}
    return by_text.get(str(value), by_text.get(str(value).lower(), UNKNOWN))


def _classes(labels: _Values, predictions: _Values) -> tuple[Value, ...]:
    """All values of both columns, sorted; as text if the columns are of two kinds."""
    values: Any = {v for v in (*labels.distinct, *predictions.distinct) if v is not None}
    if len({type(value) for value in values}) > 1:
        values = {str(value) for value in values}
    return tuple(sorted(values))


def _reals(column: pa.ChunkedArray, path: Path, name: str) -> F64:
    try:
        values = column.cast(pa.float64()).combine_chunks()
    except pa.ArrowException as error:
        raise DataError(f"{path}: {name} must be numbers; {_plainly(error)}") from None
    reals: F64 = as_numpy(values, np.nan)
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
        raise DataError(f"{path}: {name} must not have gaps, got {column.null_count}")
    try:
        if pa.types.is_temporal(column.type):  # the clock counts microseconds
            column = column.cast(
                pa.timestamp("us", tz=getattr(column.type, "tz", None)), safe=False
            )
        ticks: I64 = as_numpy(column.cast(pa.int64()).combine_chunks())
    except pa.ArrowException as error:
        raise DataError(
            f"{path}: {name} must be whole numbers or times; {_plainly(error)}"
        ) from None
    if len(ticks) > 1 and bool((np.diff(ticks) < 0).any()):
        row = int(np.flatnonzero(np.diff(ticks) < 0)[0]) + 2
        raise DataError(
            f"{path}: {name} must not decrease, got a smaller value in row {row}; sort it"
        )
    return ticks

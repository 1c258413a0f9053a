"""Logs made elsewhere: a file with a column of labels and one of answers."""

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
from streamgauge.doors import suggestion
from streamgauge.errors import DataError, LogError, MissingDataError
from streamgauge.log.rows import Plain
from streamgauge.log.table import AT_ONCE, Held, Log
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
    truths, answers = (_Values.of(table[name], path, name) for name in (label, answer))
    known = tuple(classes) if classes else _classes(truths, answers)
    schema = Schema((), label, known, clock=_clock(table, time))
    sheet = _scores(table, scores, known, path)
    return _log(
        schema,
        truths.codes(known, path, label),
        answers.codes(known, path, answer),
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
    about = {"stream": path.name, "learner": name, "protocol": "as logged", **AT_ONCE}
    return Log(schema, Held((rows,)), about)


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
    """What was wrong, as one short line without control characters."""
    text = " ".join(str(error).split())
    return "".join(c if c.isprintable() else "?" for c in text[:200])


def _real(column: pa.ChunkedArray) -> bool:
    """Is it a real target? Floats are, unless they are few whole numbers."""
    if pa.types.is_decimal(column.type):
        return True
    if not pa.types.is_floating(column.type):
        return False
    values = as_numpy(pc.unique(column.cast(pa.float64())), np.nan)
    values = values[~np.isnan(values)]
    return len(values) > FEW_CLASSES or bool((values != np.round(values)).any())


@dataclass(frozen=True, slots=True)
class _Values:
    """A column of classes: its different values, and which of them each row has.

    A row that has none has the number after the last. Text that is empty is no value (in CSV, a
    cell left empty); floats are whole numbers or NaN, which is no value.
    """

    different: tuple[Value | None, ...]
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
        """The code of each row's class, -1 where it has none; a strange value is refused."""
        table: dict[Value, int] = {value: code for code, value in enumerate(classes)}
        own = np.array([*(_code(v, table) for v in self.different), -1], np.int32)
        codes: Codes = own[self.rows]
        stray = np.flatnonzero(codes == STRANGE)
        if len(stray):
            row = int(stray[0])
            raise DataError(
                f"{path}: {name} must be one of {', '.join(map(str, classes))}, "
                f"got {self.different[self.rows[row]]!r} in row {row + 1}"
            )
        return codes


STRANGE = -2
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
    """The code of a value; if it is not there as it is, by its text."""
    if value is None:
        return -1
    if value in table and isinstance(value, bool) == any(isinstance(c, bool) for c in table):
        return table[value]
    by_text = {str(known): code for known, code in table.items()}
    return by_text.get(str(value), by_text.get(str(value).lower(), STRANGE))


def _classes(truths: _Values, answers: _Values) -> tuple[Value, ...]:
    """All values of both columns, sorted; as text if the columns are of two kinds."""
    values: Any = {v for v in (*truths.different, *answers.different) if v is not None}
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
        raise DataError(f"{path}: {name} must be there in every row, got {column.null_count} gaps")
    try:
        if pa.types.is_temporal(column.type):  # the clock counts microseconds: finer is cut off
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
        raise DataError(f"{path}: {name} must not step back, got a step back in row {row}; sort it")
    return ticks

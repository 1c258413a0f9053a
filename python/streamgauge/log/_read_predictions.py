"""Logs of other tools: files with a column of labels and one of predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from streamgauge.arrow_files import (
    ipc_batches,
    ipc_schema,
    parquet_file,
    plain,
    validated,
)
from streamgauge.arrow_times import ticks_of_column
from streamgauge.buffers import as_arrow, as_numpy
from streamgauge.buffers import texts as texts_column
from streamgauge.errors import DataError, LogError, MissingDataError
from streamgauge.files import unpacked
from streamgauge.lazy import suggestion
from streamgauge.log.rows import SimpleRows
from streamgauge.log.table import LEARNS_EACH, InMemory, Log
from streamgauge.types import F64, I64, Codes, Schema, Value, missing
from streamgauge.types.scores import impossible_score, must_be_score
from streamgauge.types.values import (
    EXACT_BELOW,
    MISSING,
    inexact,
    is_number,
    is_whole_text,
    number_of_text,
    plain_value,
)

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

    Rows are in the order the labels became known. A missing label is unknown and not counted; a
    missing prediction means that the learner abstained. In a CSV file a missing cell is empty,
    `NA`, `NaN` or another of the words that `streamgauge.streams.Csv` knows, without quotes; blanks
    around the cells of a file without quotes do not count. `scores` names one column per class, in
    the order of `classes` (by default sorted, numerically if all are whole numbers).

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
    table = _read(path, wanted, [] if task == "regression" else [label, prediction])
    if task is None:
        task = "regression" if _real(table[label]) or _real(table[prediction]) else "classification"
    ticks = _ticks(table[time], path, time) if time else None
    if task == "regression":
        schema = Schema((), label, None, clock=_clock(table, time))
        labels, predictions = (
            _reals(table[label], path, label),
            _reals(table[prediction], path, prediction),
        )
        infinite = np.flatnonzero(np.isinf(labels))
        if len(infinite):  # a prediction may be: a model that diverges makes such ones
            row = int(infinite[0])
            raise DataError(f"{path}: {label} must be finite, got {labels[row]} in row {row + 1}")
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


def _read(path: Path, wanted: list[str], classes: Sequence[str]) -> pa.Table:
    """The wanted columns; in text files those of `classes` are typed by the rules of streams."""
    if not path.is_file():
        raise MissingDataError(f"{path}: must be a file of predictions, got no such file")
    if path.stat().st_size == 0:
        raise DataError(f"{path}: must have a header and rows, got an empty file")
    suffixes = {suffix.lower() for suffix in path.suffixes}
    if ".parquet" in suffixes:
        with parquet_file(path) as file:
            _check_names(path, wanted, file.schema_arrow.names)
            return validated(path, file.read(columns=list(dict.fromkeys(wanted))))
    if suffixes & {".arrow", ".arrows", ".feather", ".ipc"}:
        schema = ipc_schema(path)
        _check_names(path, wanted, schema.names)
        names = list(dict.fromkeys(wanted))
        columns = pa.schema([schema.field(name) for name in names])
        return pa.Table.from_batches(list(ipc_batches(path, names)), columns)
    try:
        with pa_csv.open_csv(path) as first:
            typed = [name for name in first.schema.names if name.strip() in classes]
        options = pa_csv.ConvertOptions(
            column_types=dict.fromkeys(typed, pa.string()),
            null_values=["", *sorted(MISSING)],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        )
        table = pa_csv.read_csv(path, convert_options=options)
        names = [name.strip() for name in table.column_names]
        table = table.rename_columns(names)
    except UnicodeDecodeError:
        raise DataError(
            f"{path}: must be UTF-8, got a header of another encoding; save it as UTF-8"
        ) from None
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"{path}: must be a table of predictions; {plain(error)}") from None
    _check_names(path, wanted, names)
    table = table.select(list(dict.fromkeys(wanted)))
    for name in dict.fromkeys(classes):
        place = table.column_names.index(name)
        table = table.set_column(place, name, _typed(_trimmed(table[name], path)))
    return table


def _trimmed(column: pa.ChunkedArray, path: Path) -> pa.ChunkedArray:
    """Cells without the blanks around them, which count only in a file that has quotes."""
    trimmed = pc.utf8_trim_whitespace(column)
    if trimmed.equals(column):
        return column
    with unpacked(path) as file:
        has_quotes = any(b'"' in block for block in iter(partial(file.read, 2**20), b""))
    if has_quotes:
        return column
    gaps = pc.is_in(trimmed, value_set=texts_column(["", *MISSING]))
    return pc.if_else(gaps, pa.nulls(1, pa.string())[0], trimmed)


def _check_names(path: Path, wanted: Sequence[str], names: list[str]) -> None:
    for name in wanted:
        if names.count(name) > 1:
            raise DataError(f"{path}: must have one column {name!r}, got several; rename them")
        if name not in names:
            hint = suggestion(name, names)
            raise DataError(f"{path}: must have a column {name!r}, got {', '.join(names)}{hint}")


GAPS = ("", "#N/A", "#NA", "n/a", "-NaN", "-nan", *sorted(MISSING))
"""Cells that are missing among numbers; among texts, empty cells and the words of streams are."""

INFINITE = ("inf", "-inf", "Inf", "-Inf", "INF", "-INF", "Infinity", "-Infinity")
"""Words for an infinite number, which is refused where a class is needed."""

FLAGS = {word: word.lower() for word in ("true", "True", "TRUE", "false", "False", "FALSE")}


def _is_large_whole(value: Value) -> bool:
    """Whether a value is a whole number that a float may not hold exactly."""
    return isinstance(value, int) and abs(value) >= EXACT_BELOW


def _typed(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Text as whole numbers, booleans or decimals, if all cells are; otherwise as it is.

    A whole number is written canonically: `007`, `07` and `7` are three texts.
    """
    encoded = column.combine_chunks().dictionary_encode()
    texts: list[str] = encoded.dictionary.to_pylist()
    cells = [None if text in GAPS else text for text in texts]
    given = [text for text in cells if text is not None]
    kind: Any
    numbers = [inf if text in INFINITE else number_of_text(text) for text in given]
    finite = all(map(is_number, numbers)) and inf not in numbers
    if finite and any(map(_is_large_whole, numbers)):
        # As floats they would not stay distinct, so decimals beside them become whole numbers.
        whole = {text: str(int(n)) for text, n in zip(given, numbers, strict=True) if n == int(n)}
        if len(whole) == len(given) and inexact(numbers) is None:
            cells = [None if text is None else whole[text] for text in cells]
            given = list(whole.values())
    if all(map(is_whole_text, given)):
        least, most = (limit(map(int, given), default=0) for limit in (min, max))
        kind = pa.int64() if most < 2**63 else pa.uint64() if least >= 0 else pa.decimal128(38)
    elif all(map(is_number, numbers)):
        kind = pa.float64()
    elif all(text in FLAGS for text in given):
        kind, cells = pa.bool_(), [None if text is None else FLAGS[text] for text in cells]
    else:
        return column
    values = texts_column(["" if text is None else text for text in cells])
    gaps = as_arrow(np.array([text is None for text in cells], np.uint8)).cast(pa.bool_())
    typed = pc.if_else(gaps, pa.nulls(1, values.type)[0], values).cast(kind)
    return pa.chunked_array([typed.take(encoded.indices)])


def _real(column: pa.ChunkedArray) -> bool:
    """Whether a column is a real target: floats, unless they are few whole numbers."""
    if pa.types.is_decimal(column.type):
        return bool(column.type.scale > 0)
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
            elif pa.types.is_temporal(column.type) or pa.types.is_binary(column.type):
                raise _not_classes(path, name, f"got {column.type}")
            elif not any(is_kind(column.type) for is_kind in PLAIN_CLASSES):
                column = column.cast(pa.string())
        except pa.ArrowException as error:
            raise _not_classes(path, name, plain(error)) from None
        encoded = column.combine_chunks().dictionary_encode()
        found = [plain_value(value) for value in encoded.dictionary.to_pylist()]
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


PLAIN_CLASSES = (pa.types.is_integer, pa.types.is_boolean, pa.types.is_decimal)
"""Types whose values are classes as they are."""

UNKNOWN = -2
"""The code of a value that is not among the classes."""


def _class(value: Any, path: Path, name: str) -> Value | None:
    """A value as a class: a whole number even if it is written as a float."""
    if value is None or value == "" or value != value:
        return None
    if isinstance(value, float):
        if not value.is_integer():
            raise _not_classes(path, name, f"got {value!r}")
        if inexact([value]) is not None:
            why = f"got the float {value:.17g}, which may stand for several whole numbers"
            raise _not_classes(path, name, why)
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
    found = by_text.get(str(value), UNKNOWN)
    if found == UNKNOWN and isinstance(value, bool):  # `true` is the text of True in other tools
        return by_text.get(str(value).lower(), UNKNOWN)
    return found


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
        raise DataError(f"{path}: {name} must be numbers; {plain(error)}") from None
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
    sheet = np.ascontiguousarray(np.column_stack([_reals(table[n], path, n) for n in names]))
    wrong = impossible_score(sheet)
    if wrong is not None:
        raise DataError(f"{path}: row {wrong[0] + 1}, {must_be_score(wrong[1])}; correct it")
    return sheet


def _clock(table: pa.Table, time: str | None) -> Literal["item", "us"]:
    return "us" if time and pa.types.is_temporal(table[time].type) else "item"


TIMES = (
    pa.types.is_integer,
    pa.types.is_floating,
    pa.types.is_timestamp,
    pa.types.is_date,
)


def _ticks(column: pa.ChunkedArray, path: Path, name: str) -> I64:
    if column.null_count:
        raise DataError(f"{path}: {name} must not have gaps, got {column.null_count}")
    if not any(is_kind(column.type) for is_kind in TIMES):
        raise DataError(f"{path}: {name} must be whole numbers or times, got {column.type}")
    ticks = ticks_of_column(str(path), name, column.combine_chunks(), round_down=True)
    if len(ticks) > 1 and bool((np.diff(ticks) < 0).any()):
        row = int(np.flatnonzero(np.diff(ticks) < 0)[0]) + 2
        raise DataError(
            f"{path}: {name} must not decrease, got a smaller value in row {row}; sort it"
        )
    return ticks

"""The columns of a file to write, and the options to read it back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from streamgauge.errors import DataError
from streamgauge.streams._open_stream import COMPRESSED, format_suffix
from streamgauge.streams.nominal import format_values
from streamgauge.types import NEVER, Batch, Flags, Schema, Stream, Value, missing

Role = Literal["feature", "target", "time", "label_time", "weight"]
EXTRAS: tuple[Role, ...] = ("time", "label_time", "weight")
"""Columns besides features and target, written only if needed."""

WHOLE_TIMES = (".arff",)
"""Formats that hold timestamps as whole microseconds, as an ARFF date has milliseconds only."""

TYPED_TIMES = (".parquet", ".pq", ".arrow", ".feather", ".ipc")
"""Formats with typed columns, in which even an empty column is known to hold timestamps."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, its role, and its values if it is nominal.

    `index` is the number of a feature. `stamps`: ticks are written as timestamps.
    """

    name: str
    role: Role
    values: tuple[Value, ...] | None = None
    index: int = 0
    stamps: bool = False

    def cells(self, batch: Batch) -> tuple[NDArray[Any], Flags]:
        """Return numbers, codes or ticks, and which of them are missing."""
        match self.role:
            case "feature":
                cells = batch.x[:, self.index]
                return cells, np.isnan(cells)
            case "target":
                return batch.label, missing(batch.label)
            case "time":
                return batch.times, np.zeros(len(batch), np.bool_)
            case "label_time":
                return batch.label_times, batch.label_times == NEVER
            case "weight":
                return batch.weights, np.isnan(batch.weights)

    def codes(self, batch: Batch) -> tuple[NDArray[np.int32], Flags]:
        """Return the codes of a nominal column, 0 if missing, and which are missing."""
        cells, gaps = self.cells(batch)
        return np.where(gaps, 0, cells).astype(np.int32), gaps

    @property
    def ticks(self) -> bool:
        """Whether the column holds times."""
        return self.role in ("time", "label_time")


@dataclass(frozen=True, slots=True)
class FileSpec:
    """A file to write: format suffix, compression suffix and columns.

    `unsorted`: event times decrease somewhere.
    """

    name: str
    suffix: str
    columns: tuple[Column, ...]
    schema: Schema
    unsorted: bool = False
    compression: str = ""

    def options(self, items: int | None = None) -> dict[str, Any]:
        """Return the options with which `open_stream` gives the same stream."""
        by_role = {column.role: column.name for column in self.columns}
        found: dict[str, Any] = {
            role: by_role[role] for role in ("target", *EXTRAS) if role in by_role
        }
        nominal = {
            c.name: c.values for c in self.columns if c.role == "feature" and c.values is not None
        }
        if nominal:
            found["types"] = nominal
        if self.schema.classes is None:
            found["task"] = "regression"
        else:
            found["classes"] = self.columns[-1].values
        if self.unsorted:
            found["clock"] = "allow"
        untyped = self.suffix in WHOLE_TIMES or (items == 0 and self.suffix not in TYPED_TIMES)
        if untyped and "time" in by_role and self.schema.clock == "us":
            found["time_unit"] = "us"
        if self.suffix == ".csv":
            found |= {"separator": ",", "header": True}
        if self.schema.drifts:
            found["drifts"] = self.schema.drifts
        return found


def file_spec(stream: Stream, path: Path, needs: set[str]) -> FileSpec:
    """Return the spec of a stream's file: extra columns, features, target."""
    schema, kind = stream.schema, format_suffix(path)
    compression = path.suffix.lower() if path.suffix.lower() in COMPRESSED else ""
    taken = {schema.target, *schema.names}
    stamps = schema.clock == "us" and kind not in WHOLE_TIMES
    columns = []
    for role in EXTRAS:
        if role in needs:
            name = unused_name(role, taken)
            columns.append(Column(name, role, stamps=stamps and role != "weight"))
    for index, feature in enumerate(schema.features):
        columns.append(Column(feature.name, "feature", python_values(feature.values), index))
    columns.append(Column(schema.target, "target", python_values(schema.classes)))
    return FileSpec(stream.name, kind, tuple(columns), schema, "clock" in needs, compression)


def unused_name(name: str, taken: set[str]) -> str:
    """Return a column name that is not taken, by appending underscores."""
    while name in taken:
        name += "_"
    return name


def python_values(values: Sequence[Any] | None) -> tuple[Value, ...] | None:
    """Convert NumPy scalars to Python values."""
    if values is None:
        return None
    return tuple(value.item() if isinstance(value, np.generic) else value for value in values)


def refuse_unwritable(stream: Stream, kind: str) -> None:
    """Raise for names and values that would be ambiguous when read back."""
    schema, who = stream.schema, stream.name
    names = (*schema.names, schema.target)
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise DataError(
            f"{who}: column names must differ to be written, got {twice[0]!r} twice; rename one"
        )
    if "" in names and kind == ".csv":
        raise DataError(f"{who}: columns must have names to be written as CSV, got an empty one")
    of_features = [feature.values for feature in schema.features]
    for name, values in zip(names, [*of_features, schema.classes], strict=True):
        refuse_mixed(who, name, python_values(values) or ())


def refuse_mixed(who: str, name: str, values: tuple[Value, ...]) -> None:
    """Raise unless nominal values are of one type and differ."""
    kinds = {bool if isinstance(v, bool) else str if isinstance(v, str) else float for v in values}
    if len(kinds) > 1 or len(set(values)) < len(values):
        raise DataError(
            f"{who}: values of {name!r} must be all text, all booleans or all numbers, and differ, "
            f"to be written, got {format_values(values)}; relabel them"
        )

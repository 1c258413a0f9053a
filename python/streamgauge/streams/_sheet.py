"""The columns of a file to be written, and the options by which it is read back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from streamgauge.errors import DataError
from streamgauge.streams.layout import by_number, listed
from streamgauge.streams.open import PACKED, ending
from streamgauge.types import NEVER, Batch, Flags, Schema, Stream, Value, missing

Role = Literal["feature", "target", "time", "label_time", "weight"]
EXTRAS: tuple[Role, ...] = ("time", "label_time", "weight")
"""Columns beside features and target; each stands in the file if it is needed."""

WHOLE_TIMES = (".arff",)
"""Formats that hold timestamps as whole microseconds: a date of ARFF has milliseconds."""

TYPED_TIMES = (".parquet", ".pq", ".arrow", ".feather", ".ipc")
"""Formats whose columns say that they hold timestamps even if they are empty."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, what it holds, and its values if these are nominal.

    `slot` is the number of a feature. `stamps`: its ticks are to be written as timestamps.
    """

    name: str
    role: Role
    values: tuple[Value, ...] | None = None
    slot: int = 0
    stamps: bool = False

    def cells(self, batch: Batch) -> tuple[NDArray[Any], Flags]:
        """Numbers, codes or ticks, and which of them are missing."""
        match self.role:
            case "feature":
                cells = batch.x[:, self.slot]
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
        """Codes of a nominal column, 0 where it is missing, and where that is."""
        cells, gaps = self.cells(batch)
        return np.where(gaps, 0, cells).astype(np.int32), gaps

    @property
    def ticks(self) -> bool:
        """Does it hold times?"""
        return self.role in ("time", "label_time")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file to be written: the endings that tell its format and packing, and its columns.

    `steps_back`: a time lies before the one above it.
    """

    name: str
    ending: str
    columns: tuple[Column, ...]
    schema: Schema
    steps_back: bool = False
    packing: str = ""

    def options(self, items: int | None = None) -> dict[str, Any]:
        """What to tell `open_stream` so that it gives the same stream."""
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
        if self.steps_back:
            found["clock"] = "allow"
        untold = self.ending in WHOLE_TIMES or (items == 0 and self.ending not in TYPED_TIMES)
        if untold and "time" in by_role and self.schema.clock == "us":
            found["time_unit"] = "us"
        if self.ending == ".csv":
            found |= {"separator": ",", "header": True}
        if self.schema.drifts:
            found["drifts"] = self.schema.drifts
        return found


def sheet_of(stream: Stream, path: Path, needs: set[str]) -> Sheet:
    """The columns that a stream needs: extras, features, target."""
    schema, kind = stream.schema, ending(path)
    packing = path.suffix.lower() if path.suffix.lower() in PACKED else ""
    taken = {schema.target, *schema.names}
    stamps = schema.clock == "us" and kind not in WHOLE_TIMES
    columns = []
    for role in EXTRAS:
        if role in needs:
            name = free(role, taken)
            columns.append(Column(name, role, stamps=stamps and role != "weight"))
    for slot, feature in enumerate(schema.features):
        columns.append(Column(feature.name, "feature", plain(feature.values), slot))
    columns.append(Column(schema.target, "target", plain(schema.classes)))
    return Sheet(stream.name, kind, tuple(columns), schema, "clock" in needs, packing)


def free(name: str, taken: set[str]) -> str:
    """A name that no other column has."""
    while name in taken:
        name += "_"
    return name


def plain(values: Sequence[Any] | None) -> tuple[Value, ...] | None:
    """Values as Python's own, not NumPy's."""
    if values is None:
        return None
    return tuple(value.item() if isinstance(value, np.generic) else value for value in values)


def refuse_unwritable(stream: Stream, kind: str) -> None:
    """Names and values that could not be told apart when they are read back."""
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
        refuse_mixed(who, name, plain(values) or ())


def refuse_mixed(who: str, name: str, values: tuple[Value, ...]) -> None:
    """Nominal values are all text, all booleans or all numbers, and differ as float64."""
    kinds = {bool if isinstance(v, bool) else str if isinstance(v, str) else float for v in values}
    keys = [float(v) for v in values] if by_number(values) else values
    if len(kinds) > 1 or len(set(keys)) < len(values):
        raise DataError(
            f"{who}: values of {name!r} must be all text, all booleans or all numbers, and differ, "
            f"to be written, got {listed(values)}; relabel them"
        )

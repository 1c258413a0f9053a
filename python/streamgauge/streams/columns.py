"""Options that give the columns of a table their roles and types, for every reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Literal, TypeAlias

import numpy as np

from streamgauge.errors import DataError, ParameterError
from streamgauge.lazy import suggestion
from streamgauge.types import Value
from streamgauge.types.values import plain_value

ColumnType: TypeAlias = Literal["numeric", "nominal"] | Sequence[Value]
"""`numeric`, `nominal` (values collected from the data), or the nominal values themselves."""

TICKS = {
    "tick": 1,
    "us": 1,
    "ms": 1_000,
    "s": 1_000_000,
    "min": 60_000_000,
    "h": 3_600_000_000,
    "day": 86_400_000_000,
}
"""Unit of the whole numbers in a time column -> ticks per unit."""


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Roles and types of the columns of a table. Columns without a role are features.

    Parameters
    ----------
    target
        Column of the labels; by default the last column (recorded in the schema's notes).
    time
        Column of the event times: timestamps (ticks are microseconds; a time zone is
        converted to UTC) or whole numbers in `time_unit`.
    label_time
        Column of the times at which labels become known; a missing cell means never.
    weight
        Column of the items' weights.
    drop
        Columns to leave out.
    nominal
        Columns to read as nominal although their cells are numbers, or although they
        have more than 1,000 values.
    types
        Column -> `"numeric"`, `"nominal"` or the nominal values in code order. Declared
        columns are not scanned; if all are declared, the scan is skipped.
    classes
        The classes in code order; by default collected from the data and sorted.
    task
        `"classification"` or `"regression"`; by default inferred from the target.
    unseen_class
        How to treat a label that is not in `classes`: `"refuse"` raises an error, `"grow"`
        appends it to the classes.
    clock
        How to treat an event time earlier than the previous one: `"strict"` raises an error,
        `"sort"` sorts the items by time (holds the whole stream in memory),
        `"allow"` keeps it.
    time_unit
        Unit of the whole numbers in a time column: `"tick"` (no unit),
        `"us"`, `"ms"`, `"s"`, `"min"`, `"h"` or `"day"`.
    """

    target: str | None = None
    time: str | None = None
    label_time: str | None = None
    weight: str | None = None
    drop: Sequence[str] = ()
    nominal: Sequence[str] = ()
    types: Mapping[str, ColumnType] = field(default_factory=dict)
    classes: Sequence[Value] | None = None
    task: Literal["classification", "regression"] | None = None
    unseen_class: Literal["refuse", "grow"] = "refuse"
    clock: Literal["strict", "sort", "allow"] = "strict"
    time_unit: str = "tick"

    def __post_init__(self) -> None:
        for name in ("drop", "nominal"):
            if isinstance(getattr(self, name), str):
                object.__setattr__(self, name, (getattr(self, name),))
        for name in ("target", "time", "label_time", "weight"):
            if not isinstance(getattr(self, name), str | None):
                raise ParameterError.of(self, name, "a column's name", getattr(self, name))
        one_of(self, "task", self.task, (None, "classification", "regression"))
        one_of(self, "unseen_class", self.unseen_class, ("refuse", "grow"))
        one_of(self, "clock", self.clock, ("strict", "sort", "allow"))
        one_of(self, "time_unit", self.time_unit, TICKS)
        for name, kind in self.types.items():
            if isinstance(kind, str):
                one_of(self, f"types[{name!r}]", kind, ("numeric", "nominal"))
        if self.classes is not None:
            object.__setattr__(self, "classes", plain_classes(self, self.classes))
        if self.classes is not None and self.task == "regression":
            raise ParameterError.of(self, "classes", "omitted for regression", list(self.classes))

    def columns(self) -> Columns:
        """Return these options without the fields that a reader adds."""
        return Columns(**{name: getattr(self, name) for name in Columns.__dataclass_fields__})


def plain_classes(who: object, classes: Sequence[Value]) -> tuple[Value, ...]:
    """Return classes as plain values; raise unless they are texts, numbers or booleans, and differ.

    Examples
    --------
    >>> import numpy as np
    >>> plain_classes("csv", [np.int64(1), 2.0])
    (1, 2.0)
    """
    found: list[Value] = []
    for given in classes:
        value = plain_value(given.item() if isinstance(given, np.generic) else given)
        finite = not isinstance(value, float) or isfinite(value)
        if not isinstance(value, str | bool | int | float) or not finite:
            raise ParameterError.of(who, "classes", "texts, numbers or booleans", given)
        found.append(value)
    if len(set(found)) != len(found):
        raise ParameterError.of(who, "classes", "all different", found)
    return tuple(found)


def one_of(who: object, what: str, got: object, known: Collection[object]) -> None:
    """Raise unless `got` is one of the `known` values."""
    if got not in known:
        words = ", ".join(repr(word) for word in known if word is not None)
        near = suggestion(str(got), [word for word in known if isinstance(word, str)])
        name = who if isinstance(who, str) else type(who).__name__
        raise ParameterError(f"{name}: {what} must be one of {words}, got {got!r}{near}")


@dataclass(frozen=True, slots=True)
class ColumnRoles:
    """Column numbers by role."""

    names: tuple[str, ...]
    features: tuple[int, ...]
    target: int
    time: int | None = None
    label_time: int | None = None
    weight: int | None = None
    notes: tuple[str, ...] = ()


def column_roles(who: str, names: Sequence[str], options: Columns) -> ColumnRoles:
    """Assign a role to every column; raise if the options do not fit the columns."""
    names = tuple(names)
    if not names:
        raise DataError(f"{who}: must have at least a target column, got none")
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise DataError(f"{who}: column names must differ, got {twice[0]!r} twice; rename one")
    for what, listed in (
        ("drop", options.drop),
        ("nominal", options.nominal),
        ("types", options.types),
    ):
        for name in listed:
            column_number(who, what, name, names)
    notes = []
    taken = {
        what: column_number(who, what, name, names)
        for what in ("target", "time", "label_time", "weight")
        if (name := getattr(options, what)) is not None
    }
    if "target" not in taken:
        kept = [i for i, name in enumerate(names) if name not in options.drop]
        left = [i for i in kept if i not in taken.values()]
        if not left:
            raise DataError(f"{who}: target must be a column, got none left; drop fewer columns")
        taken["target"] = left[-1]
        notes.append(f"target: {names[left[-1]]!r}, the last column (none was named)")
    for what, column in taken.items():
        for other, same in taken.items():
            if other < what and same == column:
                raise DataError(
                    f"{who}: {other} and {what} must be two columns, got {names[column]!r} for both"
                )
    if names[taken["target"]] in options.drop:
        raise DataError(f"{who}: target must be kept, got drop={names[taken['target']]!r}")
    drop = set(options.drop)
    features = tuple(
        i for i, name in enumerate(names) if i not in taken.values() and name not in drop
    )
    return ColumnRoles(names, features, notes=tuple(notes), **taken)


def column_number(who: str, what: str, name: str, names: Sequence[str]) -> int:
    """Return the position of a column; the error suggests a similar name."""
    if name in names:
        return list(names).index(name)
    shown = ", ".join(names[:20]) + (f", … ({len(names)} in all)" if len(names) > 20 else "")
    raise DataError(
        f"{who}: {what} must be one of its columns, got {name!r}"
        f"{suggestion(name, names)}; columns: {shown}"
    )

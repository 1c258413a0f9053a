"""What may be said about a table's columns, whatever file they come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from streamgauge.doors import suggestion
from streamgauge.errors import DataError, ParameterError
from streamgauge.types import Value

ColumnType: TypeAlias = Literal["numeric", "nominal"] | Sequence[Value]
"""`numeric`, `nominal` (its values are looked up in the data), or the nominal values themselves."""

TICKS = {
    "tick": 1,
    "us": 1,
    "ms": 1_000,
    "s": 1_000_000,
    "min": 60_000_000,
    "h": 3_600_000_000,
    "day": 86_400_000_000,
}
"""What a plain number in a time column counts -> ticks in one of it."""


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Which column is what. Columns with no role are features.

    Parameters
    ----------
    target
        Column of the labels; the last column if None (the schema's notes say so).
    time
        Column of the event times: timestamps (ticks are microseconds then; a zone, if
        any, is turned into UTC) or whole numbers of `time_unit`.
    label_time
        Column of the times at which labels become known; a missing cell means never.
    weight
        Column of the items' weights.
    drop
        Columns to leave out.
    nominal
        Columns to read as nominal although their cells are numbers, or although they
        have very many values.
    types
        Column -> `"numeric"`, `"nominal"` or the nominal values in code order. What is
        declared here is not looked up; if everything is, the scan is left out.
    classes
        The classes in code order; looked up and sorted if None.
    task
        `"classification"` or `"regression"`; inferred from the target if None.
    unseen_class
        What to do about a label that is not among `classes`: `"refuse"` it, or `"grow"`
        the classes by it.
    clock
        What to do about an event time before the one above it: `"strict"` refuses it,
        `"sort"` puts the items in order of time (holds the whole stream in memory),
        `"allow"` keeps it.
    time_unit
        What the whole numbers of a time column count: `"tick"` (nothing in
        particular), or `"us"`, `"ms"`, `"s"`, `"min"`, `"h"`, `"day"`.
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
        if self.classes is not None and len(set(self.classes)) != len(self.classes):
            raise ParameterError.of(self, "classes", "all different", list(self.classes))
        if self.classes is not None and self.task == "regression":
            raise ParameterError.of(self, "classes", "left out for regression", list(self.classes))

    def columns(self) -> Columns:
        """These words alone, without what a reader adds to them."""
        return Columns(**{name: getattr(self, name) for name in Columns.__dataclass_fields__})


def one_of(who: object, what: str, got: object, known: Collection[object]) -> None:
    """Refuse a word that is not among those known."""
    if got not in known:
        words = ", ".join(repr(word) for word in known if word is not None)
        near = suggestion(str(got), [word for word in known if isinstance(word, str)])
        name = who if isinstance(who, str) else type(who).__name__
        raise ParameterError(f"{name}: {what} must be one of {words}, got {got!r}{near}")


@dataclass(frozen=True, slots=True)
class Roles:
    """Column numbers: which is what."""

    names: tuple[str, ...]
    features: tuple[int, ...]
    target: int
    time: int | None = None
    label_time: int | None = None
    weight: int | None = None
    notes: tuple[str, ...] = ()


def roles(who: str, names: Sequence[str], said: Columns) -> Roles:
    """Hold what was said about columns against the columns there are."""
    names = tuple(names)
    if not names:
        raise DataError(f"{who}: must have at least a target column, got none")
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise DataError(f"{who}: column names must differ, got {twice[0]!r} twice; rename one")
    for what, asked in (("drop", said.drop), ("nominal", said.nominal), ("types", said.types)):
        for name in asked:
            number(who, what, name, names)
    notes = []
    taken = {
        what: number(who, what, name, names)
        for what in ("target", "time", "label_time", "weight")
        if (name := getattr(said, what)) is not None
    }
    if "target" not in taken:
        kept = [i for i, name in enumerate(names) if name not in said.drop]
        free = [i for i in kept if i not in taken.values()]
        if not free:
            raise DataError(f"{who}: target must be a column, got none left; drop fewer columns")
        taken["target"] = free[-1]
        notes.append(f"target: {names[free[-1]]!r}, the last column (none was named)")
    for what, column in taken.items():
        for other, same in taken.items():
            if other < what and same == column:
                raise DataError(
                    f"{who}: {other} and {what} must be two columns, got {names[column]!r} for both"
                )
    if names[taken["target"]] in said.drop:
        raise DataError(f"{who}: target must be kept, got drop={names[taken['target']]!r}")
    drop = set(said.drop)
    features = tuple(
        i for i, name in enumerate(names) if i not in taken.values() and name not in drop
    )
    return Roles(names, features, notes=tuple(notes), **taken)


def number(who: str, what: str, name: str, names: Sequence[str]) -> int:
    """The number of a named column, or what it might have been called."""
    if name in names:
        return list(names).index(name)
    shown = ", ".join(names[:20]) + (f", … ({len(names)} in all)" if len(names) > 20 else "")
    raise DataError(
        f"{who}: {what} must be one of its columns, got {name!r}"
        f"{suggestion(name, names)}; columns: {shown}"
    )

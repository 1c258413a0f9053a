"""From what was said and what was seen to a schema: the one place where anything is inferred."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from streamgauge.errors import DataError
from streamgauge.streams.columns import TICKS, Columns, Roles
from streamgauge.types import Drift, Feature, Schema, Value

MOST_VALUES = 10_000
"""A nominal column has at most so many values."""

MOST_INFERRED = 1_000
"""A text column with more values is taken for nominal only if the user says so."""

MOST_WHOLE_CLASSES = 50
"""A target of whole numbers with more values is taken for a real one."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What was seen in one column.

    `values` are the different ones in order of appearance, None if they were not collected
    or are more than `MOST_VALUES`. `declared`: the file itself lists them. `text` is the
    first cell that is not a number, found at `where`. `stamps`: all cells are timestamps.
    """

    numbers: int = 0
    texts: int = 0
    missing: int = 0
    whole: bool = True
    stamps: bool = False
    values: tuple[Value, ...] | None = None
    declared: bool = False
    text: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table becomes a stream: column numbers, the schema, the clock."""

    roles: Roles
    schema: Schema
    rows: int | None = None
    clock: Literal["strict", "sort", "allow"] = "strict"
    stamps: bool = False
    ticks: int = 1


def layout(
    who: str,
    roles: Roles,
    said: Columns,
    facts: Sequence[Facts | None],
    rows: int | None = None,
    drifts: tuple[Drift, ...] = (),
) -> Layout:
    """Decide what every column is; `facts` may be None where `said` declares all."""
    notes = list(roles.notes)
    features = []
    inferred: list[str] = []
    for column in roles.features:
        name = roles.names[column]
        values = feature_values(who, name, said, facts[column], inferred)
        features.append(Feature(name, values))
    if inferred:
        notes.append(f"nominal: {', '.join(inferred)} (text)")
    classes = target_classes(who, roles.names[roles.target], said, facts[roles.target], notes)
    stamps = clock_stamps(who, roles, facts)
    if said.time_unit != "tick" and stamps:
        raise DataError(f"{who}: time_unit must be left out for timestamps, got {said.time_unit!r}")
    schema = Schema(
        features=tuple(features),
        target=roles.names[roles.target],
        classes=classes,
        drifts=drifts,
        clock="us" if stamps or said.time_unit != "tick" else "item",
        notes=tuple(notes),
    )
    return Layout(roles, schema, rows, said.clock, stamps, TICKS[said.time_unit])


def declared_values(name: str, said: Columns) -> tuple[Value, ...] | None:
    """The nominal values that the user lists for a column."""
    kind = said.types.get(name)
    return None if kind is None or isinstance(kind, str) else tuple(kind)


def needs_facts(name: str, said: Columns) -> bool:
    """Must a feature's cells be looked at before its kind is known?"""
    return declared_values(name, said) is None and not (
        said.types.get(name) == "numeric" and name not in said.nominal
    )


def feature_values(
    who: str, name: str, said: Columns, seen: Facts | None, inferred: list[str]
) -> tuple[Value, ...] | None:
    """The values of a nominal feature, None for a numeric one."""
    values = declared_values(name, said)
    if values is not None:
        return values
    forced = name in said.nominal or said.types.get(name) == "nominal"
    if said.types.get(name) == "numeric" and not forced:
        return None
    seen = seen or Facts()
    if forced or seen.declared:
        if seen.values is None:
            raise DataError(
                f"{who}: column {name!r} must have at most {MOST_VALUES:,} values to be nominal, "
                f"got more; say --drop {name}"
            )
        return seen.values if seen.declared else ordered(seen.values)
    if seen.stamps:
        raise DataError(
            f"{who}: column {name!r} must be numeric or nominal, got times; "
            f"say --time {name} or --drop {name}"
        )
    if not seen.texts:
        return None
    if seen.numbers:
        raise DataError(not_a_number(who, seen.where, name, seen.text))
    if seen.values is None or len(seen.values) > MOST_INFERRED:
        raise DataError(
            f"{who}: column {name!r} must be numeric or nominal, got text with more than "
            f"{MOST_INFERRED:,} values ({seen.text!r}, …); say --drop {name} or --nominal {name}"
        )
    inferred.append(name)
    return ordered(seen.values)


def not_a_number(who: str, where: str, name: str, cell: str) -> str:
    """The sentence about text in a numeric column."""
    return (
        f"{who}: {where}, column {name!r} must be a number, got {cell!r}; "
        f"correct it, or say --nominal {name} or --drop {name}"
    )


def target_classes(
    who: str, name: str, said: Columns, seen: Facts | None, notes: list[str]
) -> tuple[Value, ...] | None:
    """The classes in code order, None for a real target."""
    declared = declared_values(name, said) if said.classes is None else tuple(said.classes)
    if declared is not None and said.task != "regression":
        if said.unseen_class == "grow" and seen is not None and seen.values is not None:
            known = {key(value) for value in declared}
            grown = tuple(value for value in seen.values if key(value) not in known)
            if grown:
                notes.append(f"classes: grown by {listed(grown)}")
                return declared + grown
        return declared
    seen = seen or Facts()
    if said.task == "regression" or (
        said.task is None and said.types.get(name) == "numeric" and name not in said.nominal
    ):
        if seen.texts or seen.stamps:
            raise DataError(
                f"{who}: {seen.where or 'every cell'}, target {name!r} must be a number for "
                f"regression, got {seen.text!r}; say --task classification"
            )
        return None
    if seen.stamps:
        raise DataError(f"{who}: target {name!r} must be a class or a number, got times")
    if said.task is None and not seen.declared and name not in said.nominal:
        real = real_target(seen)
        if real:
            notes.append(f"task: regression, {name!r} {real}")
            return None
        if seen.numbers or seen.texts:
            many = 0 if seen.values is None else len(seen.values)
            kind = "texts" if seen.texts else "whole numbers"
            notes.append(f"task: classification, {name!r} holds {many} different {kind}")
    if seen.values is None and (seen.numbers or seen.texts or seen.declared):
        raise DataError(
            f"{who}: target {name!r} must have at most {MOST_VALUES:,} classes, got more"
            + ("" if seen.texts else "; say --task regression")
        )
    values = seen.values or ()
    if seen.declared:
        return values
    if not values:
        notes.append(f"classes: none, {name!r} holds no label")
        return ()
    notes.append("classes: sorted")
    return ordered(values)


def real_target(seen: Facts) -> str:
    """Why a target looks like a real one; empty if it looks like classes."""
    if seen.texts or not seen.numbers:
        return ""
    if not seen.whole:
        return "holds numbers with decimals"
    many = len(seen.values) if seen.values is not None else None
    if many is None or many > MOST_WHOLE_CLASSES:
        return f"holds more than {MOST_WHOLE_CLASSES} different numbers"
    if many > 2 and 2 * many > seen.numbers:
        return f"holds {many} different numbers in {seen.numbers} items"
    return ""


def clock_stamps(who: str, roles: Roles, facts: Sequence[Facts | None]) -> bool:
    """Are times timestamps (True) or whole numbers? Both columns must be of one kind."""
    kinds = {}
    for what, column in (("time", roles.time), ("label_time", roles.label_time)):
        seen = facts[column] if column is not None else None
        if column is None or seen is None:
            continue
        name = roles.names[column]
        if seen.texts or not seen.whole:
            got = repr(seen.text) if seen.texts else "numbers with decimals"
            at = f"{seen.where}, " if seen.where else ""
            raise DataError(
                f"{who}: {at}{what} column {name!r} must hold timestamps "
                f"(2024-05-31 or 2024-05-31T23:59:59.5) or whole numbers, got {got}"
            )
        if seen.stamps or seen.numbers:
            kinds[what] = seen.stamps
    if len(set(kinds.values())) > 1:
        raise DataError(f"{who}: time and label_time must be both timestamps or both whole numbers")
    if kinds.get("label_time") and roles.time is None:
        raise DataError(f"{who}: a label_time of timestamps needs time; say --time COLUMN")
    return any(kinds.values())


def key(value: Value) -> Value:
    """A value as it is looked up: numbers by what they count, all else by its text."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def by_number(values: Iterable[Value]) -> bool:
    """Are all values numbers?"""
    return all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)


def ordered(values: Iterable[Value]) -> tuple[Value, ...]:
    """Values in their natural order; whole numbers as such.

    Examples
    --------
    >>> ordered(["10", "9", "x"]), ordered([10.0, 9.0]), ordered([True, False])
    (('10', '9', 'x'), (9, 10), (False, True))
    """
    values = tuple(values)
    if not by_number(values):
        return tuple(sorted(values, key=str))
    numbers = sorted(float(value) for value in values)
    if all(value.is_integer() for value in numbers):
        return tuple(int(value) for value in numbers)
    return tuple(numbers)


def listed(values: Sequence[Value], most: int = 12) -> str:
    """Values for a sentence, not too many."""
    shown = ", ".join(repr(value) for value in values[:most])
    return shown + (f", … ({len(values)} in all)" if len(values) > most else "")

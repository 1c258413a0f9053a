"""From what was said and what was seen to a schema: the one place where anything is inferred."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from streamgauge.errors import DataError
from streamgauge.streams.columns import TICKS, Columns, Roles
from streamgauge.types import Drift, Feature, Schema, Value

MISSING = frozenset(("?", "NA", "N/A", "NaN", "nan", "NAN", "null", "NULL"))
"""Words that say that nothing is known; the core has the same."""

DECIMAL_COMMA = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d+),\d+([eE][+-]?\d+)?")
"""A number as most of Europe and South America write it."""

MOST_VALUES = 10_000
"""A nominal column has at most so many values."""

BOOLEANS = (False, True)
"""The values of a column of booleans, which is nominal."""

MOST_INFERRED = 1_000
"""A text column with more values is taken for nominal only if the user says so."""

MOST_WHOLE_CLASSES = 50
"""A target of whole numbers with more values is taken for a real one."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell to be shown in a sentence, and where it is: `line 12`, `item 3`."""

    text: str
    where: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What was seen in one column.

    `fractions`: some numbers are not whole. `text`, `stamp`, `infinite`: the first cell that
    is text, a timestamp, an infinity, and where it is. `values` are the different cells in
    order of appearance, None if they were not collected or are too many. `declared`: the
    file itself lists them.
    """

    numbers: bool = False
    fractions: bool = False
    text: Cell | None = None
    stamp: Cell | None = None
    infinite: Cell | None = None
    values: tuple[Value, ...] | None = None
    declared: bool = False

    @property
    def different(self) -> tuple[Value, ...] | None:
        """The values; as numbers, if all are, each once however it is spelt."""
        if self.values is None or not self.numbers or self.text or self.stamp or self.infinite:
            return self.values
        # Among numbers a quoted "NA" is a missing cell like any other.
        numbers = (v for v in self.values if v not in MISSING)
        return tuple(dict.fromkeys(float(v) if isinstance(v, str) else v for v in numbers))


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table becomes a stream: column numbers, the schema, the clock.

    `declared` are the columns whose values the user listed; `stored` is how each column is
    called where it is stored.
    """

    roles: Roles
    schema: Schema
    rows: int | None = None
    clock: Literal["strict", "sort", "allow"] = "strict"
    stamps: bool = False
    ticks: int = 1
    declared: frozenset[int] = frozenset()
    stored: tuple[str, ...] = ()


def layout(
    who: str,
    roles: Roles,
    said: Columns,
    facts: Sequence[Facts | None],
    rows: int | None = None,
    drifts: tuple[Drift, ...] = (),
    noted: Sequence[str] = (),
    stored: tuple[str, ...] = (),
) -> Layout:
    """Decide what every column is; `facts` may be None where `said` declares all."""
    notes = [*noted, *roles.notes]
    features = []
    inferred: list[str] = []
    for column in roles.features:
        name = roles.names[column]
        values = feature_values(who, name, said, facts[column], inferred)
        features.append(Feature(name, values))
    if inferred:
        notes.append(f"nominal: {', '.join(inferred)} (text)")
    target = roles.names[roles.target]
    classes = target_classes(who, target, said, facts[roles.target], rows, notes)
    stamps = clock_stamps(who, roles, facts)
    if said.time_unit != "tick" and stamps:
        raise DataError(f"{who}: time_unit must be left out for timestamps, got {said.time_unit!r}")
    schema = Schema(
        features=tuple(features),
        target=target,
        classes=classes,
        drifts=drifts,
        clock="us" if stamps or said.time_unit != "tick" else "item",
        notes=tuple(notes),
    )
    declared = {i for i, name in enumerate(roles.names) if declared_values(name, said) is not None}
    declared |= set() if said.classes is None else {roles.target}
    ticks = TICKS[said.time_unit]
    return Layout(roles, schema, rows, said.clock, stamps, ticks, frozenset(declared), stored)


def refuse_decimal_commas(
    who: str, roles: Roles, said: Columns, facts: Sequence[Facts | None], way: str
) -> None:
    """Text such as 1,5 was meant to be a number; `way` says how to make it one."""
    for column in (*roles.features, roles.target):
        cell = decimal_comma(roles, column, said, facts[column])
        if cell is not None:
            name = roles.names[column]
            raise DataError(
                f"{who}: {cell.where}, column {name!r} must be numeric or nominal, got "
                f"{cell.text!r}, a number with a decimal comma; {way} or say "
                f"nominal=[{name!r}]"
            )


def decimal_comma(roles: Roles, column: int, said: Columns, seen: Facts | None) -> Cell | None:
    """The first cell of a column of text that looks like numbers with a decimal comma.

    None if there is none, or if the user says that the column is nominal.

    Examples
    --------
    >>> roles = Roles(("a", "y"), (0,), 1)
    >>> seen = Facts(text=Cell("1,5", "line 2"), values=("1,5", "-0,25"))
    >>> decimal_comma(roles, 0, Columns(), seen)
    Cell(text='1,5', where='line 2')
    >>> decimal_comma(roles, 0, Columns(nominal=["a"]), seen)
    """
    name = roles.names[column]
    nominal = name in said.nominal or said.types.get(name) not in (None, "numeric")
    if column == roles.target:
        nominal = nominal or said.classes is not None or said.task == "classification"
    if nominal or seen is None or seen.text is None or not DECIMAL_COMMA.fullmatch(seen.text.text):
        return None
    others = seen.values or ()
    return seen.text if all(spelt_as_number(str(value)) for value in others) else None


def spelt_as_number(cell: str) -> bool:
    """Is it a number, with a decimal comma if need be?"""
    return DECIMAL_COMMA.fullmatch(cell) is not None or is_number(cell)


def is_number(cell: str) -> bool:
    """Would Python take it for a number?"""
    try:
        float(cell)
    except ValueError:
        return False
    return True


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
    seen = seen or Facts()
    kind = "nominal" if name in said.nominal else said.types.get(name)
    if kind == "numeric" and seen.values is BOOLEANS:
        return None
    if kind == "nominal" or (seen.declared and kind != "numeric"):
        if seen.values is None:
            raise DataError(
                f"{who}: column {name!r} must have at most {MOST_VALUES:,} values to be nominal, "
                f"got more; say drop=[{name!r}]"
            )
        return seen.values if seen.declared else ordered(seen.different or ())
    other = seen.text or seen.stamp
    if other is None or kind == "numeric":
        refuse_other_cells(who, "column", name, seen)
        return None
    if seen.numbers:
        raise DataError(not_a_number(who, other.where, name, other.text))
    if seen.text is None:
        raise DataError(
            f"{who}: column {name!r} must be numeric or nominal, got times ({other.text}, …); "
            f"say time={name!r} or drop=[{name!r}]"
        )
    if seen.values is None or len(seen.values) > MOST_INFERRED:
        many = "" if seen.values is None else f" with {len(seen.values):,} values"
        raise DataError(
            f"{who}: column {name!r} must be numeric or nominal, got text{many} "
            f"({other.text}, …); say drop=[{name!r}] or nominal=[{name!r}]"
        )
    inferred.append(name)
    return ordered(seen.values)


def refuse_other_cells(who: str, what: str, name: str, seen: Facts) -> None:
    """A numeric column holds finite numbers alone."""
    other = seen.text or seen.stamp
    if other is not None:
        raise DataError(not_a_number(who, other.where, name, other.text, what))
    if seen.infinite is not None:
        raise DataError(not_finite(who, seen.infinite.where, name, seen.infinite.text, what))


def not_a_number(who: str, where: str, name: str, cell: str, what: str = "column") -> str:
    """The sentence about text in a numeric column."""
    way = (
        f"say nominal=[{name!r}] or drop=[{name!r}]"
        if what == "column"
        else "say task='classification'"
    )
    return f"{who}: {where}, {what} {name!r} must be a number, got {cell!r}; correct it, or {way}"


def not_finite(who: str, where: str, name: str, cell: object, what: str = "column") -> str:
    """The sentence about an infinity."""
    way = f"correct it, or say drop=[{name!r}]" if what == "column" else "correct it"
    return f"{who}: {where}, {what} {name!r} must be finite, got {cell}; {way}"


def target_classes(
    who: str, name: str, said: Columns, seen: Facts | None, rows: int | None, notes: list[str]
) -> tuple[Value, ...] | None:
    """The classes in code order, None for a real target."""
    declared = declared_values(name, said) if said.classes is None else tuple(said.classes)
    if declared is not None and said.task != "regression":
        return grown(declared, said, seen, notes)
    seen = seen or Facts()
    numeric = said.types.get(name) == "numeric" and name not in said.nominal
    if said.task == "regression" or (said.task is None and numeric):
        refuse_other_cells(who, "target", name, seen)
        return None
    if seen.stamp is not None and seen.text is None:
        raise DataError(
            f"{who}: target {name!r} must hold classes or numbers, got times ({seen.stamp.text}, …)"
        )
    if said.task is None and not seen.declared and name not in said.nominal:
        real = real_target(seen, rows)
        if real:
            refuse_other_cells(who, "target", name, seen)
            notes.append(f"task: regression, {name!r} holds {real}")
            return None
        if seen.different:
            kind = "whole numbers" if seen.text is None else "texts"
            notes.append(f"task: classification, {name!r} holds {len(seen.different)} {kind}")
    if seen.values is None and (seen.numbers or seen.text is not None or seen.declared):
        way = "; say task='regression'" if seen.text is None else ""
        raise DataError(
            f"{who}: target {name!r} must have at most {MOST_VALUES:,} classes, got more{way}"
        )
    if seen.declared:
        return seen.values
    if not seen.different:
        notes.append(f"classes: none, {name!r} holds no label")
        return ()
    notes.append("classes: sorted")
    return ordered(seen.different)


def grown(
    declared: tuple[Value, ...], said: Columns, seen: Facts | None, notes: list[str]
) -> tuple[Value, ...]:
    """The declared classes and, if so wished, those met beside them."""
    if said.unseen_class == "refuse" or seen is None:
        return declared
    new = undeclared(declared, seen)
    if new:
        notes.append(f"classes: grown by {listed(new)}")
    return declared + new


def undeclared(declared: tuple[Value, ...], seen: Facts) -> tuple[Value, ...]:
    """The values that were seen but not declared, in order of appearance."""
    if by_number(declared):
        new = tuple(v for v in seen.different or () if v not in declared)
        whole = by_number(new) and all(float(v).is_integer() for v in new)
        return tuple(int(v) for v in new) if whole else new
    known = {str(value) for value in declared}
    return tuple(v for v in seen.values or () if str(v) not in known)


def real_target(seen: Facts, rows: int | None) -> str:
    """What makes a target look like a real one; empty if it looks like classes."""
    if seen.text is not None or not seen.numbers:
        return ""
    if seen.fractions:
        return "numbers with decimals"
    if seen.different is None or len(seen.different) > MOST_WHOLE_CLASSES:
        return f"more than {MOST_WHOLE_CLASSES} different numbers"
    many = len(seen.different)
    if many > 2 and rows is not None and 2 * many > rows:
        return f"{many} different numbers in {rows} items"
    return ""


def clock_stamps(who: str, roles: Roles, facts: Sequence[Facts | None]) -> bool:
    """Are times timestamps (True) or whole numbers? Both columns must be of one kind."""
    kinds = {}
    for what, column in (("time", roles.time), ("label_time", roles.label_time)):
        seen = facts[column] if column is not None else None
        if column is None or seen is None:
            continue
        wrong = seen.text or seen.infinite or (seen.stamp if seen.numbers else None)
        if wrong is not None or seen.fractions:
            name = roles.names[column]
            at = f"{wrong.where}, " if wrong else ""
            got = repr(wrong.text) if wrong else "numbers with decimals"
            raise DataError(f"{who}: {at}{not_a_time(what, name)}, got {got}; correct it")
        if seen.stamp or seen.numbers:
            kinds[what] = seen.stamp is not None
    if len(set(kinds.values())) > 1:
        raise DataError(f"{who}: time and label_time must be both timestamps or both whole numbers")
    if kinds.get("label_time") and roles.time is None:
        raise DataError(f"{who}: a label_time of timestamps needs time; say time='COLUMN'")
    return any(kinds.values())


def not_a_time(what: str, name: str) -> str:
    """What a time must be."""
    return (
        f"{what} {name!r} must be a whole number or a timestamp "
        "(2024-05-31, 2024-05-31 23:59:59.5), alike in all items"
    )


def unknown_value(
    who: str, where: str, what: str, name: str, cell: object, values: Sequence[Value]
) -> str:
    """The sentence about a value that was not declared."""
    way = "say unseen_class='grow'" if what == "class" else "add it to types"
    return (
        f"{who}: {where}, {what} {name!r} must be one of {listed(values)}, got {cell!r}; "
        f"correct it, or {way}"
    )


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

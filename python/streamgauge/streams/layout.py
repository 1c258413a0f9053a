"""Inference of a stream's schema from the user's options and a scan of the columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from streamgauge.errors import DataError
from streamgauge.streams.columns import TICKS, ColumnRoles, Columns
from streamgauge.streams.nominal import (
    all_numbers,
    as_whole,
    format_values,
    refuse_inexact,
    sorted_values,
)
from streamgauge.types import Drift, Feature, Schema, Value
from streamgauge.types.values import MISSING, is_other_whole_text, match_key, number_of_text

DECIMAL_COMMA = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d+),\d+([eE][+-]?\d+)?")
"""A number with a decimal comma, optionally with points between thousands."""

MAX_VALUES = 10_000
"""Maximum number of values of a nominal column."""

BOOLEANS = (False, True)
"""Values of a boolean column, which is nominal."""

MAX_INFERRED_VALUES = 1_000
"""A text column with more values is nominal only if it is declared so."""

MAX_INTEGER_CLASSES = 50
"""A target with more distinct whole numbers is inferred to be real."""


@dataclass(frozen=True, slots=True)
class QuotedCell:
    """A cell to quote in an error message, and its position: `line 12`, `item 3`."""

    text: str
    where: str


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """Result of scanning one column.

    `fractions`: some numbers are not whole. `text`, `stamp`, `infinite`: the first cell that
    is text, a timestamp or infinite, and its position. `values`: the distinct cells in
    order of appearance, None if not collected or too many. `declared`: the values are
    listed in the file itself.
    """

    numbers: bool = False
    fractions: bool = False
    text: QuotedCell | None = None
    stamp: QuotedCell | None = None
    infinite: QuotedCell | None = None
    values: tuple[Value, ...] | None = None
    declared: bool = False

    @property
    def other_whole(self) -> str | None:
        """The first value such as `007`, `+7` or `" 7"`, None if there is none."""
        texts = (v for v in self.values or () if isinstance(v, str) and self.numbers)
        return next((v for v in texts if is_other_whole_text(v) or v != v.strip()), None)

    @property
    def distinct(self) -> tuple[Value, ...] | None:
        """The values; converted to distinct numbers if all are numbers."""
        if self.values is None or not self.numbers or self.text or self.stamp or self.infinite:
            return self.values
        if self.other_whole is not None:
            return self.values
        # In a column of numbers a quoted "NA" is a missing cell.
        numbers = (v for v in self.values if v not in MISSING)
        return tuple(dict.fromkeys(number_of_cell(v) for v in numbers))


@dataclass(frozen=True, slots=True)
class Layout:
    """How to read a table as a stream: column roles, schema and clock.

    `declared`: the columns whose values the user listed. `stored`: the column names in the
    file or table.
    """

    roles: ColumnRoles
    schema: Schema
    rows: int | None = None
    clock: Literal["strict", "sort", "allow"] = "strict"
    stamps: bool = False
    ticks: int = 1
    declared: frozenset[int] = frozenset()
    stored: tuple[str, ...] = ()


def infer_layout(
    who: str,
    roles: ColumnRoles,
    options: Columns,
    profiles: Sequence[ColumnProfile | None],
    rows: int | None = None,
    drifts: tuple[Drift, ...] = (),
    more_notes: Sequence[str] = (),
    stored: tuple[str, ...] = (),
) -> Layout:
    """Infer the layout; the profile of a column that the options declare may be None."""
    notes = [*more_notes, *roles.notes]
    features = []
    inferred: list[str] = []
    for column in roles.features:
        name = roles.names[column]
        values = feature_values(who, name, options, profiles[column], inferred)
        features.append(Feature(name, values))
    if inferred:
        notes.append(f"nominal: {', '.join(inferred)} (text)")
    target = roles.names[roles.target]
    classes = target_classes(who, target, options, profiles[roles.target], rows, notes)
    stamps = uses_timestamps(who, roles, profiles)
    if options.time_unit != "tick" and stamps:
        raise DataError(
            f"{who}: time_unit must be omitted for timestamps, got {options.time_unit!r}"
        )
    schema = Schema(
        features=tuple(features),
        target=target,
        classes=classes,
        drifts=drifts,
        clock="us" if stamps or options.time_unit != "tick" else "item",
        notes=tuple(notes),
    )
    declared = {
        i for i, name in enumerate(roles.names) if declared_values(name, options) is not None
    }
    declared |= set() if options.classes is None else {roles.target}
    ticks = TICKS[options.time_unit]
    return Layout(roles, schema, rows, options.clock, stamps, ticks, frozenset(declared), stored)


def refuse_decimal_commas(
    who: str,
    roles: ColumnRoles,
    options: Columns,
    profiles: Sequence[ColumnProfile | None],
    way: str,
) -> None:
    """Raise for text such as 1,5; `way` is the advice how to read it as a number."""
    for column in (*roles.features, roles.target):
        cell = decimal_comma(roles, column, options, profiles[column])
        if cell is not None:
            name = roles.names[column]
            raise DataError(
                f"{who}: {cell.where}, column {name!r} must be numeric or nominal, got "
                f"{cell.text!r}, a number with a decimal comma; {way} or pass "
                f"nominal=[{name!r}]"
            )


def decimal_comma(
    roles: ColumnRoles, column: int, options: Columns, profile: ColumnProfile | None
) -> QuotedCell | None:
    """Return the first cell of a text column whose cells are numbers with a decimal comma.

    None if the cells are other text, or if the column is declared nominal.

    Examples
    --------
    >>> roles = ColumnRoles(("a", "y"), (0,), 1)
    >>> profile = ColumnProfile(text=QuotedCell("1,5", "line 2"), values=("1,5", "-0,25"))
    >>> decimal_comma(roles, 0, Columns(), profile)
    QuotedCell(text='1,5', where='line 2')
    >>> decimal_comma(roles, 0, Columns(nominal=["a"]), profile)
    """
    name = roles.names[column]
    nominal = name in options.nominal or options.types.get(name) not in (None, "numeric")
    if column == roles.target:
        nominal = nominal or options.classes is not None or options.task == "classification"
    if (
        nominal
        or profile is None
        or profile.text is None
        or not DECIMAL_COMMA.fullmatch(profile.text.text)
    ):
        return None
    others = profile.values or ()
    return profile.text if all(is_number_with_comma(str(value)) for value in others) else None


def is_number_with_comma(cell: str) -> bool:
    """Return whether a cell is a number, with a decimal point or comma."""
    return DECIMAL_COMMA.fullmatch(cell) is not None or is_number_cell(cell)


def is_number_cell(cell: str) -> bool:
    """Return whether Python's `float` accepts the cell."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def number_of_cell(cell: Value) -> Value:
    """Return the number in a cell of a column of numbers; whole numbers keep their identity."""
    if not isinstance(cell, str):
        return cell
    number = number_of_text(cell.strip())
    return float(number) if isinstance(number, str) else number


def declared_values(name: str, options: Columns) -> tuple[Value, ...] | None:
    """Return the nominal values that the options list for a column, None if they do not."""
    kind = options.types.get(name)
    return None if kind is None or isinstance(kind, str) else tuple(kind)


def needs_scan(name: str, options: Columns) -> bool:
    """Return whether the type of a feature depends on its cells."""
    return declared_values(name, options) is None and not (
        options.types.get(name) == "numeric" and name not in options.nominal
    )


def feature_values(
    who: str, name: str, options: Columns, profile: ColumnProfile | None, inferred: list[str]
) -> tuple[Value, ...] | None:
    """Return the values of a nominal feature, None for a numeric one."""
    values = declared_values(name, options)
    if values is not None:
        return values
    profile = profile or ColumnProfile()
    kind = "nominal" if name in options.nominal else options.types.get(name)
    if kind == "numeric" and profile.values is BOOLEANS:
        return None
    if kind == "nominal" or (profile.declared and kind != "numeric"):
        if profile.values is None:
            raise DataError(
                f"{who}: column {name!r} must have at most {MAX_VALUES:,} values to be nominal, "
                f"got more; pass drop=[{name!r}]"
            )
        if profile.declared:
            return profile.values
        return found_values(who, "column", name, profile)
    other = profile.text or profile.stamp
    if other is None or kind == "numeric":
        refuse_other_cells(who, "column", name, profile)
        return None
    if profile.numbers:
        raise DataError(not_a_number(who, other.where, name, other.text))
    if profile.text is None:
        raise DataError(
            f"{who}: column {name!r} must be numeric or nominal, got times ({other.text}, …); "
            f"pass time={name!r} or drop=[{name!r}]"
        )
    if profile.values is None or len(profile.values) > MAX_INFERRED_VALUES:
        many = "" if profile.values is None else f" with {len(profile.values):,} values"
        raise DataError(
            f"{who}: column {name!r} must be numeric or nominal, got text{many} "
            f"({other.text}, …); pass drop=[{name!r}] or nominal=[{name!r}]"
        )
    inferred.append(name)
    return sorted_values(profile.values)


def found_values(who: str, what: str, name: str, profile: ColumnProfile) -> tuple[Value, ...]:
    """Return the values that a nominal column was found to have, sorted.

    Among numbers an infinity is refused: it has no whole number, and a name only among texts.
    """
    if profile.infinite is not None and profile.text is None:
        raise DataError(not_finite(who, profile.infinite.where, name, profile.infinite.text, what))
    return sorted_values(refuse_inexact(who, what, name, profile.distinct or ()))


def refuse_other_cells(who: str, what: str, name: str, profile: ColumnProfile) -> None:
    """Raise if a numeric column holds text, timestamps or infinities."""
    other = profile.text or profile.stamp
    if other is not None:
        raise DataError(not_a_number(who, other.where, name, other.text, what))
    if profile.infinite is not None:
        raise DataError(not_finite(who, profile.infinite.where, name, profile.infinite.text, what))


def not_a_number(who: str, where: str, name: str, cell: str, what: str = "column") -> str:
    """Format the error message about text in a numeric column."""
    way = (
        f"pass nominal=[{name!r}] or drop=[{name!r}]"
        if what == "column"
        else "pass task='classification'"
    )
    return f"{who}: {where}, {what} {name!r} must be a number, got {cell!r}; correct it, or {way}"


def not_finite(who: str, where: str, name: str, cell: object, what: str = "column") -> str:
    """Format the error message about an infinity."""
    way = f"correct it, or pass drop=[{name!r}]" if what == "column" else "correct it"
    return f"{who}: {where}, {what} {name!r} must be finite, got {cell}; {way}"


def target_classes(
    who: str,
    name: str,
    options: Columns,
    profile: ColumnProfile | None,
    rows: int | None,
    notes: list[str],
) -> tuple[Value, ...] | None:
    """Return the classes in code order, None for a real target."""
    declared = declared_values(name, options) if options.classes is None else tuple(options.classes)
    if declared is not None and options.task != "regression":
        return extended_classes(declared, options, profile, notes)
    profile = profile or ColumnProfile()
    numeric = options.types.get(name) == "numeric" and name not in options.nominal
    if options.task == "regression" or (options.task is None and numeric):
        refuse_other_cells(who, "target", name, profile)
        return None
    if profile.stamp is not None and profile.text is None:
        raise DataError(
            f"{who}: target {name!r} must hold classes or numbers, got times "
            f"({profile.stamp.text}, …)"
        )
    if options.task is None and not profile.declared and name not in options.nominal:
        real = real_target_reason(profile, rows)
        if real:
            refuse_other_cells(who, "target", name, profile)
            notes.append(f"task: regression, {name!r} holds {real}")
            return None
        if profile.distinct:
            other = profile.other_whole
            kind = "whole numbers" if profile.text is None and other is None else "texts"
            why = "" if other is None else f" ({other!r} is not a whole number in canonical form)"
            many = len(profile.distinct)
            notes.append(f"task: classification, {name!r} holds {many} {kind}{why}")
    if profile.values is None and (profile.numbers or profile.text is not None or profile.declared):
        way = "; pass task='regression'" if profile.text is None else ""
        raise DataError(
            f"{who}: target {name!r} must have at most {MAX_VALUES:,} classes, got more{way}"
        )
    if profile.declared:
        return (
            None if profile.values is None else refuse_inexact(who, "class", name, profile.values)
        )
    if not profile.distinct:
        notes.append(f"classes: none, {name!r} holds no label")
        return ()
    notes.append("classes: sorted")
    return found_values(who, "class", name, profile)


def extended_classes(
    declared: tuple[Value, ...], options: Columns, profile: ColumnProfile | None, notes: list[str]
) -> tuple[Value, ...]:
    """Return the declared classes; with `unseen_class="grow"` also the other ones found."""
    if options.unseen_class == "refuse" or profile is None:
        return declared
    new = undeclared(declared, profile)
    if new:
        notes.append(f"classes: extended by {format_values(new)}")
    return declared + new


def undeclared(declared: tuple[Value, ...], profile: ColumnProfile) -> tuple[Value, ...]:
    """Return the values found in a column but not declared, in order of appearance."""
    if not all_numbers(declared):
        known = {str(value) for value in declared}
        return tuple(v for v in profile.values or () if str(v) not in known)
    new = tuple(v for v in profile.distinct or () if match_key(v, by_number=True) not in declared)
    return as_whole(new) if all_numbers(new) else new


def real_target_reason(profile: ColumnProfile, rows: int | None) -> str:
    """Return why a target is inferred to be real; empty if it holds classes."""
    if profile.text is not None or not profile.numbers:
        return ""
    if profile.fractions:
        return "numbers with decimals"
    if profile.other_whole is not None:
        return ""
    if profile.distinct is None or len(profile.distinct) > MAX_INTEGER_CLASSES:
        return f"more than {MAX_INTEGER_CLASSES} distinct numbers"
    many = len(profile.distinct)
    if many > 2 and rows is not None and 2 * many > rows:
        return f"{many} distinct numbers in {rows} items"
    return ""


def uses_timestamps(who: str, roles: ColumnRoles, profiles: Sequence[ColumnProfile | None]) -> bool:
    """Return whether times are timestamps; raise if the two time columns differ in kind."""
    kinds = {}
    for what, column in (("time", roles.time), ("label_time", roles.label_time)):
        profile = profiles[column] if column is not None else None
        if column is None or profile is None:
            continue
        wrong = profile.text or profile.infinite or (profile.stamp if profile.numbers else None)
        if wrong is not None or profile.fractions:
            name = roles.names[column]
            at = f"{wrong.where}, " if wrong else ""
            got = repr(wrong.text) if wrong else "numbers with decimals"
            raise DataError(f"{who}: {at}{not_a_time(what, name)}, got {got}; correct it")
        if profile.stamp or profile.numbers:
            kinds[what] = profile.stamp is not None
    if len(set(kinds.values())) > 1:
        raise DataError(f"{who}: time and label_time must be both timestamps or both whole numbers")
    if kinds.get("label_time") and roles.time is None:
        raise DataError(f"{who}: a label_time of timestamps needs time; pass time='COLUMN'")
    return any(kinds.values())


def not_a_time(what: str, name: str) -> str:
    """Format the requirement on a time column."""
    return (
        f"{what} {name!r} must be a whole number or a timestamp "
        "(2024-05-31, 2024-05-31 23:59:59.5), of one kind in all items"
    )

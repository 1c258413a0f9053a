"""Text files in pieces: looked at once, then read into rows. CSV and ARFF share it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from streamgauge._core import TextRows, TextScan
from streamgauge.errors import DataError
from streamgauge.files import unpacked
from streamgauge.streams.batches import BLOCK, cut
from streamgauge.streams.clock import on_time
from streamgauge.streams.columns import Columns, Roles
from streamgauge.streams.layout import (
    MOST_VALUES,
    Cell,
    Facts,
    Layout,
    by_number,
    declared_values,
    needs_facts,
    not_a_number,
    not_a_time,
    not_finite,
    undeclared,
    unknown_value,
)
from streamgauge.types import Batch, Value

PIECE = 1 << 20
"""Bytes read at a time."""

MOST_SPARSE = 10_000
"""Sparse rows are written out up to so many columns."""


@dataclass(frozen=True, slots=True)
class Text:
    """The data of a text file: from `skip` bytes on, which is `line`."""

    path: Path
    names: tuple[str, ...]
    separator: str = ","
    arff: bool = False
    skip: int = 0
    line: int = 1
    decimal: str = "."

    @property
    def who(self) -> str:
        """How sentences begin."""
        return str(self.path)


def pieces(text: Text) -> Iterator[tuple[bytes, bool]]:
    """The data piece by piece, and whether it is the last one."""
    with unpacked(text.path) as file:
        file.read(text.skip)
        piece = file.read(PIECE)
        while piece:
            following = file.read(PIECE)
            yield piece, not following
            piece = following


def scanned(text: Text, looks: Sequence[str]) -> tuple[int, tuple[Facts, ...]]:
    """Rows and facts of all columns; remembered while the file stays as it is."""
    state = text.path.stat()
    return _scanned(text, tuple(looks), state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=32)
def _scanned(
    text: Text, looks: tuple[str, ...], _changed: int, _size: int
) -> tuple[int, tuple[Facts, ...]]:
    scan = TextScan(text.separator, text.arff, looks, MOST_VALUES, text.line, text.decimal)
    try:
        for piece, last in pieces(text):
            scan.feed(piece, last)
    except ValueError as fault:
        raise DataError(sentence(text, fault)) from None
    return scan.rows, tuple(column_facts(seen, text.decimal) for seen in scan.seen())


def counted(text: Text) -> int:
    """How many rows there are; remembered while the file stays as it is."""
    return scanned(text, ["away"] * len(text.names))[0]


def column_facts(
    seen: tuple[
        bool, bool, bool, tuple[str, int], tuple[str, int], tuple[str, int], list[str] | None
    ],
    decimal: str,
) -> Facts:
    """What the scan tells of a column, in the words of the layout."""
    numbers, fractions, _missing, stamp, text, infinite, found = seen
    if found is not None and numbers and not text[1]:
        found = [value.replace(decimal, ".") for value in found]
    return Facts(
        numbers=numbers,
        fractions=fractions,
        text=at_line(text),
        stamp=at_line(stamp),
        infinite=at_line(infinite),
        values=None if found is None else tuple(found),
    )


def at_line(found: tuple[str, int]) -> Cell | None:
    """A cell and its line; the line is 0 if there is none."""
    return Cell(found[0], f"line {found[1]:,}") if found[1] else None


def looks(roles: Roles, said: Columns, known: Sequence[Facts | None]) -> list[str]:
    """How closely each column has to be looked at; `known` is what its header tells."""
    words = ["away"] * len(roles.names)
    for column in roles.features:
        name = roles.names[column]
        forced = name in said.nominal or said.types.get(name) == "nominal"
        if forced:
            words[column] = "values"
        elif known[column] is None and needs_facts(name, said):
            words[column] = "kind"
    target = roles.names[roles.target]
    listed = said.classes is not None or declared_values(target, said) is not None
    header = known[roles.target]
    if said.task == "regression":
        pass
    elif (header is not None and header.declared) or listed:
        words[roles.target] = "values" if said.unseen_class == "grow" else "away"
    elif header is None or said.task == "classification" or header.text is not None:
        words[roles.target] = "values"
    for extra in (roles.time, roles.label_time):
        if extra is not None and known[extra] is None:
            words[extra] = "kind"
    if any(word != "away" for word in words):
        # The file is walked anyway: whatever is to be a number is held to it now, not later.
        others = [] if roles.weight is None else [roles.weight]
        for column in (*roles.features, *others, roles.target):
            if words[column] == "away":
                values = declared_values(roles.names[column], said) is not None
                values = values or (column == roles.target and said.classes is not None)
                words[column] = "values" if values else "kind"
    return words


def refuse_undeclared(text: Text, layout: Layout, facts: Sequence[Facts | None]) -> None:
    """If the scan met a value that is not declared, read on to the line where it is."""
    roles, schema = layout.roles, layout.schema
    declared = {c: f.values for c, f in zip(roles.features, schema.features, strict=True)}
    declared[roles.target] = schema.classes
    for column, values in declared.items():
        seen = facts[column]
        if values is None or seen is None or seen.declared:
            continue
        if undeclared(values, seen):
            for _ in blocks(text, layout):
                pass
            return


def text_batches(text: Text, layout: Layout, size: int) -> Iterator[Batch]:
    """The items, timed and cut."""
    stamps = layout.schema.clock == "us"
    return cut(on_time(text.who, layout.clock, blocks(text, layout), stamps), size)


def blocks(text: Text, layout: Layout) -> Iterator[Batch]:
    """The items, `BLOCK` at a time."""
    columns = decoding(layout)
    rows = TextRows(text.separator, text.arff, columns, text.line, layout.ticks, text.decimal)
    first = 0
    try:
        for piece, last in pieces(text):
            rows.feed(piece, last)
            while (taken := rows.take(BLOCK)) is not None:
                x, codes, reals, time, label_time, weight = taken
                label = reals if codes is None else codes
                assert label is not None  # every layout has a target
                yield Batch(first, x, label, time, label_time, weight)
                first += len(x)
    except ValueError as fault:
        if isinstance(fault, DataError):
            raise
        raise DataError(sentence(text, fault, layout)) from None


def decoding(layout: Layout) -> list[tuple[str, str, list[str]]]:
    """Place, kind and values of each column, as the core takes them."""
    roles, schema = layout.roles, layout.schema
    columns: list[tuple[str, str, list[str]]] = [("", "", []) for _ in roles.names]
    for column, feature in zip(roles.features, schema.features, strict=True):
        columns[column] = ("feature", *decoded(feature.values, column in layout.declared))
    declared = roles.target in layout.declared
    columns[roles.target] = ("label", *decoded(schema.classes, declared))
    clock = "stamp" if layout.stamps else "tick"
    if roles.time is not None:
        columns[roles.time] = ("time", clock, [])
    if roles.label_time is not None:
        columns[roles.label_time] = ("label_time", clock, [])
    if roles.weight is not None:
        columns[roles.weight] = ("weight", "number", [])
    return columns


def decoded(values: tuple[Value, ...] | None, declared: bool) -> tuple[str, list[str]]:
    """Numbers, or the values by which cells are told apart: as numbers if all are."""
    if values is None:
        return "number", []
    if values and by_number(values):
        return "code", [repr(float(value)) for value in values]
    return "declared" if declared else "text", [str(value) for value in values]


def sentence(text: Text, fault: ValueError, layout: Layout | None = None) -> str:
    """What is wrong with the text, where, and what to do."""
    if len(fault.args) != 4:
        return f"{text.who}: {fault}"
    what, line, column, cell = fault.args
    who, where = text.who, f"line {line:,}"
    name = text.names[column] if column < len(text.names) else column + 1  # in the header
    fields = len(text.names)
    match what:
        case "ragged":
            return f"{who}: {where} must have {fields} fields, got {cell}; correct the line"
        case "not_a_number":
            return not_a_number(who, where, name, cell, role(layout, column))
        case "infinite":
            return not_finite(who, where, name, cell, role(layout, column))
        case "undeclared":
            what, values = nominal(layout, column)
            return unknown_value(who, where, what, name, cell, values)
        case "not_a_time":
            return f"{who}: {where}, {not_a_time('time', name)}, got {cell!r}; correct it"
        case "no_time":
            return f"{who}: {where}, time {name!r} must be known, got a missing cell; correct it"
        case "after_quote":
            return (
                f"{who}: {where}, column {name!r} must end after its closing quote, got {cell!r}; "
                "double the quotes inside"
            )
        case "open_quote":
            return (
                f"{who}: {where}, column {name!r} must have a closing quote, got none up to the "
                "end of the file; correct the line"
            )
        case "sparse":
            return (
                f"{who}: {where} must be {{index value, …}} with indices from 0 to {fields - 1} "
                f"that rise, got {cell!r}; correct the line"
            )
        case "too_wide":
            return (
                f"{who}: a sparse file must have at most {MOST_SPARSE:,} columns, got {fields:,}; "
                "choose among its columns first"
            )
        case "not_utf8":
            return f"{who}: {where}, column {name!r} must be UTF-8, got {cell!r}; save it as UTF-8"
        case _:
            return f"{who}: {where} must be a line of text, got one beyond 64 MiB; is it a table?"


def role(layout: Layout | None, column: int) -> str:
    """`target` or `column`."""
    return "target" if layout is not None and column == layout.roles.target else "column"


def nominal(layout: Layout | None, column: int) -> tuple[str, tuple[Value, ...]]:
    """What a nominal column is, and its values."""
    assert layout is not None  # a scan declares nothing
    if column == layout.roles.target:
        return "class", layout.schema.classes or ()
    slot = layout.roles.features.index(column)
    return "column", layout.schema.features[slot].values or ()

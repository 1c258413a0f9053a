"""Text files read in pieces: scanned once, then decoded into rows. Shared by CSV and ARFF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from streamgauge._core import TextRows, TextScan
from streamgauge.errors import DataError
from streamgauge.files import unpacked
from streamgauge.streams.batches import BLOCK, BLOCK_CELLS, split_batches
from streamgauge.streams.columns import ColumnRoles, Columns
from streamgauge.streams.item_checks import apply_clock
from streamgauge.streams.layout import (
    MAX_VALUES,
    ColumnProfile,
    Layout,
    QuotedCell,
    declared_values,
    needs_scan,
    not_a_number,
    not_a_time,
    not_finite,
    undeclared,
)
from streamgauge.streams.nominal import all_numbers, unknown_value
from streamgauge.types import Batch, Value
from streamgauge.types.times import too_far

PIECE = 1 << 20
"""Bytes read at a time."""

MAX_SPARSE_COLUMNS = 10_000
"""Maximum number of columns of a file with sparse rows."""


@dataclass(frozen=True, slots=True)
class Text:
    """The data section of a text file: it begins after `skip` bytes, at line number `line`.

    `omitted` are the cells that sparse rows leave out, one per column, None if missing.
    """

    path: Path
    names: tuple[str, ...]
    separator: str = ","
    arff: bool = False
    skip: int = 0
    line: int = 1
    decimal: str = "."
    omitted: tuple[str | None, ...] = ()

    @property
    def who(self) -> str:
        """Prefix of error messages."""
        return str(self.path)


def read_pieces(text: Text) -> Iterator[tuple[bytes, bool]]:
    """Yield the data in pieces, each with whether it is the last one."""
    with unpacked(text.path) as file:
        file.read(text.skip)
        piece = file.read(PIECE)
        while piece:
            following = file.read(PIECE)
            yield piece, not following
            piece = following


def scan_columns(text: Text, modes: Sequence[str]) -> tuple[int, tuple[ColumnProfile, ...]]:
    """Return the number of rows and the profiles of all columns; cached until the file changes."""
    state = text.path.stat()
    return _cached_scan(text, tuple(modes), state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=32)
def _cached_scan(
    text: Text, modes: tuple[str, ...], _changed: int, _size: int
) -> tuple[int, tuple[ColumnProfile, ...]]:
    scan = TextScan(
        text.separator, text.arff, modes, MAX_VALUES, text.line, text.decimal, text.omitted
    )
    try:
        for piece, last in read_pieces(text):
            scan.feed(piece, last)
    except ValueError as fault:
        raise DataError(error_message(text, fault)) from None
    return scan.rows, tuple(profile_of_scan(found, text.decimal) for found in scan.contents())


def count_rows(text: Text) -> int:
    """Return the number of rows; cached until the file changes."""
    return scan_columns(text, ["skip"] * len(text.names))[0]


def profile_of_scan(
    scanned: tuple[
        bool, bool, bool, tuple[str, int], tuple[str, int], tuple[str, int], list[str] | None
    ],
    decimal: str,
) -> ColumnProfile:
    """Convert the core's result for one column."""
    numbers, fractions, _missing, stamp, text, infinite, found = scanned
    if found is not None and numbers and not text[1]:
        found = [value.replace(decimal, ".") for value in found]
    return ColumnProfile(
        numbers=numbers,
        fractions=fractions,
        text=at_line(text),
        stamp=at_line(stamp),
        infinite=at_line(infinite),
        values=None if found is None else tuple(found),
    )


def at_line(found: tuple[str, int]) -> QuotedCell | None:
    """Return a cell with its line; line 0 means that there is none."""
    return QuotedCell(found[0], f"line {found[1]:,}") if found[1] else None


def scan_modes(
    roles: ColumnRoles, options: Columns, known: Sequence[ColumnProfile | None]
) -> list[str]:
    """Return how to scan each column: "skip", "kind" or "values"; `known` is from the header."""
    modes = ["skip"] * len(roles.names)
    for column in roles.features:
        name = roles.names[column]
        forced = name in options.nominal or options.types.get(name) == "nominal"
        if forced:
            modes[column] = "values"
        elif known[column] is None and needs_scan(name, options):
            modes[column] = "kind"
    target = roles.names[roles.target]
    listed = options.classes is not None or declared_values(target, options) is not None
    header = known[roles.target]
    if options.task == "regression":
        pass
    elif (header is not None and header.declared) or listed:
        modes[roles.target] = "values" if options.unseen_class == "grow" else "skip"
    elif (
        header is None
        or options.task == "classification"
        or header.text is not None
        or target in options.nominal
    ):
        modes[roles.target] = "values"
    for extra in (roles.time, roles.label_time):
        if extra is not None and known[extra] is None:
            modes[extra] = "kind"
    if any(mode != "skip" for mode in modes):
        # The file is read anyway, so declared columns are checked now rather than during a run.
        others = [] if roles.weight is None else [roles.weight]
        for column in (*roles.features, *others, roles.target):
            if modes[column] == "skip":
                values = declared_values(roles.names[column], options) is not None
                values = values or (column == roles.target and options.classes is not None)
                modes[column] = "values" if values else "kind"
    return modes


def refuse_undeclared(text: Text, layout: Layout, profiles: Sequence[ColumnProfile | None]) -> None:
    """If the scan found an undeclared value, read up to its line to raise the error."""
    roles, schema = layout.roles, layout.schema
    declared = {c: f.values for c, f in zip(roles.features, schema.features, strict=True)}
    declared[roles.target] = schema.classes
    for column, values in declared.items():
        profile = profiles[column]
        if values is None or profile is None or profile.declared:
            continue
        if undeclared(values, profile):
            for _ in blocks(text, layout):
                pass
            return


def text_batches(text: Text, layout: Layout, size: int) -> Iterator[Batch]:
    """Yield the items, with checked times, in batches of at most `size`."""
    stamps = layout.schema.clock == "us"
    return split_batches(apply_clock(text.who, layout.clock, blocks(text, layout), stamps), size)


def blocks(text: Text, layout: Layout) -> Iterator[Batch]:
    """Yield the items, `BLOCK` at a time, or fewer if they are wide."""
    columns = column_decoders(layout)
    rows = TextRows(
        text.separator, text.arff, columns, text.line, layout.ticks, text.decimal, text.omitted
    )
    size = max(1, min(BLOCK, BLOCK_CELLS // max(1, len(columns))))
    first = 0
    try:
        for piece, last in read_pieces(text):
            rows.feed(piece, last)
            while (taken := rows.take(size)) is not None:
                x, codes, reals, time, label_time, weight = taken
                label = reals if codes is None else codes
                assert label is not None  # every layout has a target
                yield Batch(first, x, label, time, label_time, weight)
                first += len(x)
    except ValueError as fault:
        if isinstance(fault, DataError):
            raise
        raise DataError(error_message(text, fault, layout)) from None


def column_decoders(layout: Layout) -> list[tuple[str, str, list[str]]]:
    """Return role, kind and values of each column, as the core expects them."""
    roles, schema = layout.roles, layout.schema
    columns: list[tuple[str, str, list[str]]] = [("", "", []) for _ in roles.names]
    for column, feature in zip(roles.features, schema.features, strict=True):
        columns[column] = ("feature", *decoder(feature.values, column in layout.declared))
    declared = roles.target in layout.declared
    columns[roles.target] = ("label", *decoder(schema.classes, declared))
    clock = "stamp" if layout.stamps else "tick"
    if roles.time is not None:
        columns[roles.time] = ("time", clock, [])
    if roles.label_time is not None:
        columns[roles.label_time] = ("label_time", clock, [])
    if roles.weight is not None:
        columns[roles.weight] = ("weight", "number", [])
    return columns


def decoder(values: tuple[Value, ...] | None, declared: bool) -> tuple[str, list[str]]:
    """Return kind and values of a column: "number", "code", "declared" or "text"."""
    if values is None:
        return "number", []
    if values and all_numbers(values):
        return "code", [str(value) for value in values]
    return "declared" if declared else "text", [str(value) for value in values]


def error_message(text: Text, fault: ValueError, layout: Layout | None = None) -> str:
    """Format an error of the core: position, requirement, cell and advice."""
    if len(fault.args) != 4:
        return f"{text.who}: {fault}"
    what, line, column, cell = fault.args
    who, where = text.who, f"line {line:,}"
    name = text.names[column] if column < len(text.names) else column + 1  # of the header
    fields = len(text.names)
    match what:
        case "ragged":
            return f"{who}: {where} must have {fields} fields, got {cell}; correct the line"
        case "not_a_number":
            return not_a_number(who, where, name, cell, column_kind(layout, column))
        case "infinite":
            return not_finite(who, where, name, cell, column_kind(layout, column))
        case "undeclared":
            what, values = nominal_column(layout, column)
            return unknown_value(who, where, what, name, cell, values)
        case "not_a_time":
            return f"{who}: {where}, {not_a_time('time', name)}, got {cell!r}; correct it"
        case "too_far":
            return too_far(who, where, f"time {name!r}", cell)
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
                f"in increasing order, got {cell!r}; correct the line"
            )
        case "too_wide":
            return (
                f"{who}: a sparse file must have at most {MAX_SPARSE_COLUMNS:,} columns, got "
                f"{fields:,}; select columns first"
            )
        case "not_utf8":
            return f"{who}: {where}, column {name!r} must be UTF-8, got {cell!r}; save it as UTF-8"
        case _:
            return f"{who}: {where} must be at most 64 MiB long, got more; is the file a table?"


def column_kind(layout: Layout | None, column: int) -> str:
    """Return `target` or `column`."""
    return "target" if layout is not None and column == layout.roles.target else "column"


def nominal_column(layout: Layout | None, column: int) -> tuple[str, tuple[Value, ...]]:
    """Return `class` or `column`, and the values of a nominal column."""
    assert layout is not None  # a scan raises no error about values
    if column == layout.roles.target:
        return "class", layout.schema.classes or ()
    index = layout.roles.features.index(column)
    return "column", layout.schema.features[index].values or ()

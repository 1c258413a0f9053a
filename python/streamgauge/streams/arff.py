"""ARFF files, dense or sparse, optionally compressed, read in constant memory."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from streamgauge._core import text_cells
from streamgauge.errors import DataError
from streamgauge.files import existing, unpacked
from streamgauge.streams._options import COMMENT, merge_stored_options
from streamgauge.streams.columns import Columns, column_roles
from streamgauge.streams.layout import ColumnProfile, Layout, QuotedCell, infer_layout, undeclared
from streamgauge.streams.text import (
    Text,
    count_rows,
    error_message,
    refuse_undeclared,
    scan_columns,
    scan_modes,
    text_batches,
)
from streamgauge.types import Batch, Drift, Schema

LONGEST_LINE = 64 << 20
NUMERIC = ("numeric", "real", "integer")
ISO_DATE = re.compile(r"yyyy([-/])MM\1dd([ T]HH:mm(:ss(\.S+)?)?)?(Z|X+)?")
ATTRIBUTE = re.compile(
    r"""@attribute\s+
    (?P<name> '(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | [^\s{'"][^\s{]* )
    \s*(?P<type>.*)""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Arff(Columns):
    """An ARFF file, optionally compressed by gzip or zstd.

    The header declares names, types and nominal values in their order, so no scan is needed;
    a string attribute must be dropped or declared nominal, a date attribute must be a time. In
    a sparse row an omitted cell is zero, or the first nominal value of the header, or missing if
    it is of a string attribute. `?` is a missing cell.

    Parameters
    ----------
    path
        The file, in UTF-8.
    drifts
        Known drifts.
    target, time, label_time, weight, drop, nominal, types, classes, task
        The roles and types of the columns, as in `streamgauge.streams.columns.Columns`.
    unseen_class, clock, time_unit
        How labels and times are read, as in `Columns`.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "rain.arff"
    ...     _ = path.write_text(
    ...         "@relation rain\\n@attribute wind real\\n@attribute rain {no, yes}\\n"
    ...         "@data\\n3.5, no\\n?, yes\\n{1 yes}\\n"
    ...     )
    ...     stream = Arff(path)
    ...     [(batch.x.tolist(), batch.label.tolist()) for batch in stream.batches()]
    [([[3.5], [nan], [0.0]], [0, 1, 1])]
    """

    path: Path | str
    drifts: tuple[Drift, ...] = ()
    text: Text = field(init=False, repr=False, compare=False)
    layout: Layout = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        header = read_header(existing(self.path))
        text = header.text
        options, drifts = merge_stored_options(
            text.who, self.columns(), self.drifts, header.options, text.names
        )
        roles = column_roles(text.who, text.names, options)
        profiles: list[ColumnProfile | None] = list(header.profiles)
        modes = scan_modes(roles, options, profiles)
        rows = None
        if any(mode != "skip" for mode in modes):
            rows, scanned = scan_columns(text, modes)
            profiles = [
                with_declared_values(declared, found) if mode == "values" else declared
                for declared, found, mode in zip(header.profiles, scanned, modes, strict=True)
            ]
        layout = infer_layout(text.who, roles, options, profiles, rows, drifts)
        refuse_undeclared(text, layout, profiles)
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "layout", layout)

    @property
    def name(self) -> str:
        """File name without its suffixes."""
        return Path(self.path).name.partition(".")[0]

    @property
    def schema(self) -> Schema:
        """Features, target and clock of the items."""
        return self.layout.schema

    @property
    def length(self) -> int | None:
        """Number of items; counted on first access if the file was not scanned."""
        return count_rows(self.text) if self.layout.rows is None else self.layout.rows

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        return text_batches(self.text, self.layout, size)


def with_declared_values(header: ColumnProfile, scanned: ColumnProfile) -> ColumnProfile:
    """Return the scanned profile with the values that the header lists first."""
    if not header.declared or header.values is None:
        return scanned
    return replace(header, values=header.values + undeclared(header.values, scanned))


@dataclass(frozen=True, slots=True)
class Header:
    """Header of an ARFF file: names, declared types, start of the data, stored options."""

    text: Text
    profiles: tuple[ColumnProfile, ...]
    options: str | None = None


def read_header(path: Path) -> Header:
    """Read the header up to the line `@data`."""
    profiles: dict[str, ColumnProfile] = {}
    skip = number = 0
    options: str | None = None
    with unpacked(path) as file:
        while raw := file.readline(LONGEST_LINE):
            number += 1
            skip += len(raw)
            where = f"{path}: line {number:,}"
            line = decode_line(where, raw)
            word = line.partition(" ")[0].partition("\t")[0].lower()
            if line.startswith(COMMENT):
                options = line.removeprefix(COMMENT)
            if not line or line.startswith("%") or word == "@relation":
                continue
            if word == "@attribute":
                name, found = attribute(where, path, line)
                if name in profiles:
                    raise DataError(f"{where} must name a new attribute, got {name!r} again")
                profiles[name] = found
            elif word == "@data":
                if not profiles:
                    raise DataError(f"{where} must come after @attribute lines, got none before it")
                omitted = tuple(map(omitted_cell, profiles.values()))
                names = tuple(profiles)
                text = Text(path, names, arff=True, skip=skip, line=number + 1, omitted=omitted)
                return Header(text, tuple(profiles.values()), options)
            else:
                raise DataError(
                    f"{where} must be @relation, @attribute or @data, got {line[:60]!r}; "
                    "correct the header"
                )
    raise DataError(
        f"{path}: an ARFF header must end with a line @data, got the end of the file "
        f"after line {number:,}; correct the header"
    )


def omitted_cell(profile: ColumnProfile) -> str | None:
    """Return the cell that a sparse row leaves out: zero, or the first value of the header.

    A date's zero is the epoch. None for an attribute without values, and for a string attribute,
    whose values have no order.
    """
    if profile.declared:
        return str(profile.values[0]) if profile.values else None
    if profile.stamp is not None:
        return "1970-01-01"
    return "0" if profile.numbers else None


def decode_line(where: str, raw: bytes) -> str:
    """Decode a header line."""
    try:
        return raw.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise DataError(f"{where} must be UTF-8, got {raw[:60]!r}; save it as UTF-8") from error


def attribute(where: str, path: Path, line: str) -> tuple[str, ColumnProfile]:
    """Parse an `@attribute` line into name and type."""
    parts = ATTRIBUTE.fullmatch(line)
    if parts is None:
        raise DataError(f"{where} must be @attribute NAME TYPE, got {line[:60]!r}")
    name = parts["name"]
    if name[0] in "'\"":
        name = split_cells(path, name)[0]
    kind = parts["type"].strip()
    word = kind.partition(" ")[0].lower()
    if kind.startswith("{"):
        return name, ColumnProfile(values=nominal_values(where, path, kind), declared=True)
    if word in NUMERIC:
        return name, ColumnProfile(numbers=True)
    if word == "string":
        return name, ColumnProfile(text=QuotedCell("a string attribute", where.partition(": ")[2]))
    if word == "date":
        pattern = kind[len(word) :].strip().strip("'\"").replace("'", "")
        if pattern and not ISO_DATE.fullmatch(pattern):
            raise DataError(
                f"{where}: a date format must be yyyy-MM-dd'T'HH:mm:ss or a prefix of it, "
                f"got {pattern!r}; convert the dates"
            )
        return name, ColumnProfile(stamp=QuotedCell("a date attribute", where.partition(": ")[2]))
    raise DataError(
        f"{where}: the type of {name!r} must be numeric, {{value, …}}, string or date, "
        f"got {kind[:60]!r}; correct the header"
    )


def nominal_values(where: str, path: Path, kind: str) -> tuple[str, ...]:
    """Parse the values in braces, in their order."""
    inside, brace, rest = kind[1:].rpartition("}")
    if not brace or rest.strip():
        raise DataError(f"{where} must list nominal values as {{a, b, …}}, got {kind[:60]!r}")
    values = split_cells(path, inside) if inside.strip() else []
    twice = [value for value, count in Counter(values).items() if count > 1]
    if twice:
        raise DataError(f"{where} must list every nominal value once, got {twice[0]!r} again")
    return tuple(values)


def split_cells(path: Path, row: str) -> list[str]:
    """Split a part of the header into cells."""
    try:
        found = text_cells(row.encode(), True, ",", True)
    except ValueError as fault:
        raise DataError(error_message(Text(path, ()), fault)) from None
    return found[0] if found else []

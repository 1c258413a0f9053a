"""CSV files, optionally compressed, read in constant memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from streamgauge._core import text_cells
from streamgauge.errors import DataError
from streamgauge.files import existing, unpacked
from streamgauge.streams.columns import Columns, column_roles, one_of
from streamgauge.streams.layout import (
    ColumnProfile,
    Layout,
    infer_layout,
    is_number_cell,
    refuse_decimal_commas,
)
from streamgauge.streams.text import (
    PIECE,
    Text,
    count_rows,
    error_message,
    refuse_undeclared,
    scan_columns,
    scan_modes,
    text_batches,
)
from streamgauge.types import Batch, Drift, Schema

SEPARATORS = (",", ";", "\t", "|")
"""Separators to try by default."""

BOM = b"\xef\xbb\xbf"
UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Csv(Columns):
    """A CSV file, optionally compressed by gzip or zstd.

    The file is scanned once at construction for types, nominal values and classes, unless
    `types` and `classes` declare them. Missing cells are empty or one of `?`, `NA`, `N/A`,
    `NaN`, `nan`, `NAN`, `null`, `NULL`; in quotes these words are nominal values. Blanks
    around a cell are removed. Blank lines are skipped.

    Parameters
    ----------
    path
        The file, in UTF-8.
    separator
        One character; a blank stands for any run of blanks and tabs. By default the one of
        comma, semicolon, tab and bar that splits the first line into most cells.
    decimal
        The decimal mark of numbers: a point or a comma. A comma that is also the separator is
        a decimal mark only in quotes.
    header
        Whether the first line holds the names; by default it does unless all cells are numbers.
        Columns without names are called `c0`, `c1`, …
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
    ...     path = pathlib.Path(folder) / "rain.csv"
    ...     _ = path.write_text("wind,sky,rain\\n3.5,grey,1\\n,blue,0\\n")
    ...     stream = Csv(path, target="rain")
    ...     [batch.x.tolist() for batch in stream.batches()], stream.schema.classes
    ([[[3.5, 1.0], [nan, 0.0]]], (0, 1))
    """

    path: Path | str
    separator: str | None = None
    header: bool | None = None
    decimal: str = "."
    drifts: tuple[Drift, ...] = ()
    text: Text = field(init=False, repr=False, compare=False)
    layout: Layout = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "decimal", self.decimal, (".", ","))
        options = self.columns()
        text, notes = detect_format(
            existing(self.path), options, self.separator, self.header, self.decimal
        )
        roles = column_roles(text.who, text.names, options)
        unknown: list[ColumnProfile | None] = [None] * len(text.names)
        modes = scan_modes(roles, options, unknown)
        rows, profiles = None, tuple(unknown)
        if any(mode != "skip" for mode in modes):
            rows, profiles = scan_columns(text, modes)
        if self.decimal == ".":
            way = "pass decimal=','"
            refuse_decimal_commas(text.who, roles, options, profiles, way)
        found = infer_layout(text.who, roles, options, profiles, rows, self.drifts, notes)
        refuse_undeclared(text, found, profiles)
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "layout", found)

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


def detect_format(
    path: Path, options: Columns, separator: str | None, header: bool | None, decimal: str
) -> tuple[Text, list[str]]:
    """Detect separator, names and start of the data; return notes on what was inferred."""
    notes: list[str] = []
    found, row = detect_separator(
        path, candidates(path, decimal) if separator is None else (separator,)
    )
    if row is None:
        with unpacked(path) as file:
            skip = len(BOM) if file.read(len(BOM)) == BOM else 0
        return Text(path, declared_names(options), skip=skip), ["rows: none, the file is empty"]
    if separator is None and found != ",":
        notes.append(f"separator: {found!r}")
    plain = [cell.replace(decimal, ".") for cell in row.cells]
    if header is None and all(is_number_cell(cell) for cell in plain):
        header = False
        notes.append("header: none, the first line holds numbers; columns are c0, c1, …")
    if header is False:
        names = tuple(f"c{column}" for column in range(len(row.cells)))
        return Text(path, names, found, skip=row.bom, decimal=decimal), notes
    numbers = [cell for cell in plain if is_number_cell(cell)]
    if header is None and numbers:
        notes.append(
            f"header: the first line, though {numbers[0]} in it is a number; pass header=False "
            "if it is an item"
        )
    names = tuple(cell or f"c{column}" for column, cell in enumerate(row.cells))
    mentioned = (*options.drop, options.target, options.time, options.label_time, options.weight)
    if not row.cells[0] and "c0" not in mentioned:
        notes.append("header: the first column has no name, it is called c0; is it an index?")
    skip, line = row.bom + row.bytes, 1 + row.lines
    return Text(path, names, found, skip=skip, line=line, decimal=decimal), notes


def candidates(path: Path, decimal: str) -> Sequence[str]:
    """Return the separators to try: the decimal mark only if no other one splits the line."""
    others = tuple(separator for separator in SEPARATORS if separator != decimal)
    row = detect_separator(path, others)[1]
    return others if row is None or len(row.cells) > 1 else SEPARATORS


def detect_separator(path: Path, candidates: Sequence[str]) -> tuple[str, FirstRow | None]:
    """Return the separator that gives the first row most cells, and that row."""
    rows: dict[str, FirstRow | None] = {}
    fault: DataError | None = None
    for separator in candidates:
        try:
            rows[separator] = first_row(path, separator)
        except DataError as error:  # "a","b" cannot be split at semicolons
            fault = fault or error
    if not rows and fault is not None:
        raise fault
    return max(rows.items(), key=lambda row: len(row[1].cells) if row[1] else 0)


@dataclass(frozen=True, slots=True)
class FirstRow:
    """The first row, its length in bytes and lines, and the bytes of the BOM before it."""

    cells: tuple[str, ...]
    bytes: int
    lines: int
    bom: int


def first_row(path: Path, separator: str) -> FirstRow | None:
    """Return the first row of a file, None if the file is empty."""
    start = b""
    with unpacked(path) as file:
        while True:
            piece = file.read(PIECE)
            start += piece
            if start.startswith(UTF_16):
                raise DataError(f"{path}: must be UTF-8, got UTF-16; save it as UTF-8")
            bom = len(BOM) if start.startswith(BOM) else 0
            try:
                row = text_cells(start[bom:], not piece, separator, False)
            except ValueError as fault:
                raise DataError(error_message(Text(path, ()), fault)) from None
            if row is not None:
                return FirstRow(tuple(row[0]), row[1], row[2], bom)
            if not piece:
                return None


def declared_names(options: Columns) -> tuple[str, ...]:
    """Return the columns that the options mention; an empty file is assumed to have them."""
    roles = (options.time, options.label_time, options.weight, options.target or "label")
    names = [*options.drop, *options.nominal, *options.types, *(name for name in roles if name)]
    return tuple(dict.fromkeys(names))

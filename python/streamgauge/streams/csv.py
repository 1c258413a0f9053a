"""CSV files, plain or packed, in constant memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from streamgauge._core import text_cells
from streamgauge.errors import DataError
from streamgauge.files import existing, unpacked
from streamgauge.streams.columns import Columns, one_of, roles
from streamgauge.streams.layout import Facts, Layout, is_number, layout, refuse_decimal_commas
from streamgauge.streams.text import (
    PIECE,
    Text,
    counted,
    looks,
    refuse_undeclared,
    scanned,
    sentence,
    text_batches,
)
from streamgauge.types import Batch, Drift, Schema

SEPARATORS = (",", ";", "\t", "|")
"""What may stand between cells if the user does not say."""

BOM = b"\xef\xbb\xbf"
UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Csv(Columns):
    """A CSV file, also packed by gzip or zstd.

    The file is walked once at the start to find types, nominal values and classes, unless
    `types` and `classes` declare them. Missing cells are empty or one of `?`, `NA`, `N/A`,
    `NaN`, `nan`, `NAN`, `null`, `NULL`; between quotes these words are nominal values. Blanks
    around a cell do not count. Blank lines are left out.

    Parameters
    ----------
    path
        The file, in UTF-8.
    separator
        One character; a blank stands for any run of blanks and tabs. None: whichever of
        comma, semicolon, tab and bar divides the first line into most cells.
    decimal
        The decimal mark of numbers: a point or a comma. A comma that also divides cells is a
        mark only between quotes.
    header
        Does the first line hold the names? None: yes, unless all its cells are numbers.
        Without names, columns are called `c0`, `c1`, …
    drifts
        Known drifts.

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
        said = self.columns()
        text, notes = opened(existing(self.path), said, self.separator, self.header, self.decimal)
        which = roles(text.who, text.names, said)
        nothing: list[Facts | None] = [None] * len(text.names)
        words = looks(which, said, nothing)
        rows, facts = None, tuple(nothing)
        if any(word != "away" for word in words):
            rows, facts = scanned(text, words)
        if self.decimal == ".":
            way = "give decimal=','"
            refuse_decimal_commas(text.who, which, said, facts, way)
        found = layout(text.who, which, said, facts, rows, self.drifts, notes)
        refuse_undeclared(text, found, facts)
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "layout", found)

    @property
    def name(self) -> str:
        """The file's name without its endings."""
        return Path(self.path).name.partition(".")[0]

    @property
    def schema(self) -> Schema:
        """What it promises about its items."""
        return self.layout.schema

    @property
    def length(self) -> int | None:
        """How many items; counted when first asked, if the file was not scanned."""
        return counted(self.text) if self.layout.rows is None else self.layout.rows

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Its items from the first on, at most `size` at a time."""
        return text_batches(self.text, self.layout, size)


def opened(
    path: Path, said: Columns, separator: str | None, header: bool | None, decimal: str
) -> tuple[Text, list[str]]:
    """Find separator, names and where the data begin; what was guessed is noted."""
    notes: list[str] = []
    found, row = separated(path, candidates(path, decimal) if separator is None else (separator,))
    if row is None:
        return Text(path, named(said)), ["rows: none, the file is empty"]
    if separator is None and found != ",":
        notes.append(f"separator: {found!r}")
    plain = [cell.replace(decimal, ".") for cell in row.cells]
    if header is None and all(is_number(cell) for cell in plain):
        header = False
        notes.append("header: none, the first line holds numbers; columns are c0, c1, …")
    if header is False:
        names = tuple(f"c{column}" for column in range(len(row.cells)))
        return Text(path, names, found, skip=row.bom, decimal=decimal), notes
    numbers = [cell for cell in plain if is_number(cell)]
    if header is None and numbers:
        notes.append(
            f"header: the first line, though {numbers[0]} in it is a number; say header=False "
            "if it is an item"
        )
    names = tuple(cell or f"c{column}" for column, cell in enumerate(row.cells))
    spoken = (*said.drop, said.target, said.time, said.label_time, said.weight)
    if not row.cells[0] and "c0" not in spoken:
        notes.append("header: the first column has no name, it is called c0; is it an index?")
    skip, line = row.bom + row.bytes, 1 + row.lines
    return Text(path, names, found, skip=skip, line=line, decimal=decimal), notes


def candidates(path: Path, decimal: str) -> Sequence[str]:
    """What may divide cells: not the decimal mark, unless nothing else does."""
    others = tuple(separator for separator in SEPARATORS if separator != decimal)
    row = separated(path, others)[1]
    return others if row is None or len(row.cells) > 1 else SEPARATORS


def separated(path: Path, candidates: Sequence[str]) -> tuple[str, FirstRow | None]:
    """The first row by the separator that gives it most cells."""
    rows: dict[str, FirstRow | None] = {}
    fault: DataError | None = None
    for separator in candidates:
        try:
            rows[separator] = first_row(path, separator)
        except DataError as error:  # "a","b" cannot be cut at semicolons
            fault = fault or error
    if not rows and fault is not None:
        raise fault
    return max(rows.items(), key=lambda one: len(one[1].cells) if one[1] else 0)


@dataclass(frozen=True, slots=True)
class FirstRow:
    """The first row, the bytes and lines it takes, and those of the mark before it."""

    cells: tuple[str, ...]
    bytes: int
    lines: int
    bom: int


def first_row(path: Path, separator: str) -> FirstRow | None:
    """The first row of a file, None if the file is empty."""
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
                raise DataError(sentence(Text(path, ()), fault)) from None
            if row is not None:
                return FirstRow(tuple(row[0]), row[1], row[2], bom)
            if not piece:
                return None


def named(said: Columns) -> tuple[str, ...]:
    """The columns that were spoken of; an empty file is believed to have them."""
    roles = (said.time, said.label_time, said.weight, said.target or "label")
    names = [*said.drop, *said.nominal, *said.types, *(name for name in roles if name)]
    return tuple(dict.fromkeys(names))

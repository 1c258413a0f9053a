"""Streams as text: CSV, and ARFF with its header."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.buffers import as_arrow, texts
from streamgauge.errors import DataError
from streamgauge.streams._options import remembered
from streamgauge.streams._sheet import Column, Sheet
from streamgauge.streams.layout import MISSING
from streamgauge.types import Batch

BARE = re.compile(r"[A-Za-z0-9_.+:/-]+")
"""Cells that need no quotes."""

FIRST, LAST = -62_167_219_200_000_000, 253_402_300_799_999_999
"""Microseconds of the years 0000 to 9999, which have four digits."""

PACKINGS = {".gz": "gzip", ".zst": "zstd"}


@contextmanager
def csv_writer(part: Path, sheet: Sheet) -> Iterator[Callable[[Batch], None]]:
    """A CSV file: names, then a line per item; a missing cell is empty."""
    header = ",".join(csv_quoted(column.name) for column in sheet.columns)
    with text_file(part, sheet, header) as file:
        gaps = [csv_gap(column, len(sheet.columns)) for column in sheet.columns]
        yield lines_to(file, sheet, csv_quoted, gaps)


@contextmanager
def arff_writer(part: Path, sheet: Sheet) -> Iterator[Callable[[Batch], None]]:
    """An ARFF file; the options to read it back are a comment of its header."""
    header = [remembered(sheet.options()), f"@relation {arff_quoted(sheet.name)}"]
    for column in sheet.columns:
        kind = "numeric"
        if column.values is not None:
            kind = f"{{{','.join(words(column.values, arff_quoted))}}}"
        header.append(f"@attribute {arff_quoted(column.name)} {kind}")
    with text_file(part, sheet, "\n".join((*header, "@data"))) as file:
        yield lines_to(file, sheet, arff_quoted, ["?"] * len(sheet.columns))


@contextmanager
def text_file(part: Path, sheet: Sheet, header: str) -> Iterator[Any]:
    """A file of text with its header, packed if its name says so."""
    with pa.output_stream(str(part), compression=PACKINGS.get(sheet.packing)) as file:
        file.write(f"{header}\n".encode())
        yield file


def lines_to(
    file: Any, sheet: Sheet, quoted: Callable[[str], str], gaps: Sequence[str]
) -> Callable[[Batch], None]:
    """Writes batches as lines of cells with commas between."""
    pools = [
        None if column.values is None else texts(words(column.values, quoted))
        for column in sheet.columns
    ]
    comma, *fills = texts([",", *gaps])

    def write(batch: Batch) -> None:
        cells = [
            pc.coalesce(text_cells(sheet, column, pool, batch), gap)
            for column, pool, gap in zip(sheet.columns, pools, fills, strict=True)
        ]
        lines = pc.binary_join_element_wise(*cells, comma).to_pylist()
        file.write("".join(f"{line}\n" for line in lines).encode())

    return write


def text_cells(sheet: Sheet, column: Column, pool: Any, batch: Batch) -> Any:
    """The cells of a column as text, null where they are missing.

    Numbers are written with as many digits as it takes to read back the same float64.
    """
    if pool is not None:
        codes, gaps = column.codes(batch)
        return pool.take(as_arrow(codes, gaps))
    cells, gaps = column.cells(batch)
    found = as_arrow(cells, gaps)
    if column.stamps:
        far = cells[~gaps & ((cells < FIRST) | (cells > LAST))]
        if len(far):
            raise DataError(
                f"{sheet.name}: {column.role} must be from year 0 to 9999 to be written as CSV, "
                f"got {int(far[0])} microseconds from 1970; write Parquet"
            )
        found = found.cast(pa.timestamp("us"))
    return found.cast(pa.string())


def words(values: Sequence[Any], quoted: Callable[[str], str]) -> list[str]:
    """Nominal values as cells."""
    return [quoted(value if isinstance(value, str) else repr(value)) for value in values]


def csv_quoted(cell: str) -> str:
    """A cell of a CSV file, between quotes if it is not plain or would say "missing"."""
    if BARE.fullmatch(cell) and cell not in MISSING:
        return cell
    return '"' + cell.replace('"', '""') + '"'


def csv_gap(column: Column, width: int) -> str:
    """A missing cell: empty, unless that is a value or the whole line."""
    values = () if column.values is None else column.values
    words = ("", *sorted(MISSING)) if width > 1 else sorted(MISSING)
    return next(word for word in words if word not in values)


ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def arff_quoted(cell: str) -> str:
    """A name or value of an ARFF file, between quotes if it is not plain."""
    if BARE.fullmatch(cell):
        return cell
    return f"'{cell.translate(ESCAPES)}'"

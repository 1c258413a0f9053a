"""Writers of CSV and ARFF files."""

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
from streamgauge.streams._file_spec import Column, FileSpec
from streamgauge.streams._options import arff_comment
from streamgauge.types import Batch
from streamgauge.types.values import MISSING

BARE = re.compile(r"[A-Za-z0-9_.+:/-]+")
"""Cells that need no quotes."""

FIRST, LAST = -62_167_219_200_000_000, 253_402_300_799_999_999
"""Microseconds of the years 0000 to 9999, which have four digits."""

COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}


@contextmanager
def csv_writer(part: Path, spec: FileSpec) -> Iterator[Callable[[Batch], None]]:
    """Write a CSV file: names, then one line per item; a missing cell is empty."""
    header = ",".join(csv_quoted(column.name) for column in spec.columns)
    with text_file(part, spec, header) as file:
        gaps = [csv_gap(column, len(spec.columns)) for column in spec.columns]
        yield lines_to(file, spec, csv_quoted, gaps)


@contextmanager
def arff_writer(part: Path, spec: FileSpec) -> Iterator[Callable[[Batch], None]]:
    """Write an ARFF file, with the options to read it back in a comment of the header."""
    header = [arff_comment(spec.options()), f"@relation {arff_quoted(spec.name)}"]
    for column in spec.columns:
        kind = "numeric"
        if column.values is not None:
            kind = f"{{{','.join(words(column.values, arff_quoted))}}}"
        header.append(f"@attribute {arff_quoted(column.name)} {kind}")
    with text_file(part, spec, "\n".join((*header, "@data"))) as file:
        yield lines_to(file, spec, arff_quoted, ["?"] * len(spec.columns))


@contextmanager
def text_file(part: Path, spec: FileSpec, header: str) -> Iterator[Any]:
    """Open a text file, compressed according to its suffix, and write the header."""
    with pa.output_stream(str(part), compression=COMPRESSIONS.get(spec.compression)) as file:
        file.write(f"{header}\n".encode())
        yield file


def lines_to(
    file: Any, spec: FileSpec, quoted: Callable[[str], str], gaps: Sequence[str]
) -> Callable[[Batch], None]:
    """Return a function that writes a batch as comma-separated lines."""
    pools = [
        None if column.values is None else texts(words(column.values, quoted))
        for column in spec.columns
    ]
    comma, *fills = texts([",", *gaps])

    def write(batch: Batch) -> None:
        cells = [
            pc.coalesce(text_cells(spec, column, pool, batch), gap)
            for column, pool, gap in zip(spec.columns, pools, fills, strict=True)
        ]
        lines = pc.binary_join_element_wise(*cells, comma).to_pylist()
        file.write("".join(f"{line}\n" for line in lines).encode())

    return write


def text_cells(spec: FileSpec, column: Column, pool: Any, batch: Batch) -> Any:
    """Convert a column to text, null for missing cells.

    Numbers are written with enough digits to read back the same float64.
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
                f"{spec.name}: {column.role} must be from year 0 to 9999 to be written as CSV, "
                f"got {int(far[0])} microseconds from 1970; write Parquet"
            )
        found = found.cast(pa.timestamp("us"))
    return found.cast(pa.string())


def words(values: Sequence[Any], quoted: Callable[[str], str]) -> list[str]:
    """Convert nominal values to cells."""
    return [quoted(value if isinstance(value, str) else repr(value)) for value in values]


def csv_quoted(cell: str) -> str:
    """Quote a CSV cell if it is not plain or could be read as missing."""
    if BARE.fullmatch(cell) and cell not in MISSING:
        return cell
    return '"' + cell.replace('"', '""') + '"'


def csv_gap(column: Column, width: int) -> str:
    """Return the text of a missing cell: empty, unless that is a value or the whole line."""
    values = () if column.values is None else column.values
    words = ("", *sorted(MISSING)) if width > 1 else sorted(MISSING)
    return next(word for word in words if word not in values)


ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def arff_quoted(cell: str) -> str:
    """Quote a name or value of an ARFF file if it is not plain."""
    if BARE.fullmatch(cell):
        return cell
    return f"'{cell.translate(ESCAPES)}'"

"""Common code of the comparisons with other libraries: rows, tables, the exit code.

The docstring of each `parity_*.py` states what is compared, the tolerance, and why the two sides
differ where they do. With `--write` that text and the table are written to `docs/parity.md`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from in_memory import InMemory, in_memory
from results import table, write_section

from streamgauge import streams
from streamgauge.errors import MissingDataError
from streamgauge.types import Stream

PAGE = Path(__file__).parents[1] / "docs" / "parity.md"
Streams = Mapping[str, tuple[Callable[[], Stream], int]]


def numeric_covtype() -> Stream:
    """Covtype with its indicators as numbers, as in the tables of the page."""
    return streams.Covtype(numeric=["Wilderness_Area*", "Soil_Type*"])


@dataclass(frozen=True)
class Row:
    """One row of a table: its cells, whether both sides agree, and why not if known."""

    cells: tuple[str, ...]
    near: bool = True
    remark: str = ""

    @property
    def verdict(self) -> str:
        return "" if self.near else self.remark or "DIFFERS"


@dataclass(frozen=True)
class Absent:
    """A stream whose file is missing."""

    sentence: str


def on_each(
    sources: Streams, compared: Callable[[InMemory], Iterable[Row]]
) -> Iterator[Row | Absent]:
    """The rows of every available stream."""
    for name, (make, items) in sources.items():
        try:
            data = in_memory(name, make(), items)
        except MissingDataError as error:
            yield Absent(f"{name}: left out, {error}")
            continue
        yield from compared(data)


def options(about: str) -> argparse.ArgumentParser:
    """The command line options of every comparison."""
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--all", action="store_true", help="missing files are a failure")
    parser.add_argument("--write", action="store_true", help="put the table into docs/parity.md")
    return parser


def show(
    title: str,
    about: str,
    head: Mapping[str, int],
    rows: Iterable[Row | Absent],
    given: argparse.Namespace,
    bound: bool = True,
) -> int:
    """Print the rows; 1 if some disagree. `head`: the width of each column, < 0 if left-aligned."""
    print(padded(head, head))
    kept, absent = [], []
    for row in rows:
        if isinstance(row, Absent):
            absent.append(row.sentence)
            continue
        kept.append(row)
        print(padded(head, row.cells), row.verdict, flush=True)
    near = all(row.near or row.remark for row in kept)
    print(*absent, sep="\n")
    if bound:
        print("all rows agree" if near else "some rows DISAGREE")
    if given.write:
        write_section(title, section(title, about, head, kept, absent), PAGE)
    return 1 if not near or (given.all and absent) else 0


def padded(head: Mapping[str, int], cells: Iterable[str]) -> str:
    """The cells, padded to the widths of their columns."""
    pairs = zip(head.values(), cells, strict=True)
    return " ".join(f"{c:<{-width}}" if width < 0 else f"{c:>{width}}" for width, c in pairs)


def section(
    title: str, about: str, head: Mapping[str, int], rows: list[Row], absent: list[str]
) -> str:
    """The heading, the script's docstring without its usage, and the table."""
    text = about.partition("\n    python ")[0].strip()
    remarks = any(row.verdict for row in rows)
    columns = [*head, *([""] if remarks else [])]
    lines = [[*row.cells, *([row.verdict] if remarks else [])] for row in rows]
    return "\n\n".join([f"## {title}", text, table(columns, lines), *absent])

"""What the comparisons with other libraries share: rows as they come, their page, the verdict.

Each `parity_*.py` says in its docstring what is compared, how near is near enough, and why the two
sides differ where they do. With `--write` that text and the table go to `docs/parity.md`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from held import Held, held
from results import table, write_section

from streamgauge import streams
from streamgauge.errors import MissingDataError
from streamgauge.types import Stream

PAGE = Path(__file__).parents[1] / "docs" / "parity.md"
Streams = Mapping[str, tuple[Callable[[], Stream], int]]


def numeric_covtype() -> Stream:
    """Covtype with its indicators as numbers, as the tables of the page were measured."""
    return streams.Covtype(numeric=["Wilderness_Area*", "Soil_Type*"])


@dataclass(frozen=True)
class Row:
    """One line of a table: its cells, whether both sides are near, and why not if that is known."""

    cells: tuple[str, ...]
    near: bool = True
    remark: str = ""

    @property
    def verdict(self) -> str:
        return "" if self.near else self.remark or "DIFFERS"


@dataclass(frozen=True)
class Absent:
    """A stream whose file is not here."""

    sentence: str


def on_each(sources: Streams, compared: Callable[[Held], Iterable[Row]]) -> Iterator[Row | Absent]:
    """The rows of every stream that is here."""
    for name, (make, items) in sources.items():
        try:
            data = held(name, make(), items)
        except MissingDataError as error:
            yield Absent(f"{name}: left out, {error}")
            continue
        yield from compared(data)


def options(about: str) -> argparse.ArgumentParser:
    """What every comparison can be told."""
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--all", action="store_true", help="missing files are a failure")
    parser.add_argument("--write", action="store_true", help="put the table into docs/parity.md")
    return parser


def shown(
    title: str,
    about: str,
    head: Mapping[str, int],
    rows: Iterable[Row | Absent],
    given: argparse.Namespace,
    bound: bool = True,
) -> int:
    """Print the rows; 1 if some are not near. `head`: how wide each column is, < 0 to the left."""
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
        print("all alike" if near else "NOT all alike")
    if given.write:
        write_section(title, section(title, about, head, kept, absent), PAGE)
    return 1 if not near or (given.all and absent) else 0


def padded(head: Mapping[str, int], cells: Iterable[str]) -> str:
    """The cells, each as wide as its column."""
    pairs = zip(head.values(), cells, strict=True)
    return " ".join(f"{c:<{-width}}" if width < 0 else f"{c:>{width}}" for width, c in pairs)


def section(
    title: str, about: str, head: Mapping[str, int], rows: list[Row], absent: list[str]
) -> str:
    """Heading, the script's docstring but for its usage, the table."""
    text = about.partition("\n    python ")[0].strip()
    remarks = any(row.verdict for row in rows)
    columns = [*head, *([""] if remarks else [])]
    lines = [[*row.cells, *([row.verdict] if remarks else [])] for row in rows]
    return "\n\n".join([f"## {title}", text, table(columns, lines), *absent])

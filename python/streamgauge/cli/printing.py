"""Printing of pages and tables in a terminal or as JSON."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Literal

import click
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from streamgauge.escapes import in_terminal
from streamgauge.report._format import REPEATED, shown
from streamgauge.report.json import to_json
from streamgauge.report.page import Page, Table

COLOURS = {"warning": "yellow", "note": "cyan", "good": "green"}
WIDE = 140
"""Width of lines if the output is not a terminal."""

LESS = ("labels", "coverage", "vs_", "repeated", "correct", "changes")
"""Columns that are left out first if those of repetitions do not fit."""

SHORT = 24
"""Length up to which names are not folded."""


def show(page: Page, as_json: bool, quiet: bool) -> None:
    """Print a page: tables, then findings; or JSON."""
    if as_json:
        click.echo(to_json(page, curves=False))
    elif not quiet:
        console = terminal()
        for section in page.sections:
            console.print()
            console.print(in_terminal(section.stream), style="bold")
            console.print(_grid(_fitting(section.table, console)))
        if any(section.table.repeated for section in page.sections):
            console.print(f"\n{REPEATED}", style="dim")
        console.print()
        for finding in page.findings:
            line = Text(f"{finding.severity:>8}  ", style=COLOURS[finding.severity])
            if len(page.sections) > 1:
                line.append(f"{in_terminal(finding.stream)}: ", style="bold default")
            console.print(line.append(in_terminal(finding.sentence), style="default"))


def terminal() -> Console:
    """Console as wide as the terminal, or `WIDE` columns without one; names are never markup."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = WIDE
    return console


def print_table(table: Table) -> None:
    """Print one table."""
    console = terminal()
    console.print(_grid(_fitting(table, console)))


def plain(value: Any) -> Any:
    """The value with NaN and infinities replaced by None, for JSON."""
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, list):
        return [plain(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _fitting(table: Table, console: Console) -> Table:
    """A table of repetitions without the columns that do not fit; files have all of them."""
    for key in LESS if table.repeated else ():
        if _width(table) <= console.width:
            break
        kept = [i for i, c in enumerate(table.columns) if not c.key.startswith(key)]
        rows = (replace(row, cells=tuple(row.cells[i] for i in kept)) for row in table.rows)
        table = Table(tuple(table.columns[i] for i in kept), tuple(rows))
    return table


def _width(table: Table) -> int:
    """Width at which no number is broken; headings are broken between words, names anywhere."""
    widths = []
    for i, column in enumerate(table.columns):
        words = max(map(len, column.title.split(" ")))
        cells = max((len(shown(row.cells[i], column.kind)) for row in table.rows), default=0)
        widths.append(max(words, cells if column.kind != "text" else min(cells, SHORT)))
    return sum(widths) + 2 * len(widths)


def _grid(table: Table) -> Grid:
    """Lay the table out. Where it is too wide, the widest columns are folded or wrapped first."""
    grid = Grid(box=None, header_style="dim", pad_edge=False)
    for i, column in enumerate(table.columns):
        text = column.kind == "text"
        short = text and all(len(str(row.cells[i])) <= SHORT for row in table.rows)
        justify: Literal["left", "right"] = "left" if text else "right"
        grid.add_column(in_terminal(column.title), justify=justify, overflow="fold", no_wrap=short)
    best = {c.key: table.best(c.key) for c in table.columns}
    for i, row in enumerate(table.rows):
        style = "dim" if row.baseline else ""
        cells = [
            Text(in_terminal(shown(cell, c.kind)), style="bold" if i in best[c.key] else style)
            for c, cell in zip(table.columns, row.cells, strict=True)
        ]
        grid.add_row(*cells)
    return grid

"""What a command prints: the page's tables and findings, for people or for machines."""

from __future__ import annotations

import math
from typing import Any

import click
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from streamgauge.report.json import to_json
from streamgauge.report.page import Page, Table
from streamgauge.report.wording import shown

COLOURS = {"warning": "yellow", "note": "cyan", "good": "green"}
WIDE = 140
"""Where output is not a terminal, lines are at most this long."""


def show(page: Page, as_json: bool, quiet: bool) -> None:
    """The page in a terminal: tables, then findings, where the eye rests; JSON if asked for."""
    if as_json:
        click.echo(to_json(page, curves=False))
    elif not quiet:
        console = terminal()
        for section in page.sections:
            console.print()
            console.print(section.stream, style="bold")
            console.print(_grid(section.table))
        console.print()
        for finding in page.findings:
            words = Text(f"{finding.severity:>8}  ", style=COLOURS[finding.severity])
            if len(page.sections) > 1:
                words.append(f"{finding.stream}: ", style="bold default")
            console.print(words.append(finding.sentence, style="default"))


def terminal() -> Console:
    """Where tables are printed: as wide as the terminal, or as `WIDE` where there is none."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=WIDE)


def print_table(table: Table) -> None:
    """One table."""
    terminal().print(_grid(table))


def plain(value: Any) -> Any:
    """What JSON can say of it: NaN and infinities are null."""
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, list):
        return [plain(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _grid(table: Table) -> Grid:
    grid = Grid(box=None, header_style="dim", pad_edge=False)
    for column in table.columns:
        text = column.kind == "text"
        grid.add_column(column.title, justify="left" if text else "right", no_wrap=text)
    best = {c.key: table.best(c.key) for c in table.columns}
    for i, row in enumerate(table.rows):
        style = "dim" if row.baseline else ""
        cells = [
            Text(shown(cell, c.kind), style="bold" if i in best[c.key] else style)
            for c, cell in zip(table.columns, row.cells, strict=True)
        ]
        grid.add_row(*cells)
    return grid

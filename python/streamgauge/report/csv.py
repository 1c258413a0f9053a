"""Tables of a page as CSV: one row per learner and stream, unformatted numbers."""

from __future__ import annotations

import csv
import io
import math

from streamgauge.escapes import in_csv
from streamgauge.repetitions._spread import Spread
from streamgauge.report.page import Page, TableCell

PARTS = ("", "_sd", "_low", "_high")
"""Ends of the names of the columns of a measure over repetitions."""


def to_csv(page: Page) -> str:
    """The tables of all streams below each other; undefined cells are empty.

    A measure over repetitions has four columns: its mean, `_sd`, `_low` and `_high`, the bounds of
    the interval of the mean; the column `repetitions` has their number.

    Text that a spreadsheet could calculate gets an apostrophe in front (`escapes.in_csv`).
    """
    tables = [(section.stream, section.table.without_intervals) for section in page.sections]
    keys = list(dict.fromkeys(c.key for _, table in tables for c in table.columns))
    spreads = {
        c.key
        for _, table in tables
        for i, c in enumerate(table.columns)
        if any(isinstance(row.cells[i], Spread) for row in table.rows)
    }
    head = [f"{key}{part}" for key in keys for part in (PARTS if key in spreads else ("",))]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["stream", "baseline", *map(in_csv, head)])
    for stream, table in tables:
        at = {c.key: i for i, c in enumerate(table.columns)}
        for row in table.rows:
            cells: list[TableCell] = []
            for key in keys:
                cell = row.cells[at[key]] if key in at else ""
                cells += _parts(cell) if key in spreads else [cell]
            writer.writerow([in_csv(stream), str(row.baseline).lower(), *map(_raw, cells)])
    return out.getvalue()


def _parts(cell: TableCell) -> list[TableCell]:
    """Mean, standard deviation and bounds; of a single run, the value alone."""
    if isinstance(cell, Spread):
        return [cell.mean, cell.sd, cell.low, cell.high]
    return [cell, "", "", ""]


def _raw(cell: TableCell) -> str | float:
    if cell is None or isinstance(cell, Spread) or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    return in_csv(cell)

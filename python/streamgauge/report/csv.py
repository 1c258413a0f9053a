"""Tables of a page as CSV: one row per learner and stream, unformatted numbers."""

from __future__ import annotations

import csv
import io
import math

from streamgauge.report.page import Cell, Page


def to_csv(page: Page) -> str:
    """The tables of all streams below each other; undefined cells are empty."""
    keys = list(dict.fromkeys(c.key for s in page.sections for c in s.table.columns))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["stream", "baseline", *keys])
    for section in page.sections:
        at = {c.key: i for i, c in enumerate(section.table.columns)}
        for row in section.table.rows:
            cells = [_raw(row.cells[at[key]]) if key in at else "" for key in keys]
            writer.writerow([section.stream, str(row.baseline).lower(), *cells])
    return out.getvalue()


def _raw(cell: Cell) -> Cell:
    return "" if cell is None or (isinstance(cell, float) and math.isnan(cell)) else cell

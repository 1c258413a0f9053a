"""Tables of a page as CSV: one row per learner and stream, unformatted numbers."""

from __future__ import annotations

import csv
import io
import math

from streamgauge.escapes import in_csv
from streamgauge.report.page import Cell, Page


def to_csv(page: Page) -> str:
    """The tables of all streams below each other; undefined cells are empty.

    Text that a spreadsheet could calculate gets an apostrophe in front (`escapes.in_csv`).
    """
    keys = list(dict.fromkeys(c.key for s in page.sections for c in s.table.columns))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["stream", "baseline", *map(in_csv, keys)])
    for section in page.sections:
        at = {c.key: i for i, c in enumerate(section.table.columns)}
        for row in section.table.rows:
            cells = [_raw(row.cells[at[key]]) if key in at else "" for key in keys]
            writer.writerow([in_csv(section.stream), str(row.baseline).lower(), *cells])
    return out.getvalue()


def _raw(cell: Cell) -> Cell:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    return in_csv(cell)

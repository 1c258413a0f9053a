"""Tables of a page as LaTeX, with booktabs rules."""

from __future__ import annotations

from collections.abc import Iterator

from streamgauge.escapes import in_latex
from streamgauge.report._format import REPEATED, shown
from streamgauge.report.page import Page, Table

NOTE = "Best values are bold, baselines italic."


def to_latex(page: Page) -> str:
    r"""The tables of all streams as LaTeX (package booktabs), one `table` each; names are text.

    With several streams of one task, the table of learners by streams comes first.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.log import from_columns
    >>> from streamgauge.report import build
    >>> from streamgauge.types import Schema
    >>> label = np.tile(np.array([0, 0, 1], np.int32), 100)
    >>> log = from_columns(Schema((), classes=("no", "yes")), label, label)
    >>> print(to_latex(build(log, ["accuracy"])).partition("\n\\midrule")[0])
    % \usepackage{booktabs}
    \begin{table}
    \centering
    \begin{tabular}{lrrrrr}
    \toprule
    learner & accuracy & vs persistent & vs majority\_class & coverage & labels \\
    """
    parts = [r"% \usepackage{booktabs}"]
    if page.overview.rows:
        parts += table_lines(page.overview, page.overview_note)
    for section in page.sections:
        parts += table_lines(section.table, f"Each learner over the whole of {section.stream}")
    return "\n".join([*parts, ""])


def table_lines(table: Table, caption: str) -> Iterator[str]:
    """The lines of a table in LaTeX."""
    aligned = "".join("l" if c.kind == "text" else "r" for c in table.columns)
    best = [table.best(c.key) for c in table.columns]
    yield r"\begin{table}"
    yield r"\centering"
    yield rf"\begin{{tabular}}{{{aligned}}}"
    yield r"\toprule"
    yield _row([in_latex(c.title) for c in table.columns])
    yield r"\midrule"
    for i, row in enumerate(table.rows):
        cells = [
            _number(shown(cell, c.kind)) for cell, c in zip(row.cells, table.columns, strict=True)
        ]
        cells = [
            rf"\textbf{{{cell}}}" if i in top else cell
            for cell, top in zip(cells, best, strict=True)
        ]
        if row.baseline:
            cells[0] = rf"\textit{{{cells[0]}}}"
        yield _row(cells)
    yield r"\bottomrule"
    yield r"\end{tabular}"
    notes = [f"{caption}.", NOTE, *([REPEATED] if table.repeated else [])]
    yield rf"\caption{{{_number(' '.join(notes))}}}"
    yield r"\end{table}"


def _number(text: str) -> str:
    return in_latex(text).replace("\u00a0", "~")


def _row(cells: list[str]) -> str:
    # After the end of a row, LaTeX takes `[` and `*` for arguments of `\\`.
    guard = "{}" if cells[0].startswith(("[", "*")) else ""
    return guard + " & ".join(cells) + r" \\"

"""A page as Markdown."""

from __future__ import annotations

from streamgauge.escapes import in_markdown, markdown_code
from streamgauge.report._format import REPEATED, shown
from streamgauge.report.page import Page, Table

MARKS = {"warning": "⚠", "note": "ℹ", "good": "✓"}


def to_markdown(page: Page) -> str:
    """Findings, tables, definitions and provenance; curves are left out."""
    parts = [f"# {in_markdown(page.title)}", in_markdown(page.summary), "## Findings"]
    several = len(page.sections) > 1
    findings = [
        f"- {MARKS[f.severity]} **{f.severity}**"
        f"{f' ({in_markdown(f.stream)})' if several else ''}: "
        f"{in_markdown(f.sentence)} [{markdown_code(f.rule)}]"
        for f in page.findings
    ]
    parts.append("\n".join(findings) or "No findings.")
    if page.overview.rows:
        parts += [
            "## All streams",
            in_markdown(page.overview_note),
            _table(page.overview, mark=True),
            *([in_markdown(REPEATED)] if page.overview.repeated else []),
        ]
    for section in page.sections:
        parts.append(f"## {in_markdown(section.stream)}")
        parts.append(
            "\n".join(f"- {in_markdown(k)}: {in_markdown(v)}" for k, v in section.facts.items())
        )
        parts.append(_table(section.table, mark=True))
        if section.table.repeated:
            parts.append(in_markdown(REPEATED))
        if section.verdicts.rows:
            parts += ["### Which learner is better", _table(section.verdicts)]
        if section.verdicts_note:
            parts.append(in_markdown(section.verdicts_note))
        if section.pending is not None:
            parts += [
                "### Predictions while labels are pending",
                _table(section.pending.table, mark=True),
            ]
            parts.append(in_markdown(section.pending.note))
        for found in section.properties:
            parts += [f"### {in_markdown(found.title)}", _table(found.table, mark=True)]
            parts.append(in_markdown(found.note))
        if section.selections is not None:
            parts += ["### Selected features", _table(section.selections.table, mark=True)]
            parts.append(in_markdown(section.selections.note))
        if section.costs.rows:
            parts += ["### What the runs cost", _table(section.costs, mark=True)]
            parts.append(in_markdown(section.costs_note))
        if section.profile is not None:
            parts += ["### All properties side by side", _table(section.profile.values, mark=True)]
            parts.append(in_markdown(section.profile.note))
            parts += [_table(section.profile.scores), _table(section.profile.axes)]
    if page.definitions:
        parts.append("## Definitions")
        for d in page.definitions:
            details = in_markdown("; ".join(f"{k}: {v}" for k, v in d.details.items()))
            suffix = f" ({details})" if details else ""
            formula = f" {markdown_code(d.formula)}" if d.formula else ""
            parts.append(f"**{in_markdown(d.term)}**:{formula} {in_markdown(d.text)}{suffix}")
    if page.provenance.rows or page.versions:
        parts.append("## Versions and seeds")
    if page.provenance.rows:
        parts.append(_table(page.provenance))
    if page.versions:
        parts.append(
            "\n".join(f"- {in_markdown(k)} {in_markdown(v)}" for k, v in page.versions.items())
        )
    return "\n\n".join(parts) + "\n"


def _table(table: Table, mark: bool = False) -> str:
    best = {c.key: table.best(c.key) for c in table.columns} if mark else {}
    lines = [
        "| " + " | ".join(in_markdown(c.title) for c in table.columns) + " |",
        "|" + "|".join(":--" if c.kind == "text" else "--:" for c in table.columns) + "|",
    ]
    for i, row in enumerate(table.rows):
        cells = [
            in_markdown(shown(x, c.kind)) for x, c in zip(row.cells, table.columns, strict=True)
        ]
        cells = [
            f"**{text}**" if i in best.get(c.key, ()) else text
            for text, c in zip(cells, table.columns, strict=True)
        ]
        if mark and row.baseline:
            cells[0] = f"*{cells[0]}* (baseline)"
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)

"""The Markdown of a page holds each of its texts once, as a paragraph or a line of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from report.example_logs import logs
from streamgauge import learners, streams
from streamgauge.engine import run
from streamgauge.protocols import Reevaluating
from streamgauge.report._write_report import build
from streamgauge.report.markdown import to_markdown
from streamgauge.report.page import Page, Table


def late_logs():
    stream = streams.delay(streams.SEA(items=400), 60)
    names = (learners.NaiveBayes(), learners.MajorityClass())
    return [run(stream, one, Reevaluating(every=10)) for one in names]


PAGES = {
    "one learner": lambda: build(logs()[:1]),
    "two learners": lambda: build(logs(), title="a title of two words"),
    "two streams": lambda: build([*logs(), *logs(stream="another stream")]),
    "late labels": lambda: build(late_logs()),
}


def tables(page: Page) -> Iterator[Table]:
    yield page.overview
    for section in page.sections:
        yield section.table
        yield section.verdicts
        if section.pending is not None:
            yield section.pending.table
        yield from (found.table for found in section.properties)
        if section.selections is not None:
            yield section.selections.table
        yield section.costs
        if section.profile is not None:
            yield from (section.profile.values, section.profile.scores, section.profile.axes)
    yield page.provenance


def texts(page: Page) -> Iterator[str]:
    """The texts that are not in tables, one per paragraph or line."""
    several = len(page.sections) > 1
    yield from (f"# {page.title}", page.summary, "## Findings")
    for found in page.findings:
        where = f" ({found.stream})" if several else ""
        yield f"{found.severity}{where}: {found.sentence} [{found.rule}]"
    if not page.findings:
        yield "No findings."
    if page.overview.rows:
        yield from ("## All streams", page.overview_note)
    for section in page.sections:
        yield f"## {section.stream}"
        yield from (f"{name}: {value}" for name, value in section.facts.items())
        if section.verdicts.rows:
            yield "### Which learner is better"
        if section.verdicts_note:
            yield section.verdicts_note
        if section.pending is not None:
            yield from ("### Predictions while labels are pending", section.pending.note)
        for found in section.properties:
            yield from (f"### {found.title}", found.note)
        if section.selections is not None:
            yield from ("### Selected features", section.selections.note)
        if section.costs.rows:
            yield from ("### What the runs cost", section.costs_note)
        if section.profile is not None:
            yield from ("### All properties side by side", section.profile.note)
    if page.definitions:
        yield "## Definitions"
    for one in page.definitions:
        details = "; ".join(f"{name}: {value}" for name, value in one.details.items())
        formula = f" {one.formula}" if one.formula else ""
        yield f"{one.term}:{formula} {one.text}" + (f" ({details})" if details else "")
    if page.provenance.rows or page.versions:
        yield "## Versions and seeds"
    yield from (f"{name} {version}" for name, version in page.versions.items())


def plain(line: str) -> str:
    """A line without list marks, emphasis, code marks and escapes."""
    line = re.sub(r"^- (\S+ (?=\*\*(warning|note|good)\*\*))?", "", line)
    line = re.sub(r"(?<!\\)(\*\*|`)", "", line)
    return " ".join(re.sub(r"\\(.)", r"\1", line).split())


@pytest.mark.parametrize("name", PAGES)
def test_every_text_of_a_page_is_a_line_in_its_order(name: str) -> None:
    page = PAGES[name]()
    lines = [line for line in to_markdown(page).splitlines() if line and line[0] != "|"]
    # Formulas are code, in which nothing is escaped.
    wanted = [
        re.sub(r"\\(.)", r"\1", " ".join(text.split())).replace("**", "").replace("`", "")
        for text in texts(page)
    ]
    assert [plain(line) for line in lines] == wanted


@pytest.mark.parametrize("name", PAGES)
def test_every_table_of_a_page_has_a_line_per_row(name: str) -> None:
    page = PAGES[name]()
    lines = [line for line in to_markdown(page).splitlines() if line.startswith("|")]
    assert len(lines) == sum(len(table.rows) + 2 for table in tables(page) if table.rows)

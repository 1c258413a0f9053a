"""Hostile names in every place of a report and of a table for a paper stay text."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from report.example_logs import a_log, independent, predictions
from streamgauge.comparisons import Scores, compare_many, to_latex, to_markdown
from streamgauge.errors import ParameterError
from streamgauge.escapes import one_line
from streamgauge.report import build, to_csv, to_html, to_json
from streamgauge.report import to_markdown as page_to_markdown
from streamgauge.report.page import Definition, Page

EVIL = "=1|`x` <b>y</b> [z](javascript:1) **w** \n# $\\frac{$ __v__ &amp; ~~u~~"
LONG = "n" * 5000
HOSTILE = [
    EVIL,
    LONG,
    "[2em] a",
    "* a",
    "a\n\nb \\par % } {",
    "\ud800\x00\x1b[2J",
    "-",
    "_",
    "😀 שלום",
]


def hostile_page(name: str) -> Page:
    label = independent(400)
    classes = (name, f"{name} 2")
    logs = [
        a_log(label, predictions(label, right), f"{name}{i}", name, classes=classes, note=name)
        for i, right in enumerate((0.6, 0.8))
    ]
    page = build(logs, title=name)
    return replace(
        page,
        definitions=(*page.definitions, Definition(name, name, name, {name: name})),
        versions={**page.versions, name: name},
        findings=tuple(replace(f, rule=name) for f in page.findings),
        sections=tuple(replace(s, facts={**s.facts, name: name}) for s in page.sections),
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_a_page_in_markdown_has_no_markup_but_ours(name: str) -> None:
    tokens = (
        MarkdownIt("commonmark")
        .enable(["table", "strikethrough"])
        .parse(page_to_markdown(hostile_page(name)))
    )
    kinds = {token.type for token in tokens}
    shown = []
    for token in tokens:
        kinds |= {child.type for child in token.children or []}
        shown.append("".join(child.content for child in token.children or []))
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "s_open", "hr", "fence"}
    assert shown.count(one_line(name)) >= 2, "title and stream are headings of their own"
    assert f"{one_line(name)}: {one_line(name)}" in shown
    rows = [token.map for token in tokens if token.type == "tr_open"]
    assert all(end - start == 1 for start, end in filter(None, rows))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_page_in_csv_has_no_formula_and_the_same_rows(name: str) -> None:
    page = hostile_page(name)
    rows = list(csv.DictReader(io.StringIO(to_csv(page), newline="")))
    assert len(rows) == len(page.sections[0].table.rows)
    for row in rows:
        for cell in row.values():
            assert not re.match(r"\s*[=@\t\r]|[-+](?![\d.])", cell), cell
        assert float(row["accuracy"]) > 0


@pytest.mark.parametrize("name", HOSTILE)
def test_a_page_in_every_format_can_be_written(name: str) -> None:
    page = hostile_page(name)
    for write in (to_html, page_to_markdown, to_csv, to_json):
        assert write(page).encode("utf-8")


def comparison(name: str):
    values = [[0.9, 0.8 - i / 100] for i in range(6)]
    return compare_many(
        Scores((name, "b"), [f"{name} {i}" for i in range(6)], values, measure=name)
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_a_table_of_scores_in_markdown_has_no_markup_but_ours(name: str) -> None:
    tokens = (
        MarkdownIt("commonmark")
        .enable(["table", "strikethrough"])
        .parse(to_markdown(comparison(name)))
    )
    cells = [token for token in tokens if token.type in ("th_open", "td_open")]
    assert len(cells) == 3 * (1 + 6 + 2)
    kinds = {child.type for token in tokens for child in token.children or []}
    assert kinds <= {"text", "text_special", "strong_open", "strong_close"}
    caption = "".join(child.content for child in tokens[-2].children or [])
    assert caption.startswith(f"{one_line(name)}, higher is better")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_table_of_scores_in_latex_has_no_command_of_a_name(name: str) -> None:
    lines = to_latex(comparison(name), caption=name, label="tab:a").splitlines()
    rows = [line for line in lines if line.endswith(r" \\")]
    assert len(rows) == 1 + 6 + 2
    assert all(len(re.findall(r"(?<!\\)&", row)) == 2 for row in rows)
    assert not [line for line in lines if line.startswith(("[", "*"))]
    assert not re.search(r"\\(frac|par)\b", "\n".join(lines))
    for line in lines:
        bare = re.sub(r"\\[{}$%]", "", line)
        assert bare.count("{") == bare.count("}")
        assert bare.count("$") % 2 == 0
        assert "%" not in bare


@pytest.mark.parametrize("label", ["a}b", "a%b", "a b", "\\evil", "a#b"])
def test_a_label_that_latex_cannot_take_is_refused(label: str) -> None:
    with pytest.raises(ParameterError, match="to_latex: label must be"):
        to_latex(comparison("a"), label=label)

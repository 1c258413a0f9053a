"""Names are text in HTML, Markdown, LaTeX and CSV, whatever characters they hold."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

import streamgauge
from streamgauge.escapes import (
    LATEX,
    in_csv,
    in_html,
    in_latex,
    in_markdown,
    markdown_code,
    one_line,
)
from streamgauge.log import from_columns
from streamgauge.types import Feature, Schema

SPECIAL = "\\`*_[](){}<>|#&~$!:;/@.+-=^%'\"0129 \n\t\x00\x1b\u2028"
HOSTILE = [
    "=cmd|' /C calc'!A0",
    "$\\frac{$",
    "a | b `c` **d** _e_ __init__ ~~f~~",
    "<script>alert(1)</script><b>&lt;&#60;",
    "[x](javascript:1) ![y](z) <http://a.b> https://a.b www.a.b a@b.c",
    "1. one",
    "- one\n- two",
    "# one\n\n---\n\n===",
    "\\input{/etc/passwd} \\\\[2em] % {",
    "\u202eabc \u05e9\u05dc\u05d5\u05dd \U0001f600",
    "x" * 5000,
]
names = st.one_of(
    st.text(st.sampled_from(SPECIAL + "ab"), max_size=12), st.text(max_size=12)
).filter(lambda text: bool(text.strip()) and bool(one_line(text)))


def rendered(text: str) -> tuple[list[str], set[str]]:
    """The texts of the inline parts of a Markdown text, and the types of all tokens."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    blocks = parser.parse(text)
    inline = [token for token in blocks if token.type == "inline"]
    kinds = {token.type for token in blocks}
    texts = []
    for token in inline:
        children: list[Token] = token.children or []
        kinds |= {child.type for child in children}
        texts.append("".join(child.content for child in children))
    return texts, kinds


PLAIN = {"inline", "text", "text_special", "softbreak"}


@given(names)
@example("__init__")
@example("\\|")
@example("a\\")
@example("a & b &amp; c")
@example("12) a")
@example("--- ")
@example("=")
def test_a_name_is_text_everywhere_in_markdown(name: str) -> None:
    text = in_markdown(name)
    for line, shown, blocks in (
        (text, [one_line(name)], {"paragraph"}),
        (f"# {text}", [one_line(name)], {"heading"}),
        (f"a\n\n{text}", ["a", one_line(name)], {"paragraph"}),
        (f"- a ({text}): b", [f"a ({one_line(name)}): b"], {"bullet_list", "list_item"}),
        (f"**{text}**: b", [f"{one_line(name)}: b"], {"strong"}),
        (
            f"| a | {text} |\n|---|---|\n| **{text}** | *{text}* (b) |",
            ["a", one_line(name), one_line(name), f"{one_line(name)} (b)"],
            {"table", "tr", "th", "td", "thead", "tbody", "strong", "em"},
        ),
    ):
        texts, kinds = rendered(line)
        assert texts == shown
        allowed = PLAIN | {
            f"{b}_{end}" for b in (*blocks, "paragraph") for end in ("open", "close")
        }
        assert kinds <= allowed


@given(names)
@example("`")
@example("a``b`")
def test_code_in_markdown_is_the_text(name: str) -> None:
    texts, kinds = rendered(f"a {markdown_code(name)} b")
    assert "code_inline" in kinds
    assert texts == [f"a {one_line(name)} b"]


class Texts(HTMLParser):
    """The tags, attributes and texts of an HTML text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        self.text += data


@given(names)
def test_a_name_is_text_in_html(name: str) -> None:
    page = Texts(f"<i title='{in_html(name)}'>{in_html(name)}</i>")
    shown = re.sub(
        "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]",
        "\ufffd",
        name,
    )
    assert page.text == shown
    assert page.tags == [("i", [("title", shown)])]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_log_in_a_notebook_escapes_its_origin(name: str) -> None:
    schema = Schema((Feature("x"),), classes=("no", "yes"))
    zeros = np.zeros(2, np.int32)
    log = from_columns(schema, zeros, zeros, about={name: name, "learner": name})
    page = Texts(log._repr_html_())
    assert {tag for tag, _ in page.tags} == {"table", "tr", "th", "td"}
    assert page.text.count(name) == 3


def test_every_html_of_a_notebook_is_tested_here() -> None:
    package = Path(streamgauge.__file__).parent
    found = [p for p in package.rglob("*.py") if "def _repr_" in p.read_text(encoding="utf-8")]
    assert [str(p.relative_to(package)) for p in found] == ["log/table.py"]


@given(names)
@example("0\r=1")
@example("\u2028=")
@example("\ufeff=1")
@example("x; =1;=2")
def test_a_cell_of_csv_is_never_a_formula(name: str) -> None:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow([in_csv(name), "b"])
    ((cell, other),) = csv.reader(io.StringIO(out.getvalue(), newline=""))
    assert other == "b"
    number = re.fullmatch(r"[-+]?[\d.]+([eE][-+]?\d+)?", cell)
    assert number or not re.match(r"[\t\r\n]|\s*[=+\-@]", cell)
    for part in re.split(r"[;|\t\n]", cell)[1:]:
        assert not re.match(r"\s*[=+\-@]", part)


@pytest.mark.parametrize("number", [-1, -0.5, 3, 1e-9, "-1", "+1.5e-3", "-.5"])
def test_numbers_stay_numbers_in_csv(number: object) -> None:
    assert in_csv(number) == number  # type: ignore[type-var]


@pytest.mark.parametrize(
    "formula", ["=1", "+a", "-1+2", "@a", "\t=1", "\r=1", " =1", "-", "\uff1d1", "=1;=2"]
)
def test_formulas_are_neutralised(formula: str) -> None:
    safe = in_csv(formula)
    assert safe.startswith("'")
    assert safe.replace("'", "") == formula.replace("\r", "\n")


@given(names)
def test_latex_has_no_command_but_ours(name: str) -> None:
    text = in_latex(name)
    for ours in sorted(LATEX.values(), key=len, reverse=True):
        text = text.replace(ours, "")
    assert not set(text.replace("-{}-", "")) & set("\\{}$&#%^_~")
    assert "\n" not in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a--b", "a-{}-b"), ("---", "-{}-{}-"), ("a-b", "a-b"), ("-_-", r"-\_-"), ("–", "--")],
)
def test_hyphens_stay_hyphens_in_latex(text: str, expected: str) -> None:
    assert in_latex(text) == expected

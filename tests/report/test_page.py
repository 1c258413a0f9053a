from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from report.example_logs import a_log, a_million, independent, logs, predictions, sticky
from streamgauge.cli.printing import show
from streamgauge.errors import ParameterError
from streamgauge.plots.learning_curve import Line
from streamgauge.report import build, to_csv, to_html, to_json, to_markdown, write_report
from streamgauge.report._format import share
from streamgauge.report.html import _packed
from streamgauge.report.page import Page

HOSTILE = "</script><marquee onclick=alert(1)>&amp;\"'`|*_[x](javascript:1) {{ 7*7 }} \u2028"
VOID = {"meta", "link", "br", "img", "input", "hr"}


class Outline(HTMLParser):
    """Start tags and texts of a page; end tags must match."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"an attribute twice in {tag}"
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"{tag} closed but never opened"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self.open[-1] if self.open else "", []).append(data)


def outline(html: str) -> Outline:
    parser = Outline()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser


@pytest.fixture(scope="module")
def page() -> Page:
    return build(logs())


def test_every_element_is_closed_and_every_id_is_unique(page: Page) -> None:
    parsed = outline(to_html(page))
    ids = [attrs["id"] for _, attrs in parsed.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    aims = {a["href"] for _, a in parsed.tags if a.get("href", "").startswith("#")}
    assert {aim[1:] for aim in aims} <= set(ids)
    named = {a["aria-labelledby"] for _, a in parsed.tags if "aria-labelledby" in a}
    assert named <= set(ids)


def test_the_page_loads_no_other_resource(page: Page) -> None:
    html = to_html(page)
    parsed = outline(html)
    for tag, attrs in parsed.tags:
        assert tag not in ("iframe", "object", "embed", "base", "form")
        assert "src" not in attrs
        assert not [name for name in attrs if name.startswith("on")]
        assert attrs.get("href", "#").startswith(("#", "data:,"))
    own = html.replace(_bundle(), "")
    assert "http://" not in own.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in own.replace("https://www.apache.org/", "")
    assert not re.search(r"url\(|@import|\bfetch\(|XMLHttpRequest|\bimport\(", own)
    (policy,) = [a["content"] for _, a in parsed.tags if a.get("http-equiv")]
    assert policy.startswith("default-src 'none'")


def _bundle() -> str:
    file = files("streamgauge.report").joinpath("bundle", "echarts.min.js")
    return file.read_text(encoding="utf-8")


def test_hostile_names_are_always_text() -> None:
    html = to_html(build(logs(HOSTILE, HOSTILE), title=HOSTILE))
    parsed = outline(html)
    assert "marquee" not in {tag for tag, _ in parsed.tags}
    assert len([tag for tag, _ in parsed.tags if tag == "script"]) == 3
    assert parsed.texts["title"] == [HOSTILE]
    assert "49" not in parsed.texts["h1"][0]
    data = json.loads(parsed.texts["script"][0])
    assert data[0]["stream"] == HOSTILE
    assert data[0]["names"][0].startswith(HOSTILE)


def test_hostile_names_do_not_break_markdown() -> None:
    text = to_markdown(build(logs(HOSTILE, HOSTILE)))
    tables = [part.splitlines() for part in text.split("\n\n") if part.startswith("|")]
    assert "accuracy" in tables[0][0]
    for table in tables:  # every line of a table has as many cells as its head
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table}) == 1, table
    assert "<marquee" not in re.sub(r"\\<", "", text)


def test_the_same_page_is_the_same_bytes() -> None:
    assert to_html(build(logs())) == to_html(build(logs()))


def test_four_learners_a_million_items_and_three_drifts_fit_in_three_megabytes() -> None:
    page = build(a_million())
    html = to_html(page)
    assert len(html.encode()) <= 3_000_000
    assert len(page.sections[0].drifts) == 3
    rows = page.sections[0].table.rows
    assert [row.baseline for row in rows] == [False] * 4 + [True] * 2
    for panel in page.sections[0].panels:
        for lines in panel.windows.values():
            assert len(lines) == 6
            assert all(1000 < len(line.at) <= 4000 for line in lines)


def test_all_formats_hold_the_same_numbers(page: Page) -> None:
    parsed = json.loads(to_json(page))
    table = page.sections[0].table
    rows = list(csv.DictReader(io.StringIO(to_csv(page))))
    for i, row in enumerate(table.rows):
        for column, cell in zip(table.columns, row.cells, strict=True):
            from_json = parsed["sections"][0]["table"]["rows"][i]["cells"][column.key]
            from_csv = rows[i][column.key]
            if isinstance(cell, float) and np.isnan(cell):
                assert from_json is None
                assert from_csv == ""
            else:
                assert from_json == cell
                assert from_csv == str(cell)
    markdown, html = to_markdown(page), outline(to_html(page))
    percent = f"{100 * table.column('accuracy')[0]:.2f}\u00a0%"
    assert f"**{percent}**" in markdown
    assert percent in html.texts["td"]
    for finding in page.findings:
        assert finding.sentence in html.texts["p"]
        assert finding.rule in markdown


def test_json_without_curves_is_smaller(page: Page) -> None:
    small, large = to_json(page, curves=False), to_json(page)
    assert len(small) < len(large) / 4
    assert json.loads(small)["findings"] == json.loads(large)["findings"]


def test_undefined_is_a_dash_and_a_gap_never_zero() -> None:
    same = np.zeros(3000, np.int32)
    page = build([a_log(same, same)])
    (row,) = [r for r in page.sections[0].table.rows if not r.baseline]
    kappa = row.cells[[c.key for c in page.sections[0].table.columns].index("kappa")]
    assert np.isnan(kappa)
    assert "–" in outline(to_html(page)).texts["td"]
    assert json.loads(to_json(page))["sections"][0]["table"]["rows"][0]["cells"]["kappa"] is None
    panel = next(p for p in page.sections[0].panels if p.measure == "kappa")
    lines = [line for drawn in panel.windows.values() for line in drawn if not line.baseline]
    assert [len(line.at) for line in lines] == [0, 0, 0]


@given(
    st.lists(st.tuples(st.integers(1, 50), st.floats(-1e6, 1e6) | st.just(np.nan)), max_size=40),
    st.integers(1, 1000),
)
def test_a_packed_line_unpacks_to_itself(steps: list[tuple[int, float]], grid: int) -> None:
    at = grid * np.cumsum([step for step, _ in steps], dtype=np.int64)
    value = np.array([v for _, v in steps], dtype=float)
    every, jumps, exponent, scaled = json.loads(json.dumps(_packed(Line("a", at, value))))
    assert (every * np.cumsum(jumps, dtype=np.int64) == at).all()
    again = np.array([np.nan if v is None else v * 10.0**exponent for v in scaled])
    largest = np.nanmax(np.abs(value), initial=0)
    np.testing.assert_allclose(again, value, atol=max(1e-4 * largest, 1e-280))


def test_baselines_that_were_run_are_not_derived() -> None:
    label = independent(2000)
    before = np.concatenate([[-1], label[:-1]]).astype(np.int32)
    page = build([a_log(label, before, "persistent"), a_log(label, predictions(label, 0.9))])
    table = page.sections[0].table
    assert table.column("learner") == ["naive_bayes", "majority_class", "persistent"]
    assert [row.note for row in table.rows] == ["", "computed from the labels", ""]


def test_a_derived_baseline_equals_one_that_was_run() -> None:
    label = independent(2000)
    before = np.concatenate([[-1], label[:-1]]).astype(np.int32)
    ran = build([a_log(label, before, "persistent")]).sections[0].table
    derived = build([a_log(label, label)]).sections[0].table
    at = derived.column("learner").index("persistent"), ran.column("learner").index("persistent")
    assert derived.rows[at[0]].cells == pytest.approx(ran.rows[at[1]].cells, nan_ok=True)


def test_differences_to_baselines_are_in_the_table(page: Page) -> None:
    table = page.sections[0].table
    values = dict(zip(table.column("learner"), table.column("accuracy"), strict=True))
    for i, accuracy in enumerate(table.column("accuracy")):
        gap = table.column("vs_persistent")[i]
        if table.column("learner")[i] != "persistent":
            # exactly that of the two numbers, in the digits that the subtraction leaves
            assert gap == round(accuracy - values["persistent"], 13)


def test_learners_of_one_name_get_different_names() -> None:
    label = independent(500)
    same = [a_log(label, label), a_log(label, label)]
    seeds = [a_log(label, label, seed="1"), a_log(label, label, seed="2")]
    for given_logs, names in (
        (same, ["naive_bayes", "naive_bayes #2"]),
        (seeds, ["naive_bayes"]),  # repetitions are one learner
    ):
        rows = build(given_logs).sections[0].table.rows
        assert [row.cells[0] for row in rows if not row.baseline] == names


def test_with_several_streams_each_finding_names_its_stream(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rare = independent(3000, (0.95, 0.05))
    alone = a_log(rare, np.zeros(3000, np.int32), "constant", "rare")
    page = build([*logs(stream="one"), *logs(stream="two"), alone])
    assert sum(f.rule == "constant_predictions" for f in page.findings) == 1  # of one stream only
    show(page, as_json=False, quiet=False)
    printed = " ".join(capsys.readouterr().out.split())
    show(page, as_json=True, quiet=False)
    machine = json.loads(capsys.readouterr().out)["findings"]
    page_text = to_html(page)
    for finding, parsed in zip(page.findings, machine, strict=True):
        line = f"{finding.severity} {finding.stream}: {finding.sentence}"
        assert " ".join(line.split()) in printed
        assert parsed["stream"] == finding.stream
        assert f"**{finding.severity}** ({finding.stream}): " in to_markdown(page)
        assert f'<p class="sentence"><b>{finding.stream}.</b> ' in page_text
    assert page_text.count('<p class="sentence"><b>') == len(page.findings)
    show(build(logs(stream="one")), as_json=False, quiet=False)
    assert "one: " not in capsys.readouterr().out


def test_several_streams_have_one_section_each_and_an_overview() -> None:
    page = build([*logs(stream="one"), *logs(stream="two")])
    assert [s.stream for s in page.sections] == ["one", "two"]
    assert [c.title for c in page.overview.columns] == ["learner", "one", "two"]
    assert outline(to_html(page)).texts["h2"][1:4] == ["All streams", "one", "two"]


def test_common_metadata_is_shown_once() -> None:
    changed = [replace(log, about={**log.about, "numpy": "2.4"}) for log in logs()]
    page = build(changed)
    assert page.versions["numpy"] == "2.4"
    assert [c.key for c in page.provenance.columns] == ["stream", "learner", "protocol", "seed"]
    rows = zip(*(page.provenance.column(c.key) for c in page.provenance.columns), strict=True)
    assert list(rows) == [
        tuple(log.about[key] for key in ("stream", "learner", "protocol", "seed"))
        for log in changed
    ]


def test_a_log_without_metadata_is_reported() -> None:
    label = independent(100)
    page = build(replace(a_log(label, label), about={}))
    assert page.sections[0].table.column("learner")[0] == "learner"
    outline(to_html(page))


def test_definitions_are_plain_text(page: Page) -> None:
    terms = {d.term: d for d in page.definitions}
    assert {"accuracy", "kappa", "kappa_temporal", "kappa_plus"} <= set(terms)
    assert {"whole", "sliding(1000)", "fading(0.999)", "coverage"} <= set(terms)
    assert "1,000" in terms["sliding(1000)"].text
    assert terms["kappa"].formula
    for definition in page.definitions:
        assert not re.search(r"[\\`]|::", definition.text)
        assert definition.text.endswith(".")


@pytest.fixture
def clean(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    assert [p for p in tmp_path.iterdir() if p.name.startswith(".")] == []


@pytest.mark.parametrize("kind", ["html", "md", "json", "csv"])
def test_the_suffix_of_the_path_is_the_format_of_the_report(clean: Path, kind: str) -> None:
    path = write_report(clean / f"report.{kind}", logs(n=200), title="a title")
    text = path.read_text(encoding="utf-8")
    assert "naive_bayes" in text
    assert ("a title" in text) == (kind != "csv")


def test_a_path_with_an_unknown_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"write_report: path must be a name that ends in"):
        write_report(tmp_path / "report.pdf", logs(n=200))
    with pytest.raises(ParameterError, match=r"build: logs must be at least one, got \[\]"):
        build([])


def test_the_summary_names_a_best_learner_only_of_several() -> None:
    label = independent(400)
    a, b = (
        a_log(label, predictions(label, right), learner)
        for learner, right in (("first", 0.9), ("second", 0.6))
    )
    alone, both = (build(chosen).summary for chosen in ([a], [a, b]))
    assert "Over the whole stream, first has accuracy" in alone
    assert "The best" not in alone
    assert "The best accuracy over the whole stream is" in both
    assert ", of first;" in both


def test_the_summary_has_the_values_of_both_baselines() -> None:
    label = sticky(400, 0.7)
    page = build([a_log(label, predictions(label, 0.9), "first")])
    rows = {row.cells[0]: row for row in page.sections[0].table.rows}
    place = [column.key for column in page.sections[0].table.columns].index("accuracy")
    values = [
        f"{name} {share(rows[name].cells[place])}" for name in ("persistent", "majority_class")
    ]
    assert page.summary.endswith(f"; the baselines have {values[0]} and {values[1]}.")

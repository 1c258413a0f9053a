"""Verdicts, bands and alarms in a report."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from report.example_logs import a_log, a_million, independent, logs, predictions
from samples.examples import examples
from streamgauge.comparisons import compare, compare_all
from streamgauge.errors import ParameterError
from streamgauge.log import Log
from streamgauge.log.alarms import Alarms
from streamgauge.plots.learning_curve import Line
from streamgauge.report import build, to_html, to_json, to_markdown
from streamgauge.report.html import _packed_band


@pytest.mark.slow
def test_a_page_with_bands_fits_in_three_megabytes() -> None:
    page = build(a_million(), bands=0.95)
    assert len(to_html(page).encode()) <= 3_000_000
    for panel in page.sections[0].panels:
        assert [len(lines) for lines in panel.bands.values()] == [4, 4, 4]  # no baseline has one


def test_bands_have_few_points_whatever_the_number_of_points_of_curves(monkeypatch) -> None:
    monkeypatch.setattr("streamgauge.report._write_report.BAND_POINTS", 6)
    (panel,) = build(logs(), ["accuracy"], ["whole"], bands=0.9).sections[0].panels
    for line in panel.bands["whole"]:
        assert 2 <= len(line.at) <= 6 + 1


def test_bands_contain_the_curves_and_are_defined() -> None:
    page = build(logs(), ["accuracy", "kappa_z"], ["whole", "sliding(500)"], bands=0.9)
    (accuracy, _) = page.sections[0].panels
    for lines in accuracy.bands.values():
        assert [line.name for line in lines] == ["naive_bayes 0.7", "naive_bayes 0.9"]
        for line in lines:
            assert line.low is not None
            assert line.high is not None
            late = line.at > 1000
            inside = (line.low <= line.value) & (line.value <= line.high)
            assert inside[late].mean() > 0.95
    (band,) = [d for d in page.definitions if d.term == "band"]
    assert "90 % at each point, from 200 draws" in band.details["method"]
    assert json.loads(to_json(page))["sections"][0]["panels"][0]["bands"]["whole"][0]["low"]
    plain = build(logs())
    assert all(not panel.bands for panel in plain.sections[0].panels)
    assert not [d for d in plain.definitions if d.term == "band"]


def test_two_learners_have_a_verdict_and_one_has_none() -> None:
    page = build(logs())
    section = page.sections[0]
    (row,) = section.verdicts.rows
    cells = dict(zip([c.key for c in section.verdicts.columns], row.cells, strict=True))
    assert (cells["learner"], cells["other"]) == ("naive_bayes 0.9", "naive_bayes 0.7")
    verdict = compare(*logs())
    assert cells["verdict"] == "better"
    assert cells["since"] == verdict.since
    assert cells["difference"] == pytest.approx(verdict.difference)
    assert (cells["low"], cells["high"]) == pytest.approx((verdict.low, verdict.high))
    assert cells["p"] == pytest.approx(verdict.p)
    assert cells["mcnemar"] == verdict["mcnemar", "whole"].p
    titles = [c.title for c in section.verdicts.columns]
    assert sum("fixed horizon only" in title for title in titles) == 2
    text = to_markdown(page)
    assert "### Which learner is better" in text
    assert "anytime-valid" in text
    alone = build(logs()[:1]).sections[0]
    assert alone.verdicts.rows == ()
    assert alone.verdicts_note == ""


def test_a_winner_whose_losses_are_few_has_a_caveat_below_the_table() -> None:
    label = independent(6000)
    item = np.arange(6000)
    outages = np.where((item > 4000) & (item < 4010), 1 - label, label).astype(np.int32)
    singles = np.where(item % 50 == 7, 1 - label, label).astype(np.int32)
    both = [a_log(label, outages, "outages"), a_log(label, singles, "singles")]
    page = build(both)
    (row,) = page.sections[0].verdicts.rows
    assert row.cells[:3] == ("outages", "singles", "better")
    few = compare(*both, names=("outages", "singles")).long_run.few_losses
    assert few is not None
    for text in (page.sections[0].verdicts_note, to_markdown(page)):
        assert few.to_text() in text
    assert "larger loss in only about" in to_html(page)
    plain = [a_log(label, predictions(label, q, seed), f"{q}") for seed, q in enumerate((0.9, 0.7))]
    assert "outage" not in build(plain).sections[0].verdicts_note


def test_equal_learners_are_undecided_and_verdicts_are_current() -> None:
    n = 24_000
    label, early = independent(n), np.arange(n) < 2200
    once = a_log(label, predictions(label, np.where(early, 0.9, 0.6)), "once")
    later = a_log(label, predictions(label, np.where(early, 0.6, 0.9), 2), "later")
    twin = a_log(label, predictions(label, np.where(early, 0.6, 0.9), 3), "twin")
    table = build([once, later, twin]).sections[0].verdicts
    verdicts = {
        frozenset((a, b)): (a, v)
        for a, b, v in zip(*(table.column(k) for k in ("learner", "other", "verdict")), strict=True)
    }
    assert verdicts[frozenset(("later", "twin"))][1] == "undecided"
    comparison = compare_all({"once": once, "later": later, "twin": twin})
    assert "once" in {d.winner for d in comparison.first_decisions}
    assert "once" not in {d.winner for d in comparison.current_decisions}
    assert "once beats" not in comparison.to_text()
    # the lead changed within the stream, which leaves few effective items; now it is clear
    assert verdicts[frozenset(("later", "once"))][1] in ("better", "too few effective items")
    now = dict(zip(table.column("learner"), table.column("now"), strict=True))
    assert now["later"].startswith("better over the last ")


@settings(max_examples=examples(24), deadline=None)
@given(st.integers(0, 2**31), st.sampled_from([2, 3, 4]), st.booleans())
def test_a_report_never_disagrees_with_compare_all(seed: int, learners: int, bursts: bool) -> None:
    """Leads come and go; row by row, and in its words, the page states what `compare_all` does."""
    rng = np.random.default_rng(seed)
    n, spell, margin = 3000, 20, 0.1
    label, wave = independent(n, seed=seed), np.sin(np.arange(n) / n * 9)
    size = rng.choice([0.0, 0.15, 0.3], learners)
    held = rng.integers(0, n, n) if not bursts else np.arange(n) // 20
    made = []
    for i in range(learners):
        right = rng.random(n)[held] < 0.65 + size[i] * np.roll(wave, rng.integers(n))
        made.append(a_log(label, np.where(right, label, 1 - label).astype(np.int32), f"l{i}"))
    page = build(made, spell=spell, margin=margin)
    found = compare_all(
        {log.about["learner"]: log for log in made}, spell=spell, alpha=0.05, margin=margin
    )
    keys = [c.key for c in page.sections[0].verdicts.columns]
    rows = [dict(zip(keys, r.cells, strict=True)) for r in page.sections[0].verdicts.rows]
    by_pair = {frozenset((str(r["learner"]), str(r["other"]))): r for r in rows}
    assert len(rows) == len(found.verdicts)
    for v, p in zip(found.verdicts, found.p, strict=True):
        row = by_pair[frozenset((v.a, v.b))]
        assert (row["verdict"] == "better") == v.decided
        assert row["p"] == p
        assert row["since"] == v.since
        if v.decided:
            assert row["learner"] == v.winner
            assert float(row["low"]) > 0  # type: ignore[arg-type]
            assert p <= 0.05
        else:
            assert row["verdict"] == v.status
        limits = (-v.high, -v.low) if v.difference <= 0 else (v.low, v.high)
        assert (row["low"], row["high"]) == limits
        assert (row["margin"] == "as good") == v.equivalent
        if not v.equivalent:
            assert (row["margin"] == "undecided") == (not v.not_worse)
        leader = row["learner"] if str(row["now"]).startswith("better") else row["other"]
        assert (None if row["now"] == "undecided" else leader) == v.now.leader
    assert "20 items on average" in page.sections[0].verdicts_note
    assert "a margin of 0.1" in page.sections[0].verdicts_note


def test_a_shorter_spell_decides_earlier() -> None:
    first = build(logs(), spell=10).sections[0].verdicts.column("since")
    second = build(logs()).sections[0].verdicts.column("since")
    assert first[0] < second[0]
    with pytest.raises(ParameterError, match="build: spell must be a whole number of items"):
        build(logs(), spell=5)
    with pytest.raises(ParameterError, match="build: margin must be above 0 and finite"):
        build(logs(), margin=0)
    with pytest.raises(ParameterError, match="build: bands must be above 0 and below 1, or time_"):
        build(logs(), bands="uniform")


def test_a_page_states_which_bands_it_has_and_which_windows_are_too_short() -> None:
    def note(made: list[Log], level: float | str) -> str:
        return build(made, ["accuracy"], ["sliding(500)"], bands=level).sections[0].panels[0].note

    assert note(logs(), 0.9).startswith("Bands are bootstrap intervals at each point, valid at")
    uniform = build(logs(), ["accuracy"], ["sliding(500)"], bands="time_uniform(0.9)")
    assert "hold at all points together" in to_html(uniform)
    (band,) = [d for d in uniform.definitions if d.term == "band"]
    assert "at all points together, also under continuous monitoring" in band.text
    label = independent(6000)
    in_spells = np.where(np.arange(6000) // 150 % 3 == 0, 1 - label, label).astype(np.int32)
    found = note([a_log(label, in_spells)], 0.9)
    assert "naive_bayes, sliding(500): the window is too short for the dependence" in found


def test_real_losses_are_compared_in_the_long_run() -> None:
    rng = np.random.default_rng(0)
    label = rng.normal(size=4000)
    two = [
        a_log(label, label + rng.normal(0, s, 4000), f"off by {s}", classes=None) for s in (1, 2)
    ]
    section = build(two).sections[0]
    keys = [c.key for c in section.verdicts.columns]
    assert "so_far" not in keys
    assert "mcnemar" not in keys
    assert keys[-2:] == ["now", "diebold_mariano"]
    assert section.verdicts.column("learner") == ["off by 1"]
    assert section.verdicts.column("verdict") == ["better"]
    assert section.verdicts.column("since") == [compare(*two).since]


def test_runs_of_other_seeds_are_not_compared_with_each_other() -> None:
    made = []
    for seed, names in (("1", "ab"), ("2", "cd")):
        label = independent(1000, seed=int(seed))  # another sample of the stream
        made += [
            a_log(label, predictions(label, p), name, seed=seed)
            for name, p in zip(names, (0.6, 0.9), strict=True)
        ]
    table = build(made).sections[0].verdicts
    assert table.column("learner") == ["b", "d"]


def test_the_page_states_why_logs_cannot_be_compared() -> None:
    label = independent(1000)
    short = a_log(label[:500], label[:500], "short")
    section = build([a_log(label, predictions(label, 0.8)), short]).sections[0]
    assert section.verdicts.rows == ()
    assert "must have labels for the same items, got 1,000 and 500" in section.verdicts_note
    assert "must have labels for the same items" in to_html(build([a_log(label, label), short]))
    many = [a_log(label[:50], label[:50], f"n{i}") for i in range(13)]
    assert "78 pairs of learners are too many" in build(many).sections[0].verdicts_note


def test_alarms_are_marked_at_their_items() -> None:
    signals = Alarms.of([(7, "ddm", "warning"), (9, "ddm", "alarm"), (2000, "ddm", "alarm")])
    first, second = logs()
    first = replace(first, tables=replace(first.tables, side_tables=(signals,)))
    section = build([first, second]).sections[0]
    assert section.alarms == {"naive_bayes 0.7": (9, 2000)}
    assert section.facts["alarms of detectors"] == "naive_bayes 0.7 2"
    many = Alarms.of([(i, "d", "alarm") for i in range(2900)])
    first = replace(first, tables=replace(first.tables, side_tables=(many,)))
    marks = build([first, second]).sections[0].alarms["naive_bayes 0.7"]
    assert (len(marks), marks[0], marks[-1]) == (400, 0, 2899)


def test_a_band_that_is_infinite_is_a_gap() -> None:
    at, value = np.array([1, 2, 3]), np.array([0.1, 0.2, 0.3])
    line = Line("a", at, value, False, np.array([-np.inf, 0.1, np.nan]), np.array([1.0, 2.0, 3.0]))
    _, steps, _, low, _, high = _packed_band(line)
    assert (steps, low[0], low[2]) == ([1, 1, 1], None, None)
    assert len(high) == 3

"""Sections of a report about adaptation and stability: every number is recomputed."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import streamgauge as sg
from oracles import adaptation as slow
from oracles import stability as slow_stability
from streamgauge.plots.learning_curve import Line
from streamgauge.report import build
from streamgauge.report._line_figure import line_figure
from streamgauge.report.html import to_html
from streamgauge.report.json import to_json
from streamgauge.report.markdown import to_markdown

DRIFTING = sg.streams.drift(
    sg.streams.SEA(seed=1), sg.streams.relabel(sg.streams.SEA(seed=2), "invert"), 400, items=800
)


def wrong(log):
    return np.concatenate([b.label != b.prediction for b in log.labelled_predictions()])


def test_numbers_of_adaptation_are_recomputed():
    logs = [sg.run(DRIFTING, learner) for learner in ("nb", "resetting(nb, ddm)")]
    page = build(logs)
    (found,) = page.sections[0].properties
    assert found.title == "Adaptation to known drifts"
    assert "steps of 40 items" in found.note
    rows = {row.cells[0]: row for row in found.table.rows}
    assert [row.baseline for row in rows.values()] == [False, False, True, True]
    for log in logs:
        right = [float(not x) for x in wrong(log)]
        at, values = slow.steps(right, 400, 40)
        name, drift, before, dpd, drt, text = rows[log.about["learner"]].cells
        assert drift == "400"
        assert before == pytest.approx(np.mean(values[at - 10 : at]))
        assert dpd == pytest.approx(slow.dpd(values, at, 10))
        assert drt == 40 * slow.drt(values, at, 10, score=True)
        assert text == f"{int(np.isfinite(drt))} of 1"
        line = next(line for line in found.lines if line.name == name)
        assert line.at.tolist() == list(range(-400, 800, 40))
        np.testing.assert_allclose(line.value[:20], values)
        assert np.isnan(line.value[20:]).all()


def test_numbers_of_stability_are_recomputed():
    log = sg.run("sea(items=300, seed=4)", "nb", "perturbed(copies=2, scale=2.0)")
    (found,) = build([log]).sections[0].properties
    assert found.title == "Stability under noise"
    label = np.concatenate([b.label for b in log.labelled_predictions()]).tolist()
    own = np.concatenate([b.prediction for b in log.labelled_predictions()]).tolist()
    rows = list(log.perturbed())
    made = np.concatenate([b.prediction for b in rows])
    number = np.concatenate([b.copy for b in rows])
    copies = [made[number == c].tolist() for c in (0, 1)]
    learner, *baselines = found.table.rows
    name, count, items, variability, flips = learner.cells
    assert (name, count, items) == ("naive_bayes", 2, 300)
    error = slow_stability.noise_variability(slow_stability.error, label, own, copies)
    assert variability == pytest.approx(-error)
    assert flips == pytest.approx(slow_stability.flips(own, copies))
    assert [row.cells[1:] for row in baselines] == [(None, None, 0.0, 0.0)] * 2


def test_sections_are_in_every_format_and_names_are_escaped():
    log = sg.run(DRIFTING, "nb", "perturbed(copies=1)", name="<b>x & y</b>")
    page = build([log])
    titles = ["Adaptation to known drifts", "Stability under noise"]
    assert [one.title for one in page.sections[0].properties] == titles
    html, markdown = to_html(page), to_markdown(page)
    for title in titles:
        assert f"<h3>{title}</h3>" in html
        assert f"### {title}" in markdown
    assert html.count('<svg viewBox="0 0 720') == 2
    assert "<b>x" not in html
    tree = json.loads(to_json(page))["sections"][0]["properties"]
    assert [one["title"] for one in tree] == titles
    assert tree[0]["lines"]
    short = json.loads(to_json(page, curves=False))["sections"][0]["properties"]
    assert short[0]["lines"] == []
    assert short[0]["table"] == tree[0]["table"]


def test_streams_without_drifts_or_with_close_ones_have_no_section():
    assert build([sg.run("sea(items=200)", "nb")]).sections[0].properties == ()
    short = sg.streams.drift(sg.streams.SEA(), sg.streams.SEA(2), 100, items=800)
    assert build([sg.run(short, "nb")]).sections[0].properties == ()


def test_a_figure_has_gaps_and_nothing_without_values():
    at = np.arange(4)
    line = Line("a", at, np.array([0.1, np.nan, 0.3, 0.4]), low=np.zeros(4), high=np.ones(4))
    figure = line_figure([line], "title", "items")
    assert figure.count("<polyline") == 2
    assert figure.count("<polygon") == 1
    assert line_figure([replace(line, value=np.full(4, np.nan), low=None, high=None)], "", "") == ""
    assert line_figure([], "", "") == ""

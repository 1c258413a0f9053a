"""The page and the figures of a recovery analysis."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.plots import recovery_panels, recovery_scatter, recovery_surface
from streamgauge.recovery_runs import recovery_sweep
from streamgauge.report import to_html, to_json, to_markdown
from streamgauge.report._recovery_page import PER, recovery_page

HOSTILE = "</script><marquee onload=1>{{ 7 * 7 }}|$x$"
FALL = re.compile(r'id="scatter-data">(.*?)</script>', re.DOTALL)


@pytest.fixture(scope="module")
def found():
    return sg.recovery(
        {HOSTILE: "nb", "mine": "resetting(nb, ddm)"},
        before="sea(1)",
        after="relabel(sea(1), 'invert')",
        drift=["sudden", 100],
        items=800,
        repetitions=3,
        resamples=60,
    )


def test_the_tables_have_the_values_of_the_panels(found):
    page = recovery_page({"pair": found})
    assert [section.stream for section in page.sections] == ["pair, sudden", "pair, width=100"]
    for section in page.sections:
        setting = section.stream.removeprefix("pair, ")
        for row, learner in enumerate(found.learners):
            panel = found.panel(learner, setting)
            for name, value in panel.values.items():
                scale = PER if name == "decline" else 1
                cell = section.table.column(name)[row]
                assert cell == pytest.approx(scale * value.value, nan_ok=True)
            assert section.table.column("outcome")[row] == panel.outcome
        assert len(section.verdicts.rows) == 5
        lines = section.panels[0].windows[found.window]
        assert [line.name for line in lines] == ["before", "after", "mixture", "bound"]
        assert lines[2].value == pytest.approx(found.panel(HOSTILE, setting).mixture.value)
    assert len(page.findings) == len(found.panels)
    assert {finding.sentence for finding in page.findings} == {p.finding for p in found.panels}


def test_the_centre_of_a_drift_is_one_number_everywhere(found):
    section = recovery_page({"pair": found}).sections[0]
    about = "centre 400, width 0 items, from item 400 to 401, counted from 1"
    assert section.facts["drift"] == about
    (mark,) = section.drifts
    assert (mark.start, mark.centre, mark.end) == (400, 400, 401)
    assert recovery_panels.data(found)[0].drift == mark
    assert found.panels[0].transition.t0 == 400


def test_names_are_always_text(found):
    html = to_html(recovery_page({HOSTILE: found}, HOSTILE))
    assert "<marquee" not in html
    points = json.loads(FALL.search(html)[1])
    assert {point["learner"] for point in points} == {HOSTILE, "mine"}
    assert points[0]["duration"] == pytest.approx(found.panels[0].value("duration").value)
    assert "<marquee" not in to_markdown(recovery_page({"pair": found})).replace("\\<", "")


def test_the_page_is_json_without_curves(found):
    page = json.loads(to_json(recovery_page({"pair": found}), curves=False))
    assert page["sections"][0]["panels"] == []
    assert len(page["scatter"]) == 4


def test_the_panels_and_points_are_drawn(found):
    pictures = recovery_panels.data(found)
    figure = recovery_panels.draw(pictures)
    drawn = [axes for axes in figure.axes if axes.get_title(loc="left")]
    assert len(drawn) == len(pictures) == 4
    lines = {len(axes.get_lines()) for axes in drawn}
    assert lines == {4}
    share = pictures[1].share
    assert share[0] < 0.01
    assert share[-1] > 0.99
    points = recovery_scatter.data({"pair": found})
    assert points[0].setting == "pair, sudden"
    assert points[0].censored == (found.panels[0].outcome == "not recovered")
    assert recovery_scatter.draw(points).axes[0].get_xlabel() == "duration"
    assert recovery_panels.draw([]) is not None
    assert recovery_scatter.draw([]) is not None


def test_many_points_have_a_legend_of_learners(found, tmp_path):
    points = recovery_scatter.data({f"pair {n}": found for n in range(30)})
    figure = recovery_scatter.draw(points)
    sg.plots.save(figure, tmp_path / "many.png")
    assert len(figure.legends[0].get_texts()) == 2


def test_a_sweep_is_drawn_as_a_surface():
    found = recovery_sweep(
        "nb",
        before="sea(1)",
        after={"small": "sea(2)", "large": "relabel(sea(1), 'invert')"},
        widths=["sudden", 60],
        items=400,
        repetitions=2,
        resamples=10,
    )
    surface = recovery_surface.data(found)["naive_bayes"]
    assert (surface.sizes, surface.widths) == (("small", "large"), ("sudden", "width=60"))
    assert surface.values[1, 0] == found.value("naive_bayes", "large", "sudden")
    assert np.isfinite(surface.values).all()
    assert recovery_surface.draw({"naive_bayes": surface}).axes[0].get_ylabel()

"""Repeated predictions in the report: a table, curves of bins over time, costs."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from streamgauge import late, learners, streams
from streamgauge.engine import run
from streamgauge.plots import bin_curves, resource_curves
from streamgauge.plots.learning_curve import Line
from streamgauge.protocols import Delayed, Reevaluating
from streamgauge.report._write_report import build
from streamgauge.report.html import to_html
from streamgauge.report.json import to_json
from streamgauge.report.markdown import to_markdown


@pytest.fixture(scope="module")
def logs():
    stream = streams.delay(streams.take(streams.SEA(), 2000), 300)
    return [
        run(stream, one, Reevaluating(every=10))
        for one in (learners.NaiveBayes(), learners.MajorityClass())
    ]


def test_a_report_on_repeated_predictions_has_bins_costs_and_a_table(logs):
    page = build(logs)
    found = page.sections[0].pending
    assert found is not None
    assert found.labels[-1] == 2000
    assert found.values["naive_bayes"].shape == (len(found.labels), 52)
    np.testing.assert_array_equal(found.values["naive_bayes"][-1], late.bins(logs[0]).final)
    assert len(found.costs) == 3
    assert found.table.column("learner") == ["naive_bayes", "majority_class"]
    html = to_html(page)
    data = json.loads(re.search(r'id="curves">(.*?)</script>', html, re.S)[1])
    assert len(data[0]["pending"]["values"][0][1]) == len(found.labels)
    assert "Predictions while labels are pending" in html
    assert "Predictions while labels are pending" in to_markdown(page)
    assert json.loads(to_json(page, curves=False))["sections"][0]["pending"]["values"] == {}


def test_logs_without_repeated_predictions_have_no_pending_section():
    stream = streams.delay(streams.take(streams.SEA(), 200), 30)
    page = build(run(stream, learners.NaiveBayes(), Delayed()))
    assert page.sections[0].pending is None
    assert "Predictions while labels are pending" not in to_html(page)


def test_bins_and_costs_are_drawn_as_figures(logs):
    found = {name: late.bins(log, every=500) for name, log in zip("ab", logs, strict=True)}
    lines = bin_curves.data(found)
    assert lines[0].place[[0, 1, 51]].tolist() == [0.0, 0.01, 1.0]
    assert lines[0].labels == 2000
    assert bin_curves.data(found, point=0)[0].labels == 500
    axes = bin_curves.draw(lines, "accuracy").axes[0]
    assert axes.get_ylabel() == "accuracy"
    costs = resource_curves.data({"a": late.costs(logs[0]).curves()})
    assert list(costs) == ["n_c", "n_b", "n_r"]
    assert len(resource_curves.draw(costs).axes) == 3


def test_a_learner_has_one_colour_in_all_panels():
    lines = {name: Line(name, np.arange(2), np.arange(2.0)) for name in ("nb", "tree")}
    figure = resource_curves.draw({"bytes": tuple(lines.values()), "nodes": (lines["tree"],)})
    both, one = ([line.get_color() for line in axes.lines] for axes in figure.axes)
    assert both[0] != both[1] == one[0]
    assert [line.get_color() for line in figure.legends[0].get_lines()] == both

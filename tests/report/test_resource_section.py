"""The section about what runs cost: the numbers of the logs, in every format."""

from __future__ import annotations

import json

import pytest

import streamgauge as sg
from streamgauge.report._write_report import build
from streamgauge.report.html import to_html
from streamgauge.report.json import to_json
from streamgauge.report.markdown import to_markdown
from streamgauge.resources import resources


@pytest.fixture(scope="module")
def logs():
    learners = ("ht(grace_period=50, tau=0.9)", "nb", "persistent")
    return [sg.run("sea(items=800)", one, vitals_every=200) for one in learners]


def test_each_cell_is_that_of_the_log(logs):
    (section,) = build(logs).sections
    for log in logs:
        costs = {cost.name: cost.value for cost in resources(log)}
        (row,) = [row for row in section.costs.rows if row.cells[0] == log.about["learner"]]
        cells = dict(zip((c.key for c in section.costs.columns), row.cells, strict=True))
        assert cells["items_per_second"] == costs["items_per_second"]
        assert cells["largest_bytes"] == pytest.approx(costs["largest_bytes"] / 1000)
        assert cells["ram_hours"] == costs["ram_hours"]
        if "predict_seconds_per_item" in costs:
            per_item = costs["predict_seconds_per_item"] * 1e6
            assert cells["predict_seconds_per_item"] == pytest.approx(per_item)
    assert "memory it allocated" in section.costs_note


def test_vitals_are_drawn_for_the_learners_that_tell_them(logs):
    (section,) = build(logs).sections
    panels = {panel.measure: panel.windows["sampled"] for panel in section.vitals}
    assert {line.name for line in panels["bytes"]} == {log.about["learner"] for log in logs}
    (leaves,) = panels["leaves"]
    assert leaves.at.tolist() == [200, 400, 600, 800]
    assert leaves.value.tolist() == logs[0].vitals().series("leaves")[1].tolist()


def test_repetitions_are_one_learner(logs):
    again = [sg.run("sea(items=800)", "nb", seed=seed, vitals_every=400) for seed in (1, 2)]
    (section,) = build(again).sections
    (row,) = [row for row in section.costs.rows if row.cells[0] == "naive_bayes"]
    spread = row.cells[1]
    assert sorted(spread.values) == sorted(800 / log.resources["seconds"] for log in again)


def test_every_format_has_it(logs):
    page = build(logs)
    text = to_html(page)
    assert "What the runs cost" in text
    assert "Size and structure of the learners" in text
    assert "### What the runs cost" in to_markdown(page)
    section = json.loads(to_json(page))["sections"][0]
    assert section["costs"]["rows"][0]["cells"]["items_per_second"] > 0
    assert section["vitals"][0]["windows"]["sampled"]
    assert json.loads(to_json(page, curves=False))["sections"][0]["vitals"] == []


def test_a_log_of_another_tool_has_no_such_section(logs):
    schema = logs[0].schema
    labels = next(iter(logs[0].labels())).label
    foreign = sg.log.from_columns(schema, labels, labels)
    (section,) = build([foreign]).sections
    assert not section.costs.rows
    assert section.vitals == ()
    assert "What the runs cost" not in to_html(build([foreign]))

"""The section of a report about selected features."""

from __future__ import annotations

import math

import numpy as np
import pytest

import streamgauge as sg
from oracles import selectors as slow
from streamgauge.report import build
from streamgauge.report._selection_section import WINDOW
from streamgauge.report.html import to_html
from streamgauge.report.json import to_json
from streamgauge.report.markdown import to_markdown

X = np.random.default_rng(0).normal(size=(400, 6))
STREAM = sg.streams.from_arrays(X, X[:, 2] > X[:, 4], names=[*"abcd", "q <i>", "f"])


@pytest.fixture(scope="module")
def log():
    return sg.run(STREAM, "selecting(ofs(n_features=2), perceptron)")


def sets_of(log):
    """The features selected after each item."""
    rows = log.selections()
    after = dict(zip(rows.item.tolist(), rows.features, strict=True))
    found, now = [], []
    for item in range(len(X)):
        now = after.get(item, now)
        found.append([j in now for j in range(6)])
    return found


def test_the_table_is_a_recount_of_the_selections(log):
    section = build(log, ["accuracy"]).sections[0].selections
    sets = sets_of(log)
    name, selected, reduction, whole, recent, changes = section.table.rows[0].cells
    assert name == log.about["learner"]
    assert math.isclose(selected, np.mean([sum(one) for one in sets]))
    assert math.isclose(reduction, slow.reduction_rate(sets))
    assert math.isclose(whole, slow.stability(sets))
    spans = slow.windows(len(sets), "sliding", WINDOW, 1)
    each = [slow.stability(sets[low:high]) for low, high in spans]
    assert math.isclose(recent, np.nanmean(each))
    assert changes == sum(a != b for a, b in zip(sets[1:], sets, strict=False))


def test_every_format_has_the_table_and_html_the_picture(log):
    page = build(log, ["accuracy"])
    assert "### Selected features" in to_markdown(page)
    assert '"reduction"' in to_json(page, curves=False)
    html = to_html(page)
    assert 'class="selected"' in html
    assert "q &lt;i&gt;" in html
    assert "q <i>" not in html


def test_a_log_without_selections_has_no_such_section():
    page = build(sg.run(STREAM, "naive_bayes"), ["accuracy"])
    assert page.sections[0].selections is None
    assert 'class="selected"' not in to_html(page)

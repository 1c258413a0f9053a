"""Steps and ends of curves, and the columns of Markdown tables."""

from __future__ import annotations

import numpy as np
import pytest

from streamgauge.report._write_report import _round_step
from streamgauge.report.markdown import _table
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.performance_drops import Segment, find_drop


@pytest.mark.parametrize(
    ("labels", "points", "step"),
    [
        *[(0, 10, 1), (10, 10, 1), (11, 10, 2), (20, 10, 2), (21, 10, 5), (50, 10, 5)],
        *[(51, 10, 10), (100, 10, 10), (101, 10, 20), (1999, 10, 200), (2001, 10, 500)],
    ],
)
def test_the_step_of_a_curve_is_round_and_gives_at_most_so_many_points(labels, points, step):
    assert _round_step(labels, points) == step


def test_text_is_on_the_left_and_numbers_on_the_right():
    columns = (Column("a", "name"), Column("b", "n", "count"), Column("c", "x", "share"))
    lines = _table(Table(columns, (Row(("u", 3, 0.5)),))).splitlines()
    assert lines == ["| name | n | x |", "|:--|--:|--:|", "| u | 3 | 50.00\N{NO-BREAK SPACE}% |"]


def test_a_drop_ends_at_the_next_drift():
    """The worst value is that before it, not the first one after it."""
    losses = np.zeros(1000)
    losses[::10] = 1.0
    losses[400:] = np.arange(600) % 2
    losses[800:] = 1.0
    for until, worst in ((800, 0.5), (1000, 0.0)):
        found = find_drop(losses, Segment(0, 400, 400, until), 100, 0.05, classification=True)
        assert found is not None
        assert found[:2] == (pytest.approx(0.9), pytest.approx(worst))
        assert np.isnan(found[2])

"""Measures of recovery curves against their slow definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import recovery as twin
from samples.examples import examples
from streamgauge.errors import ParameterError
from streamgauge.recovery_analysis import (
    area,
    bound,
    decline,
    depth,
    duration,
    maximum_loss,
    saturation_level,
)
from streamgauge.recovery_analysis._decline import declines
from streamgauge.recovery_analysis._duration import durations
from streamgauge.recovery_analysis._maximum_loss import (
    largest,
    losses,
    mean_loss,
    relative_losses,
)

# 0.95 * 0.8 = 0.76 and 1.05 * 0.8 = 0.84 lie exactly at the limit
VALUE = st.sampled_from([0.0, 0.4, 0.5, 0.76, 0.8, 0.84, 0.855, 0.9, 1.0, -0.2, -0.21, math.nan])
BETTER = st.sampled_from(["high", "low"])


@st.composite
def curves(draw, number=3):
    points = draw(st.integers(0, 9))
    return [draw(st.lists(VALUE, min_size=points, max_size=points)) for _ in range(number)]


def same(a, b):
    return (math.isnan(a) and math.isnan(b)) or a == pytest.approx(b, rel=1e-9, abs=1e-12)


@given(
    three=curves(),
    better=BETTER,
    sustained=st.booleans(),
    share=st.sampled_from([0.95, 1.0]),
    start=st.integers(1, 12),
)
@settings(max_examples=examples(400), deadline=None)
def test_duration_agrees_with_its_slow_definition(three, better, sustained, share, start):
    found = duration(*three, better=better, sustained=sustained, share=share, start=start)
    value, t1, t2, outcome = twin.duration(*three, better, sustained, share, start)
    assert same(found.value, value)
    assert (found.t1 or 0, found.t2 or 0, found.outcome) == (t1, t2, outcome)


@given(three=curves(), better=BETTER)
@settings(max_examples=examples(400), deadline=None)
def test_losses_agree_with_their_slow_definitions(three, better):
    for fast, slow in ((maximum_loss, twin.maximum_loss), (depth, twin.depth)):
        value, at = fast(*three, better=better)
        expected, where = slow(*three, better)
        assert same(value, expected)
        if math.isfinite(expected) and at != where:  # equal but for rounding
            assert same(slow(*(x[at - 1 : at] for x in three), better)[0], expected)
        assert (at is None) == (where == 0)
    assert same(area(*three, better=better), twin.area(*three, better))


@given(
    three=curves(),
    better=BETTER,
    sustained=st.booleans(),
    steps=st.lists(st.integers(0, 3), min_size=9, max_size=9),
)
@settings(max_examples=examples(300), deadline=None)
def test_decline_agrees_with_its_slow_definition(three, better, sustained, steps):
    at = np.cumsum(steps)[: len(three[2])].tolist()
    found = duration(*three, better=better, sustained=sustained)
    expected = twin.decline(three[2], at, found.t1 or 0, found.t2 or 0, better)
    assert same(decline(three[2], at, found, better=better), expected)


@given(
    two=curves(2),
    shares=st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=9, max_size=9),
    worst=st.tuples(VALUE, VALUE),
    better=BETTER,
    root=st.booleans(),
)
@settings(max_examples=examples(300), deadline=None)
def test_the_bound_agrees_with_its_slow_definition(two, shares, worst, better, root):
    shares = shares[: len(two[0])]
    found = bound(shares, *two, *worst, better=better, root=root)
    expected = twin.bound(shares, *two, *worst, better, root)
    assert all(same(x, y) for x, y in zip(found.tolist(), expected, strict=True))


@given(curve=st.lists(VALUE, max_size=30), last=st.sampled_from([0.1, 0.5, 1.0, 1e-3]))
@settings(max_examples=examples(200), deadline=None)
def test_the_level_agrees_with_its_slow_definition(curve, last):
    assert same(saturation_level(curve, last), twin.level(curve, last))


def test_a_pure_beginning_has_the_level_of_the_old_stream_and_the_end_that_of_the_new_one():
    """Eq. 6 and 7 are corrected: in print the beginning has the level of the new stream."""
    found = bound([1.0, 0.0], 0.2, 0.3, 1.0, 1.0, better="low", root=True)
    assert found.tolist() == pytest.approx([0.2, 0.3])
    assert bound([1.0, 0.0], 0.9, 0.8, 0.0, 0.0).tolist() == pytest.approx([0.9, 0.8])


def test_a_better_model_never_worsens_the_bound():
    share = np.linspace(1, 0, 11)
    loose = bound(share, 0.2, 0.3, 1.0, 1.0, better="low", root=True)
    tight = bound(share, 0.2, 0.3, 0.5, 0.6, better="low", root=True)
    assert (tight <= loose + 1e-12).all()
    assert (tight < loose - 0.01).any()


@pytest.mark.parametrize(
    ("c", "better", "sustained", "expected"),
    [
        ([0.9] * 5, "high", False, (0.0, None, None, "no drop")),
        ([0.9, 0.2, 0.2, 0.2, 0.2], "high", False, (0.6, 2, 5, "not recovered")),
        ([0.9, 0.8, 0.8, 0.8, 0.8], "high", False, (0.0, 2, 2, "recovered")),  # never below B
        ([0.9, 0.5, 0.8, 0.5, 0.8], "high", False, (0.2, 2, 3, "recovered")),
        ([0.9, 0.5, 0.8, 0.5, 0.8], "high", True, (0.6, 2, 5, "recovered")),
        ([0.9, 0.5, 0.8, 0.5, 0.5], "high", True, (0.6, 2, 5, "not recovered")),
        ([0.855] * 5, "high", False, (0.0, None, None, "no drop")),  # exactly 95 %
        ([0.945] * 5, "low", False, (0.0, None, None, "no drop")),  # exactly 105 %
    ],
)
def test_the_cases_of_the_duration(c, better, sustained, expected):
    b = [0.8] * 5 if better == "high" else [0.9] * 5
    found = duration([0.9] * 5, b, c, better=better, sustained=sustained)
    assert (pytest.approx(found.value), found.t1, found.t2, found.outcome) == expected


def test_what_is_below_before_the_drift_begins_is_no_drop():
    a = b = [0.9] * 6
    c = [0.9, 0.8, 0.9, 0.4, 0.4, 0.9]
    assert duration(a, b, c).t1 == 2
    found = duration(a, b, c, start=3)
    assert (found.t1, found.t2, found.outcome) == (4, 6, "recovered")
    assert duration(a, b, [0.9, 0.4, 0.9, 0.9, 0.9, 0.9], start=3).outcome == "no drop"


def test_a_zero_baseline_is_passed_over_for_scores_and_infinite_for_losses():
    zero, half = [0.0, 0.5], [0.5, 0.5]
    assert maximum_loss(zero, half, [0.0, 0.4]) == (pytest.approx(0.2), 2)
    assert maximum_loss([0.0], [0.0], [0.1], better="low") == (math.inf, 1)
    assert maximum_loss([0.0], [0.0], [0.0], better="low")[1] is None
    assert maximum_loss([0.5], [0.5], [0.6]) == (pytest.approx(-0.2), 1)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: duration([1.0], [1.0, 1.0], [1.0]),
            r"duration: curves must be of one length, got shapes \(1,\), \(2,\), \(1,\)",
        ),
        (lambda: area([1.0], [1.0], [1.0], better="up"), "area: better must be 'high' for a score"),
        (
            lambda: duration([1.0], [1.0], [1.0], share=0),
            "duration: share must be above 0 and at most 1, got 0",
        ),
        (
            lambda: duration([1.0], [1.0], [1.0], start=0),
            "duration: start must be at least 1, got 0",
        ),
        (lambda: bound([1.5], 1, 1, 0, 0), "bound: share must be numbers from 0 to 1"),
        (lambda: bound([0.5], [1.0, 1.0], 1, 0, 0), "bound: before must be a level or 1 values"),
        (lambda: bound([0.5], 1, 1, 0, 0, better="?"), "bound: better must be 'high' for a score"),
        (
            lambda: saturation_level([1.0], 0),
            "saturation_level: last must be above 0 and at most 1, got 0",
        ),
    ],
)
def test_wrong_parameters_are_refused(call, sentence):
    with pytest.raises(ParameterError, match=sentence):
        call()


@given(rows=st.lists(curves(), min_size=1, max_size=4), better=BETTER, sustained=st.booleans())
@settings(max_examples=examples(100), deadline=None)
def test_many_rows_are_measured_as_each_by_itself(rows, better, sustained):
    points = min(len(row[0]) for row in rows)
    a, b, c = (np.array([row[k][:points] for row in rows]).reshape(len(rows), -1) for k in range(3))
    found = durations(a, b, c, better, sustained, 0.95)
    items = np.arange(1.0, points + 1)
    speeds = declines(c, items, found.t1, found.t2, better)
    most, means = largest(relative_losses(a, b, c, better)), mean_loss(losses(a, b, c, better))
    for nth in range(len(rows)):
        one = duration(a[nth], b[nth], c[nth], better=better, sustained=sustained)
        assert repr(found.row(nth)) == repr(one)
        assert same(speeds[nth], decline(c[nth], items, one, better=better))
        assert same(most[nth], maximum_loss(a[nth], b[nth], c[nth], better=better)[0])
        assert same(means[nth], area(a[nth], b[nth], c[nth], better=better))

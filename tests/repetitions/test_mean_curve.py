from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import repetitions as slow
from streamgauge.errors import ParameterError
from streamgauge.repetitions import _mean_curve, mean_curve
from streamgauge.types import Curve


def curve(points, measure="accuracy", axis="items"):
    at = np.array([p for p, _ in points], np.int64)
    return Curve(measure, "whole", at, np.array([v for _, v in points], np.float64), axis=axis)


VALUE = st.one_of(st.floats(-1, 1), st.sampled_from([0.0, 0.5, math.nan]))
POINTS = st.lists(st.tuples(st.integers(1, 12), VALUE), max_size=6, unique_by=lambda p: p[0])


@given(st.lists(POINTS.map(sorted), min_size=2, max_size=4), st.sampled_from([None, 0.9]))
def test_a_mean_curve_equals_a_recount(runs, level):
    found = mean_curve([curve(points) for points in runs], level)
    expected = slow.mean_curve(runs, level)
    assert found.at.tolist() == [p for p, *_ in expected]
    for nth, values in enumerate((found.value, found.low, found.high), 1):
        assert values.tolist() == pytest.approx(
            [point[nth] for point in expected], rel=1e-9, abs=1e-12, nan_ok=True
        )


def test_equal_positions_are_kept_as_they_are():
    runs = [curve([(1, 0.0), (1, 0.5), (2, 1.0)]), curve([(1, 1.0), (1, 0.5), (2, 0.0)])]
    found = mean_curve(runs)
    assert found.at.tolist() == [1, 1, 2]
    assert found.value.tolist() == [0.5, 0.5, 0.5]


def test_a_curve_is_not_continued_beyond_the_end_of_the_shortest():
    found = mean_curve([curve([(2, 0.2), (4, 0.4)]), curve([(1, 1.0), (3, 0.6), (9, 0.0)])])
    assert found.at.tolist() == [2, 3, 4]
    assert found.value.tolist() == pytest.approx([0.6, 0.4, 0.5])


def test_many_different_positions_are_thinned(monkeypatch):
    monkeypatch.setattr(_mean_curve, "POINTS", 5)
    odd, even = (curve([(p, float(p)) for p in range(start, 40, 2)]) for start in (1, 2))
    found = mean_curve([odd, even])
    assert len(found.at) == 5
    assert (found.at[0], found.at[-1]) == (2, 38)


def test_the_definition_states_the_band():
    runs = [curve([(1, 0.1)]), curve([(1, 0.3)], axis="labels")]
    assert mean_curve(runs).definition["band"] == "mean ± standard deviation of 2 repetitions"
    assert mean_curve(runs, 0.9).definition["band"] == "90 % t interval of 2 repetitions"
    assert mean_curve(runs).axis == "labels"


def test_one_curve_is_its_own_mean():
    one = curve([(1, 0.1)])
    assert mean_curve([one]) is one


@pytest.mark.parametrize(
    ("curves", "level", "words"),
    [
        ([], None, "mean_curve: curves must be curves, at least one, got []"),
        ([curve([(1, 0.1)])], 2.0, "mean_curve: level must be above 0 and below 1, got 2.0"),
        (
            [curve([(1, 0.1)]), curve([(1, 0.1)], "kappa")],
            None,
            "mean_curve: curves must be of one measure and window, got 'accuracy in whole, kappa "
            "in whole'",
        ),
    ],
)
def test_what_has_no_mean_is_refused(curves, level, words):
    with pytest.raises(ParameterError) as error:
        mean_curve(curves, level)
    assert str(error.value) == words

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from oracles import repetitions as slow
from streamgauge.errors import ParameterError
from streamgauge.repetitions import Spread, spread

VALUES = st.lists(
    st.one_of(
        st.floats(-1, 1),
        st.sampled_from([0.0, 1.0, 0.1, 1e300, -1e300, math.nan, math.inf, -math.inf]),
    ),
    min_size=1,
    max_size=8,
)


@given(VALUES, st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_mean_deviation_and_interval_equal_a_recount(values, level):
    found = Spread(tuple(values), level=level)
    mean, sd = slow.moments(values)
    assert found.mean == pytest.approx(mean, rel=1e-12, abs=1e-15, nan_ok=True)
    assert found.sd == pytest.approx(sd, rel=1e-9, abs=1e-15, nan_ok=True)
    low, high = slow.interval(values, level)
    largest = max((abs(v) for v in values if math.isfinite(v)), default=0.0)
    near = {"rel": 1e-9, "abs": 1e-12 * max(1.0, largest), "nan_ok": True}
    assert (found.low, found.high) == (pytest.approx(low, **near), pytest.approx(high, **near))


def test_the_interval_is_that_of_scipy():
    values = [0.81, 0.84, 0.79, 0.9, 0.85]
    found = spread(values)
    assert found.mean == pytest.approx(statistics.fmean(values))
    assert found.sd == pytest.approx(np.std(values, ddof=1))
    expected = stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
    assert (found.low, found.high) == (pytest.approx(expected.low), pytest.approx(expected.high))
    assert found.p == pytest.approx(stats.ttest_1samp(values, 0.0).pvalue)


def test_one_repetition_has_no_spread():
    found = spread([0.8], ["7"])
    assert found.mean == 0.8
    assert all(math.isnan(x) for x in (found.sd, found.low, found.high, found.p))


@pytest.mark.parametrize("value", [0.1, 0.0, 1 / 3, 1e300])
def test_equal_values_have_their_mean_exactly_and_no_interval(value):
    found = spread([value] * 3)
    assert (found.mean, found.sd) == (value, 0.0)
    assert math.isnan(found.low)
    assert math.isnan(found.high)


def test_an_undefined_value_makes_the_mean_undefined():
    assert math.isnan(spread([0.8, math.nan]).mean)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (((),), "Spread: values must be at least one, got ()"),
        (((1.0, 2.0), ("1",)), "Spread: seeds must be 2, one per value, got ('1',)"),
        (((1.0,), (), False, 1.0), "Spread: level must be above 0 and below 1, got 1.0"),
    ],
)
def test_what_is_no_spread_is_refused(arguments, words):
    with pytest.raises(ParameterError) as error:
        Spread(*arguments)
    assert str(error.value) == words

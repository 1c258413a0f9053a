"""Bands: their dependence, their factors, how often they cover the expected curve."""

from __future__ import annotations

import math
import sys
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from oracles import bands as slow
from oracles import dependent_losses as kinds
from samples.examples import examples
from streamgauge.comparisons import bands
from streamgauge.comparisons._band_factors import band_factors, slepian_tail
from streamgauge.comparisons._band_level import BandLevel, band_level
from streamgauge.comparisons._bands import _at_least_usual
from streamgauge.comparisons._resampled_curves import BlockScheme
from streamgauge.comparisons._window_dependence import centred, window_dependence
from streamgauge.errors import ParameterError
from streamgauge.log import from_columns
from streamgauge.types import Schema

SPECS = (
    ("whole", 0),
    ("sliding", 64),
    ("sliding", 1000),
    ("tumbling", 300),
    ("fading", 0.99),
    ("fading", 1.0),
    ("ewma", 0.02),
)


def log_with(wrong):
    schema = Schema((), classes=("no", "yes"))
    return from_columns(schema, np.zeros(len(wrong), np.int32), wrong.astype(np.int32))


def errors_in(rng, items, burst, error=0.2):
    """Errors in runs of this mean length; independent ones for 1."""
    return rng.random(items) < error if burst == 1 else kinds.bursts(rng, items, burst, error)


@settings(max_examples=examples(60), deadline=None)
@given(
    st.integers(0, 2**31),
    st.sampled_from([1, 7, 15, 16, 40, 100, 513, 2000]),
    st.sampled_from([4, 16, 17, 40, 100.5, 1000, math.inf]),
    st.sampled_from([1.0, 2.4, 12.0, 200.0]),
    st.sampled_from([1, 5, 50]),
    st.booleans(),
)
def test_dependence_is_that_of_loops(seed, items, held, length, burst, real):
    rng = np.random.default_rng(seed)
    losses = errors_in(rng, items, burst).astype(float)
    if real:
        losses = losses * rng.exponential(size=items)
    found = window_dependence(losses, held, length)
    there = slow.dependence(losses.tolist(), held, length)
    here = (
        found.items, found.effective_items, found.needed, found.growth, found.shortfall
    )  # fmt: skip
    assert here == pytest.approx(there, rel=1e-9)


@settings(max_examples=examples(100))
@given(
    st.sampled_from(SPECS),
    st.floats(0.5, 0.999),
    st.booleans(),
    st.sampled_from([1.0, 8.0, 33.3, 125.0]),
    st.sampled_from(["stationary", "moving", "circular"]),
    st.booleans(),
    st.floats(1, 2),
)
def test_factors_are_those_of_their_formula(spec, level, uniform, length, kind, weights, shortfall):
    rows = np.array([1, 2, 50, 64, 99, 100, 128, 300, 999, 1000, 1999, 2000, 2001, 77_777])
    scheme = BlockScheme(length, kind, weights)
    here = band_factors(BandLevel(level, uniform), spec, rows, scheme, shortfall)
    there = [
        slow.factor(
            level, uniform, spec, row, length, kind != "stationary", weights, shortfall, rows[-1]
        )
        for row in rows.tolist()
    ]
    assert here == pytest.approx(there, rel=1e-6, nan_ok=True)


def test_a_sliding_mean_exceeds_the_quantile_as_often_as_slepian_states():
    rng = np.random.default_rng(0)
    size, a, runs = 1000, 2.0, 2000
    sums = np.cumsum(rng.normal(size=(runs, 2 * size)), axis=1)
    windows = (sums[:, size:] - sums[:, :-size]) / math.sqrt(size)
    rate = float((windows.max(1) > a).mean())
    expected = float(slepian_tail(np.array([a]))[0]) / 2
    assert rate == pytest.approx(expected, abs=4 * error(expected, runs))


@pytest.mark.parametrize(
    ("given_level", "shown"),
    [
        (0.9, "0.9"),
        ("0.9", "0.9"),
        (" pointwise( 0.5 ) ", "0.5"),
        ("time_uniform(0.95)", "time_uniform(0.95)"),
        (BandLevel(0.8, True), "time_uniform(0.8)"),
    ],
)
def test_a_level_is_a_number_or_a_text(given_level, shown):
    assert str(band_level("bands", "level", given_level)) == shown


@pytest.mark.parametrize(
    "wrong", [0, 1, -0.5, math.nan, True, None, "", "uniform(0.9)", "time_uniform(1)", "x", [0.9]]
)
def test_what_is_no_level_is_refused(wrong):
    with pytest.raises(ParameterError, match=r"bands: level must be above 0 and below 1, or time_"):
        band_level("bands", "level", wrong)


def test_drifts_between_windows_are_no_dependence():
    rng = np.random.default_rng(3)
    losses = (rng.random(40_000) < np.repeat([0.1, 0.5, 0.1, 0.5], 10_000)).astype(float)
    assert window_dependence(losses, 1000, 1.0).effective_items > 700
    assert np.allclose(centred(np.repeat([1.0, 5.0], 100), 10), 0)


def test_a_window_too_short_for_the_dependence_has_a_warning():
    rng = np.random.default_rng(4)
    log = log_with(errors_in(rng, 20_000, 100))
    short, long = bands(log, "accuracy", ["sliding(1000)", "sliding(10000)"], draws=2)
    assert "too short for the dependence of the losses" in short.definition["warning"]
    assert "warning" not in long.definition
    rare = bands(log_with(errors_in(rng, 20_000, 20, 0.02)), "accuracy", "sliding(1000)", draws=2)
    assert "too few for losses as rare as these" in rare.definition["warning"]
    plain = bands(log_with(errors_in(rng, 20_000, 20)), "accuracy", "sliding(1000)", draws=2)
    assert "warning" not in plain.definition


def test_dependence_that_fades_slowly_has_a_warning():
    rng = np.random.default_rng(8)
    slowly, soon = (
        bands(log_with(kinds.slowly_fading(rng, 40_000, t)), "accuracy", "sliding(1000)", draws=2)
        for t in (150, 10)
    )
    assert "which fades slowly: the variance of sums over an" in slowly.definition["warning"]
    assert slowly.definition["warning"].endswith("use a window of 4,000 items or more")
    assert "warning" not in soon.definition


def test_a_time_uniform_band_is_around_the_pointwise_one_from_the_first_full_window_on():
    log = log_with(errors_in(np.random.default_rng(5), 6000, 3))
    for window, start in (
        ("sliding(1000)", 1000),
        ("fading(0.999)", 2000),
        ("whole", 2000),
        ("tumbling(500)", 500),
        ("ewma(0.001)", 2000),
    ):
        point, uniform = (
            bands(log, "accuracy", window, level=level, draws=40, every=250)
            for level in (0.95, "time_uniform(0.95)")
        )
        on = uniform.at >= start
        assert np.isnan(uniform.low[~on]).all()
        assert (uniform.low[on] <= point.low[on]).all()
        assert (uniform.high[on] >= point.high[on]).all()
        assert uniform.definition["validity"] == "anytime valid"
        assert "at all points together" in uniform.definition["band"]


def test_limits_are_at_least_as_far_away_as_they_are_on_average():
    value = np.array([0.5, 0.5, 0.9, math.nan, math.inf])
    low = np.array([0.4, 0.3, 0.9, math.nan, math.inf])
    high = np.array([0.6, 0.5, 0.9, math.nan, math.inf])
    held = np.array([1.0, 4.0, 4.0, 4.0, 4.0])
    found = _at_least_usual(value, low, high, held)
    squares = [0.1**2, 0.1**2, 4 * 0.2**2, 0, 0, 0]  # times the items held
    usual = math.sqrt(sum(squares) / 6)
    expected = (
        [0.5 - usual, 0.3, 0.9 - usual / 2, math.nan, math.inf],
        [0.5 + usual, 0.5 + usual / 2, 0.9 + usual / 2, math.nan, math.inf],
    )
    for limits, there in zip(found, expected, strict=True):
        assert limits == pytest.approx(there, nan_ok=True)


@pytest.mark.parametrize("size", [1e-200, 1e200, 1e300])
def test_bands_of_losses_of_any_size(size):
    rng = np.random.default_rng(7)
    label = rng.normal(size=600)
    prediction = label + rng.normal(size=600)
    logs = [from_columns(Schema(()), label * u, prediction * u) for u in (1.0, size)]
    one, other = (bands(log, "mae", "sliding(100)", draws=5, every=100) for log in logs)
    assert other.definition["effective_items"] == one.definition["effective_items"]
    assert other.low[1:] / size == pytest.approx(one.low[1:], rel=1e-9)
    level = "time_uniform(0.9)"
    one, other = (
        bands(log, "mae", "sliding(100)", draws=5, every=100, level=level) for log in logs
    )
    assert other.high[1:] / size == pytest.approx(one.high[1:], rel=1e-9)
    prediction[7] = math.inf
    with pytest.raises(ParameterError, match="bands: losses must be finite to choose a block len"):
        bands(from_columns(Schema(()), label, prediction), "mae", draws=5)
    assert bands(from_columns(Schema(()), label, prediction), "mae", block=1, draws=5).final == (
        math.inf
    )


def test_a_band_stays_within_the_range_of_its_measure_and_needs_two_blocks():
    log = log_with(errors_in(np.random.default_rng(6), 3000, 50, 0.05))
    band = bands(log, "accuracy", "sliding(100)", level="time_uniform(0.99)", draws=40, every=50)
    on = ~np.isnan(band.low)
    assert (band.low[on] >= 0).all()
    assert (band.high[on] <= 1).all()
    short = bands(log, "accuracy", "sliding(100)", block=60, draws=10, every=50)
    assert np.isnan(short.low).all()
    early = bands(log, "accuracy", block=100, draws=10, every=100)
    assert np.isnan(early.low).tolist() == [True] + [False] * 29


def error(rate, runs):
    """The Monte-Carlo error of a rate."""
    return math.sqrt(max(rate * (1 - rate), 1 / runs) / runs)


def say(words):
    """Print the words: `pytest -s` shows them."""
    sys.stdout.write(words + "\n")


def coverage(burst, runs, seed, error_rate=0.2, items=10_000):
    """Share of covered points, its Monte-Carlo error, and the share of runs with a warning."""
    return covered_by(lambda rng: errors_in(rng, items, burst, error_rate), runs, seed, error_rate)


def covered_by(make, runs, seed, error_rate):
    """`coverage` of errors that a function makes."""
    covered, warned = [], 0
    for nth in range(runs):
        wrong = make(np.random.default_rng((seed, nth)))
        band = bands(log_with(wrong), "accuracy", "sliding(1000)", every=1000, seed=nth)
        covered.append(((band.low <= 1 - error_rate) & (1 - error_rate <= band.high)).mean())
        warned += "warning" in band.definition
    return np.mean(covered), np.std(covered) / math.sqrt(runs), warned / runs


COVERED = {1: 0.93, 3: 0.90, 20: 0.90}
"""Mean length of bursts -> share of points that a band of 95 % must cover."""


@pytest.mark.parametrize("burst", COVERED)
def test_a_band_covers_the_expected_value(burst):
    found, spread, warned = coverage(burst, 12, 1)
    assert found >= COVERED[burst] - 2.5 * max(spread, 0.02)
    assert warned == 0


@pytest.mark.slow
@pytest.mark.parametrize("error_rate", [0.2, 0.4])
@pytest.mark.parametrize("burst", COVERED)
def test_a_band_covers_the_expected_value_as_often_as_stated(burst, error_rate):
    found, spread, warned = coverage(burst, 1000, 2, error_rate)
    say(f"bands, errors of {error_rate:.0%} in bursts of {burst}: cover "
        f"{100 * found:.1f} ± {100 * spread:.1f} %, warned in {100 * warned:.1f} %")  # fmt: skip
    assert found >= COVERED[burst]
    assert warned <= 0.05


@pytest.mark.slow
def test_bursts_too_long_for_a_window_are_warned_of():
    found, spread, warned = coverage(100, 1000, 3)
    say(f"bands, bursts of 100: cover {100 * found:.1f} ± {100 * spread:.1f} %, warned in "
        f"{100 * warned:.1f} %")  # fmt: skip
    assert warned >= 0.95


def slowly(time_constant, runs, seed):
    """`coverage` of errors whose dependence fades slowly."""
    make = partial(kinds.slowly_fading, n=10_000, time_constant=time_constant)
    return covered_by(make, runs, seed, kinds.SLOWLY_FADING)


def test_the_mean_of_slowly_fading_errors_is_the_stated_one():
    level, weight = np.polynomial.hermite_e.hermegauss(80)
    mean = (weight / weight.sum() / (1 + np.exp(1.5 - level))).sum()
    assert mean == pytest.approx(kinds.SLOWLY_FADING, abs=1e-5)


def test_bands_of_slowly_fading_dependence_have_a_warning():
    found, spread, warned = slowly(150, 8, 9)
    assert found >= 0.90 - 2.5 * max(spread, 0.02)
    assert warned >= 0.9 - 0.15


@pytest.mark.slow
@pytest.mark.parametrize("time_constant", [30, 60, 100, 150, 300])
def test_slowly_fading_dependence_is_warned_of_as_often_as_stated(time_constant):
    found, spread, warned = slowly(time_constant, 1000, 10)
    say(f"bands, time constant of {time_constant}: cover {100 * found:.1f} ± {100 * spread:.1f} "
        f"%, warned in {100 * warned:.1f} %")  # fmt: skip
    if time_constant <= 100:
        assert found >= 0.90
    if time_constant >= 100:
        assert warned >= 0.90


def ever_left(window, burst, runs, seed, items):
    """Share of runs in which the expected value is outside a time-uniform band at any point."""
    return left_by(lambda rng: errors_in(rng, items, burst), window, runs, seed, 0.2)


def left_by(make, window, runs, seed, error_rate):
    """`ever_left` of errors that a function makes."""
    left = 0
    for nth in range(runs):
        wrong = make(np.random.default_rng((seed, nth)))
        level = "time_uniform(0.95)"
        band = bands(log_with(wrong), "accuracy", window, level=level, every=100, seed=nth)
        on = ~np.isnan(band.low)
        assert on.any()
        left += bool(((band.low > 1 - error_rate) | (band.high < 1 - error_rate))[on].any())
    return left / runs


WINDOWS = ("sliding(1000)", "tumbling(1000)", "fading(0.999)", "whole")


@pytest.mark.parametrize("window", WINDOWS)
def test_a_time_uniform_band_is_rarely_left(window):
    assert ever_left(window, 3, 6, 7, 5_000) <= 1 / 6


@pytest.mark.slow
@pytest.mark.parametrize("burst", [1, 20])
@pytest.mark.parametrize("window", WINDOWS)
def test_a_time_uniform_band_is_left_in_at_most_5_percent_of_runs(window, burst):
    runs = 1000
    rate = ever_left(window, burst, runs, 8, 10_000)
    say(f"time-uniform, {window}, bursts of {burst}: ever left in {100 * rate:.1f} ± "
        f"{100 * error(rate, runs):.1f} % of {runs} runs")  # fmt: skip
    assert rate <= 0.05 + error(0.05, runs)


@pytest.mark.slow
def test_a_time_uniform_band_of_slowly_fading_dependence_is_left_in_at_most_5_percent():
    make = partial(kinds.slowly_fading, n=10_000, time_constant=150)
    rate = left_by(make, "sliding(1000)", 400, 11, kinds.SLOWLY_FADING)
    say(f"time-uniform, time constant of 150: ever left in {100 * rate:.1f} ± "
        f"{100 * error(rate, 400):.1f} % of 400 runs")  # fmt: skip
    assert rate <= 0.05 + error(0.05, 400)


def test_a_drifting_curve_keeps_its_band():
    stream = sg.streams.take(sg.streams.SEA(), 4000)
    log = sg.run(stream, sg.learners.NaiveBayes())
    band = bands(log, "accuracy", "sliding(500)", level="time_uniform(0.9)", draws=20)
    on = ~np.isnan(band.low)
    assert ((band.low <= band.value) & (band.value <= band.high))[on].all()


@pytest.mark.parametrize(("level", "draws"), [(0.95, 200), (0.99, 200), (0.999, 2000)])
def test_a_level_has_the_draws_that_its_quantiles_need(level, draws):
    log = sg.run("sea(items=60)", "nb")
    assert f"from {draws} draws" in bands(log, "accuracy", level=level).definition["band"]


def test_a_log_without_losses_has_a_warning():
    codes = np.zeros(500, np.int32)
    log = from_columns(Schema((), classes=(0, 1)), codes, codes)
    assert bands(log, "accuracy", draws=5).definition["warning"].startswith("no item has a loss")

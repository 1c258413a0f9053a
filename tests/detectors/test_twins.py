"""Every detector against its slow twin."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import detectors as twins
from samples.examples import examples
from streamgauge import detectors
from streamgauge._core import NativeEstimate
from streamgauge.lazy import members
from streamgauge.windows import Fading, Sliding, Whole

SEED = 11
ODD = 0.0123456789
"""Added to thresholds, so that no statistic meets one exactly and roundings cannot decide."""


@st.composite
def binary(draw, most=250):
    """0 or 1, at rates that change now and then."""
    parts = draw(
        st.lists(st.tuples(st.sampled_from([0, 0.05, 0.3, 0.6, 1]), st.integers(0, 80)), max_size=6)
    )
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    rates = np.concatenate([[], *(np.full(n, p) for p, n in parts)])[:most]
    return (rng.random(len(rates)) < rates).astype(float)


@st.composite
def reals(draw, most=150):
    """Any losses from 0 to 1, some of them equal."""
    losses = draw(binary(most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return np.clip(losses * 0.5 + rng.choice([0, 0.1, rng.random()], len(losses)), 0, 1)


either = st.one_of(binary(), reals())
small = st.integers(0, 40)


@st.composite
def page_hinkley(draw):
    spec = detectors.PageHinkley(
        delta=draw(st.sampled_from([0.0, 0.005, 0.1])),
        threshold=draw(st.sampled_from([0.5, 3, 20])) + ODD,
        after_alarm=draw(st.sampled_from(["keep", "reset"])),
    )
    return spec, lambda x: twins.page_hinkley(
        x, spec.delta, spec.threshold, spec.after_alarm == "reset"
    )


@st.composite
def ratio(draw):
    short, long = draw(
        st.sampled_from(
            [
                (Fading(0.7), Fading(0.95)),
                (Fading(0.9), Fading(1.0)),
                (Sliding(1), Sliding(2)),
                (Sliding(5), Sliding(40)),
                (Sliding(8), Whole()),
            ]
        )
    )
    spec = detectors.PageHinkleyRatio(
        short,
        long,
        delta=draw(st.sampled_from([0.0, 0.1])),
        threshold=draw(st.sampled_from([1, 8])) + ODD,
        after_alarm=draw(st.sampled_from(["keep", "reset"])),
    )
    return spec, lambda x: twins.ratio(
        x, short.spec, long.spec, spec.delta, spec.threshold, spec.after_alarm == "reset"
    )


@st.composite
def ddm(draw):
    warning = draw(st.sampled_from([0.5, 1.5, 2.0]))
    spec = detectors.DDM(warning, warning + draw(st.sampled_from([0, 0.3, 1])), draw(small))
    return spec, lambda x: twins.ddm(
        x, spec.warning_threshold, spec.drift_threshold, spec.warm_start
    )


@st.composite
def eddm(draw):
    alarm = draw(st.sampled_from([0.5, 0.9, 0.97]))
    spec = detectors.EDDM(alarm + draw(st.sampled_from([0, 0.03])), alarm, draw(small))
    return spec, lambda x: twins.eddm(
        x, spec.warning_threshold, spec.drift_threshold, spec.warm_start
    )


@st.composite
def hddm_a(draw):
    spec = detectors.HDDMA(*draw(confidences), two_sided_test=draw(st.booleans()))
    return spec, lambda x: twins.hddm_a(
        x, spec.warning_confidence, spec.drift_confidence, spec.two_sided_test
    )


@st.composite
def hddm_w(draw):
    spec = detectors.HDDMW(
        *draw(confidences),
        lambda_value=draw(st.sampled_from([0.01, 0.05, 0.5])),
        two_sided_test=draw(st.booleans()),
    )
    levels = spec.warning_confidence, spec.drift_confidence
    return spec, lambda x: twins.hddm_w(x, *levels, spec.lambda_value, spec.two_sided_test)


confidences = st.sampled_from([(0.005, 0.001), (0.3, 0.1), (0.05, 0.05)])


@st.composite
def rddm(draw):
    warning = draw(st.sampled_from([0.5, 1.773]))
    spec = detectors.RDDM(
        warning,
        warning + draw(st.sampled_from([0.2, 1])),
        draw(small),
        max_size_concept=draw(st.integers(1, 120)),
        min_size_stable_concept=draw(st.integers(1, 50)),
        warning_limit=draw(st.integers(1, 60)),
    )
    levels = spec.warning_threshold, spec.drift_threshold
    sizes = spec.max_size_concept, spec.min_size_stable_concept, spec.warning_limit
    return spec, lambda x: twins.rddm(x, *levels, spec.warm_start, *sizes)


@st.composite
def adwin(draw):
    spec = detectors.ADWIN(
        delta=draw(st.sampled_from([0.002, 0.1, 0.5])),
        clock=draw(st.sampled_from([1, 3, 32])),
        max_buckets=draw(st.sampled_from([2, 3, 5])),
        min_window_length=draw(st.sampled_from([1, 5])),
        grace_period=draw(st.sampled_from([0, 10])),
        after_alarm=draw(st.sampled_from(["keep", "reset"])),
    )
    sizes = spec.clock, spec.max_buckets, spec.min_window_length, spec.grace_period
    return spec, lambda x: twins.adwin(x, spec.delta, *sizes, spec.after_alarm == "reset")


@st.composite
def kswin(draw):
    recent = draw(st.sampled_from([1, 5, 12]))
    spec = detectors.KSWIN(
        alpha=draw(st.sampled_from([0.005, 0.3])),
        window_size=2 * recent + draw(st.sampled_from([0, 1, 9])),
        stat_size=recent,
        after_alarm=draw(st.sampled_from(["keep", "reset"])),
    )
    anew = spec.after_alarm == "reset"
    sizes = spec.window_size, spec.stat_size
    return spec, lambda x: twins.kswin(x, spec.alpha, *sizes, SEED, anew)


@st.composite
def random_alarms(draw):
    spec = detectors.RandomAlarms(draw(st.sampled_from([0.0, 0.1, 1.0])), draw(small))
    return spec, lambda x: twins.random_alarms(x, spec.p, spec.warm_start, SEED)


TWINS = {
    "ADWIN": (adwin, either),
    "DDM": (ddm, either),
    "EDDM": (eddm, binary()),
    "HDDMA": (hddm_a, either),
    "HDDMW": (hddm_w, st.one_of(binary(90), reals(90))),  # its twin is slow to the third power
    "KSWIN": (kswin, either),
    "PageHinkley": (page_hinkley, either),
    "RDDM": (rddm, either),
    "RandomAlarms": (random_alarms, either),
    "PageHinkleyRatio": (ratio, either),
}


def test_every_detector_has_a_twin():
    assert set(members("streamgauge.detectors")) == TWINS.keys()


@pytest.mark.parametrize("name", TWINS)
@given(data=st.data())
@settings(max_examples=examples(60))
def test_it_says_what_its_twin_says(name, data):
    case, losses = TWINS[name]
    spec, twin = data.draw(case())
    column = data.draw(losses)
    expected = twin(list(column))
    watch = spec.bind(SEED)
    assert [watch.observe(x) for x in column] == expected


@pytest.mark.parametrize("name", TWINS)
@given(data=st.data())
@settings(max_examples=examples(40))
def test_columns_chunks_pickles_and_single_losses_agree(name, data):
    """One call, several calls with a pickle between, or loss by loss: the same signals."""
    case, losses = TWINS[name]
    spec, _ = data.draw(case())
    column = data.draw(losses)
    taken, rows, kinds = spec.bind(SEED).observe_many(column)
    assert taken == len(column)
    lasts = name in ("PageHinkley", "PageHinkleyRatio") and spec.after_alarm == "keep"
    one, last, single = spec.bind(SEED), 0, []
    for row, loss in enumerate(column):
        state = one.observe(loss)
        if (state == 2 and not (lasts and last == 2)) or (state == 1 and last != 1):
            single.append((row, state))
        last = state
    assert list(zip(rows.tolist(), kinds.tolist(), strict=True)) == single
    size = data.draw(st.sampled_from([1, 7, 50]))
    part, found = spec.bind(SEED), []
    for low in range(0, len(column), size):
        part = pickle.loads(pickle.dumps(part))
        _, at, what = part.observe_many(column[low : low + size])
        found += zip((at + low).tolist(), what.tolist(), strict=True)
    assert found == single
    assert part.save() == one.save()


@pytest.mark.parametrize("name", TWINS)
@given(data=st.data())
@settings(max_examples=examples(30))
def test_it_stops_at_the_first_alarm_and_starts_again_after_a_reset(name, data):
    case, losses = TWINS[name]
    spec, _ = data.draw(case())
    column = data.draw(losses)
    watch = spec.bind(SEED)
    taken, rows, kinds = watch.observe_many(column, stop=True)
    _, every, what = spec.bind(SEED).observe_many(column)
    alarms = every[what == 2]
    assert taken == (alarms[0] + 1 if len(alarms) else len(column))
    assert rows.tolist() == [r for r in every.tolist() if r < taken]
    assert (kinds[:-1] == 1).all()
    watch.reset()
    rest = column[taken:]
    if name in ("KSWIN", "RandomAlarms"):  # their draws go on
        return
    again = spec.bind(SEED).observe_many(rest)
    for a, b in zip(watch.observe_many(rest), again, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("window", [Whole(), Sliding(1), Sliding(7), Fading(0.9), Fading(1.0)])
@given(losses=st.one_of(either, st.lists(st.floats(0, 1e9), max_size=60).map(np.array)))
@settings(max_examples=examples(40))
def test_an_estimate_is_a_recount_of_the_losses(window, losses):
    losses = np.asarray(losses, float)
    expected = list(twins.estimates(losses, *window.spec))
    estimate = NativeEstimate(*window.spec)
    half = len(losses) // 2
    got = np.concatenate([estimate.push(losses[:half]), estimate.push(losses[half:])])
    np.testing.assert_allclose(got, expected, rtol=1e-12)
    estimate.reset()
    np.testing.assert_array_equal(estimate.push(losses), NativeEstimate(*window.spec).push(losses))


@pytest.mark.parametrize("name", sorted(TWINS.keys() - {"EDDM"}))
@pytest.mark.parametrize("window", [Whole(), Sliding(9), Fading(0.8)], ids=str)
@given(data=st.data())
@settings(max_examples=examples(10))
def test_signals_of_an_estimate_are_those_of_its_values(name, window, data):
    case, losses = TWINS[name]
    spec, _ = data.draw(case())
    column = data.draw(losses)
    values = NativeEstimate(*window.spec).push(column)
    watch = spec.bind(SEED, window=window)
    taken, rows, kinds = pickle.loads(pickle.dumps(watch)).observe_many(column)
    expected = spec.bind(SEED).observe_many(np.clip(values, 0, 1))
    assert taken == expected[0]
    np.testing.assert_array_equal(rows, expected[1])
    np.testing.assert_array_equal(kinds, expected[2])


def test_the_chance_of_a_distance_is_that_of_scipy():
    stats = pytest.importorskip("scipy.stats")
    for n, gap in ((5, 3), (12, 7), (30, 13), (30, 14), (30, 30)):
        a, b = [0] * (n - gap) + [1] * gap, [0] * n
        found = stats.ks_2samp(a, b, method="exact").pvalue
        assert math.isclose(twins.chance(n, gap), found, rel_tol=1e-9)

"""Losses that depend on each other: Diebold-Mariano, the block bootstrap, bands."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest
from arch.bootstrap import (
    CircularBlockBootstrap,
    MovingBlockBootstrap,
    StationaryBootstrap,
    optimal_block_length,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score
from statsmodels.regression.linear_model import OLS

import streamgauge as sg
from oracles import bands as wider
from oracles import pairs as slow
from samples.examples import examples
from streamgauge._core import resampled_means
from streamgauge.comparisons import (
    bands,
    block_bootstrap,
    block_length,
    compare,
    diebold_mariano_test,
)
from streamgauge.comparisons._resampled_curves import NEARBY
from streamgauge.errors import ParameterError, StreamgaugeError
from streamgauge.log import from_columns
from streamgauge.names import known, make
from streamgauge.seeds import child
from streamgauge.types import Schema

values = st.lists(st.floats(-5, 5), min_size=4, max_size=40)


def bursts(seed, items=4000, hold=0.9):
    """Losses that tend to repeat the one before."""
    rng = np.random.default_rng(seed)
    fresh, draw = rng.random(items) > hold, rng.random(items) < 0.3
    draw[0] = True
    last = np.maximum.accumulate(np.where(fresh, np.arange(items), 0))
    return draw[last].astype(float)


def log_with(wrong):
    schema = Schema((), classes=("no", "yes"))
    return from_columns(schema, np.zeros(len(wrong), np.int32), wrong.astype(np.int32))


@dataclass(frozen=True)
class InBatches:
    """The tables of another log, with its pairs in small batches."""

    whole: object
    size: int

    def __getattr__(self, name):
        return getattr(self.whole, name)

    def labelled_predictions(self, fold=None):
        for batch in self.whole.labelled_predictions(fold):
            for a in range(0, len(batch), self.size):
                yield batch.slice(a, min(a + self.size, len(batch)))


@given(values, values, st.integers(0, 8))
def test_diebold_mariano_is_its_formula(a, b, lags):
    n = min(len(a), len(b))
    differences = [x - y for x, y in zip(a, b, strict=False)]
    if max(differences) - min(differences) < 1e-3:
        return
    try:
        there = slow.diebold_mariano(differences, lags)
    except (ValueError, ZeroDivisionError):  # a variance of 0 but for rounding
        return
    here, p = diebold_mariano_test(np.array(a[:n]), np.array(b[:n]), lags)
    if abs(there) < 1e3:
        assert here == pytest.approx(there, rel=1e-6, abs=1e-9)
        assert p == pytest.approx(2 * stats.norm.sf(abs(here)), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("lags", [0, 1, 7, 31])
def test_diebold_mariano_is_that_of_statsmodels(lags):
    a, b = bursts(1), bursts(2)
    there = OLS(a - b, np.ones(len(a))).fit(cov_type="HAC", cov_kwds={"maxlags": lags})
    here, p = diebold_mariano_test(a, b, lags)
    assert here == pytest.approx(there.tvalues[0], rel=1e-9)
    assert p == pytest.approx(there.pvalues[0], rel=1e-6)
    verdict = compare(log_with(a), log_with(b), lags=lags)
    assert verdict["diebold", "whole"].value == pytest.approx(here, rel=1e-9)


def test_sides_of_diebold_mariano_share_one_chance():
    a, b = bursts(3), bursts(4)
    _, either = diebold_mariano_test(a, b)
    _, for_a = diebold_mariano_test(a, b, side="a")
    _, for_b = diebold_mariano_test(a, b, side="b")
    assert for_a + for_b == pytest.approx(1)
    assert either == pytest.approx(2 * min(for_a, for_b))


def test_a_difference_that_never_varies_is_certain_or_undefined():
    ones, noughts = np.ones(50), np.zeros(50)
    assert diebold_mariano_test(ones, noughts) == (math.inf, 0.0)
    statistic, p = diebold_mariano_test(ones, ones)
    assert math.isnan(statistic)
    assert math.isnan(p)
    assert all(map(math.isnan, diebold_mariano_test(np.empty(0), np.empty(0))))


def test_dependence_makes_the_classical_test_see_winners_that_are_none():
    """Equals whose errors occur in bursts: McNemar at its fixed end, and Diebold-Mariano."""
    significant, careful = 0, 0
    for seed in range(100):
        a, b = bursts(2 * seed), bursts(2 * seed + 1)
        verdict = compare(log_with(a), log_with(b), lags=60)
        significant += verdict["mcnemar", "whole"].p < 0.05
        careful += verdict["diebold", "whole"].p < 0.05
    assert significant > 40
    assert careful < 15


@given(
    values,
    st.sampled_from(["moving", "circular", "stationary"]),
    st.integers(1, 12),
    st.integers(0, 2**40),
)
def test_resampled_means_are_those_of_series_written_out(series, kind, block, seed):
    block = min(block, len(series))
    here = resampled_means(np.array(series), kind, float(block), 5, seed)
    there = slow.resampled_means(series, kind, block, 5, seed)
    assert here == pytest.approx(there, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("kind", ["moving", "circular", "stationary"])
@pytest.mark.parametrize("block", [1, 2, 3, 8, 20])
def test_blocks_are_as_long_as_requested_and_no_longer_than_the_series(kind, block):
    series = np.random.default_rng(6).normal(size=8)
    seen = block_bootstrap(series, kind=kind, block=block, draws=40, seed=3, level=0.5)
    length = float(min(block, 8))
    assert seen.block == length
    means = resampled_means(series, kind, length, 40, child(3, "bootstrap"))
    assert (seen.low, seen.high) == tuple(np.quantile(means, [0.25, 0.75]))
    assert (seen.mean, seen.standard_error) == (series.mean(), means.std())


@pytest.mark.parametrize(
    ("kind", "peer"),
    [
        ("stationary", StationaryBootstrap),
        ("moving", MovingBlockBootstrap),
        ("circular", CircularBlockBootstrap),
    ],
)
def test_the_block_bootstrap_is_as_wide_as_that_of_arch(kind, peer):
    losses = bursts(5, 2000)
    here = block_bootstrap(losses, kind=kind, block=40, draws=4000)
    boot = peer(40, losses, seed=1)
    means = np.array([data[0][0].mean() for data in boot.bootstrap(4000)])
    assert here.mean == losses.mean()
    assert here.standard_error == pytest.approx(means.std(), rel=0.06)
    assert [here.low, here.high] == pytest.approx(np.quantile(means, [0.025, 0.975]), abs=0.004)


def test_the_length_of_blocks_is_that_of_arch_but_for_correlations_on_the_edge():
    """arch divides a correlation by the variances of its two ends, the paper by that of all."""
    equal = 0
    for seed in range(24):
        losses = bursts(seed, 3000, hold=(0.0, 0.5, 0.8, 0.95)[seed % 4])
        there = optimal_block_length(losses).iloc[0]
        for kind in ("stationary", "circular"):
            here = block_length(losses, kind)
            assert here == pytest.approx(max(1, there[kind]), rel=0.15)
            equal += here == pytest.approx(max(1, there[kind]), rel=1e-9)
    assert equal >= 40


@pytest.mark.parametrize(("items", "most"), [(9, 3), (12, 4), (60, 20), (90, 29), (1000, 95)])
def test_a_block_is_at_most_a_third_of_the_series_and_three_times_its_root(items, most):
    """A wave depends on all of its past: the rule would take more than there is."""
    for kind in ("stationary", "circular"):
        assert block_length(np.sin(2.0 * np.arange(items)), kind) == most


@pytest.mark.parametrize("of", [block_length, block_bootstrap])
def test_missing_values_are_refused(of):
    with pytest.raises(ParameterError, match=f"{of.__name__}: values must be a column of finite"):
        of(np.array([0.0, np.nan] * 10))


def test_series_without_dependence_or_variation_need_no_blocks():
    assert block_length(np.ones(100)) == 1
    assert block_length(np.array([1.0, 2.0])) == 1
    empty = block_bootstrap(np.empty(0))
    assert math.isnan(empty.mean)
    assert empty.validity == "fixed horizon only"
    flat = block_bootstrap(np.full(30, 0.5))
    assert (flat.mean, flat.low, flat.high) == (0.5, 0.5, 0.5)


def test_a_band_is_as_wide_as_the_block_bootstrap_of_its_losses():
    wrong = bursts(7, 4000)
    there = block_bootstrap(1 - wrong, block=30, draws=4000)
    for kind in ("stationary", "moving"):
        here = bands(log_with(wrong), "accuracy", draws=800, block=30, kind=kind, every=1000)
        width = float(here.high[-1] - here.low[-1])
        assert width == pytest.approx(there.high - there.low, rel=0.12)
        assert here.low[-1] < here.final < here.high[-1]


ABLE = {
    (name, window)
    for name in known("measure")
    for window in ("whole", "sliding(500)", "tumbling(500)", "fading(0.995)", "ewma(0.01)")
    if make("window", window).spec[0] in make("measure", name).supports()
    and make("measure", name).task == "classification"
}


@pytest.fixture(scope="module")
def scored():
    stream = sg.streams.take(sg.streams.SEA(), 3000)
    return sg.run(stream, sg.learners.NaiveBayes(), scores=True)


@pytest.mark.parametrize(("name", "window"), sorted(ABLE))
def test_every_curve_has_a_band(scored, name, window):
    band = bands(scored, name, window, draws=40)
    curve = sg.measure(scored, name, window)
    assert np.array_equal(band.value, curve.value, equal_nan=True)
    assert np.array_equal(band.at, curve.at)
    inside = (band.low <= curve.value) & (curve.value <= band.high)
    assert inside[len(inside) // 2 :].mean() > 0.9
    assert band.definition["validity"] == "fixed horizon only"
    assert "stationary blocks" in band.definition["band"]


AT_MOST = {
    "whole": 4000 / 8,
    "sliding(40)": 40 / 8,
    "tumbling(56)": 56 / 8,
    "fading(0.9)": 10 / 8,
    "fading(1)": 4000 / 8,
    "ewma(0.02)": 50 / 8,
    "sliding(4)": 1,
}
"""The longest block of 4,000 items under each window: an eighth of what it holds, at least 1."""


@pytest.mark.parametrize("window", AT_MOST)
def test_a_block_fits_the_losses_unless_the_window_holds_less(window):
    """Losses are centred in parts of ten windows, so a drift between them is no dependence."""
    held = 8 * AT_MOST[window] if window != "sliding(4)" else 4
    parts = max(1, 4000 // int(10 * held))
    for hold in (0.0, 0.9, 0.999):
        wrong = bursts(5, 4000, hold)
        ends = [nth * 4000 // parts for nth in range(parts + 1)]
        each = [wrong[a:b] for a, b in pairwise(ends)]
        fitting = block_length(np.concatenate([part - part.mean() for part in each]))
        band = bands(log_with(wrong), "accuracy", window, draws=2, every=4000)
        expected = max(1.0, min(fitting, AT_MOST[window]))
        assert f"stationary blocks of {expected:.4g} " in band.definition["band"]


def test_bands_of_real_predictions_and_of_scores():
    stream = sg.streams.take(sg.streams.Friedman(), 1500)
    log = sg.run(stream, sg.learners.LinearRegression())
    band = bands(log, "mae", "sliding(500)", draws=30)
    assert band.low[-1] < band.final < band.high[-1]
    log = sg.run(sg.streams.take(sg.streams.SEA(), 1500), sg.learners.NaiveBayes(), scores=True)
    band = bands(log, "brier", draws=30)
    assert band.low[-1] < band.final < band.high[-1]
    endless = bands(log, "log_loss", draws=30)  # one certain and wrong prediction
    assert endless.low[-1] == endless.final == endless.high[-1] == math.inf


def check_band(band, both, spec, length, kind, weights):
    """Compare a band of 99 % with the lower and the higher of two draws, each moved outwards."""
    for nth, (value, *drawn) in enumerate(zip(band.value, *both, strict=True)):
        equal = kind != "stationary"
        factor = wider.factor(0.99, False, spec, nth + 1, length, equal, weights, 1.0)
        found = band.low[nth], band.high[nth]
        if math.isnan(factor):
            assert np.isnan(found).all()
            continue
        low, high = min(drawn), max(drawn)
        low = value - factor * (value - low) if low < value else low
        high = value + factor * (high - value) if high > value else high
        assert found == pytest.approx((max(low, 0.0), min(high, 1.0)), rel=1e-9)


@settings(max_examples=examples(25))
@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=40),
    st.sampled_from(["stationary", "moving"]),
    st.integers(1, 9),
    st.integers(0, 2**32),
)
def test_a_band_is_that_of_logs_resampled_row_by_row(rows, kind, length, seed):
    """Two draws: the band is from the lower to the higher one, widened, at every point."""
    label, prediction = np.array(rows, np.int32).T
    log = from_columns(Schema((), classes=("no", "yes")), label, prediction)
    seeds = [child(child(seed, "bands"), "draw", fold=d) for d in range(2)]
    seeds = [(child(s, "cuts"), child(s, "weights")) for s in seeds]
    terms = {"draws": 2, "level": 0.99, "block": length, "kind": kind, "every": 1, "seed": seed}
    weighed = bands(log, "accuracy", **terms)
    near = bands(log, "accuracy", "ewma(0.1)", **terms)
    both = []
    for ends in seeds:
        weights = np.array([w for *_, w in slow.resampled(rows, *ends, length, kind, None)])
        right = (label == prediction) * weights
        both.append(np.cumsum(right) / np.cumsum(weights))
    check_band(weighed, both, ("whole", 0.0), length, kind, True)
    both = []
    for ends in seeds:
        p, values = 0.0, []
        for y, predicted in slow.resampled(rows, *ends, length, kind, NEARBY):
            p = 0.1 * (y == predicted) + 0.9 * p
            values.append(p)
        both.append(np.array(values))
    check_band(near, both, ("ewma", 0.1), length, kind, False)


def test_a_band_without_weights_is_as_wide_as_one_with_weights():
    """What forgets alike (ewma, fading), and what is another number in other units (z, kappa)."""
    log = log_with(bursts(9, 6000, hold=0.5))
    terms = {"draws": 400, "block": 10, "every": 500}
    near = bands(log, "accuracy", "ewma(0.01)", **terms)
    weighed = bands(log, "accuracy", "fading(0.99)", **terms)
    assert "nearby" in near.definition["band"]
    widths = [float((b.high - b.low)[4:].mean()) for b in (near, weighed)]
    assert widths[0] == pytest.approx(widths[1], rel=0.1)
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 6000, dtype=np.int32)
    prediction = np.where(rng.random(6000) < 0.3, 1 - label, label)
    log = from_columns(Schema((), classes=("no", "yes")), label, prediction)
    kappa, z = (bands(log, name, draws=400, block=1, every=6000) for name in ("kappa", "kappa_z"))
    unit = kappa.final / z.final
    assert z.high[-1] - z.low[-1] == pytest.approx(
        (kappa.high[-1] - kappa.low[-1]) / unit, rel=0.12
    )


def test_the_band_of_auc_is_as_wide_as_the_bootstrap_of_scikit_learn():
    rng = np.random.default_rng(2)
    label = rng.integers(0, 2, 3000, dtype=np.int32)
    score = label + rng.normal(0, 1.5, 3000)
    p = 1 / (1 + np.exp(-score))
    schema = Schema((), classes=("no", "yes"))
    prediction = (score > 0.5).astype(np.int32)
    log = from_columns(schema, label, prediction, scores=np.stack([1 - p, p], axis=1))
    band = bands(log, "auc", draws=300, block=1, every=3000)
    assert band.final == pytest.approx(roc_auc_score(label, score))
    drawn = [rng.integers(0, 3000, 3000) for _ in range(300)]
    low, high = np.quantile([roc_auc_score(label[i], score[i]) for i in drawn], [0.025, 0.975])
    assert band.high[-1] - band.low[-1] == pytest.approx(high - low, rel=0.2)


def test_a_band_of_blocks_from_nearby_keeps_drifts_where_they_are():
    """All right, then all wrong: far from the drift every draw says the same."""
    wrong = np.repeat([0.0, 1.0], 3000)
    band = bands(log_with(wrong), "accuracy", "ewma(0.05)", draws=50, block=10, every=500)
    away = [3, 4, 8, 9, 10, 11]  # after 2,000, 2,500, 4,500, … items
    assert (band.high - band.low)[away] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "window"),
    [("kappa_plus", "sliding(70)"), ("kappa_plus", "ewma(0.05)"), ("kappa_z", "whole")],
)
@pytest.mark.parametrize("kind", ["stationary", "moving"])
def test_a_band_does_not_depend_on_batches(name, window, kind):
    rng = np.random.default_rng(3)
    label = rng.integers(-1, 3, 1000, dtype=np.int32)  # a quarter is unknown
    prediction = rng.integers(-1, 3, 1000, dtype=np.int32)
    log = from_columns(Schema((), classes=("a", "b", "c")), label, prediction)
    terms = {"draws": 5, "every": 50, "kind": kind, "block": 7}
    whole = bands(log, name, window, **terms)
    for size in (1, 13, 400):
        cut = bands(replace(log, tables=InBatches(log.tables, size)), name, window, **terms)
        assert np.array_equal(cut.low, whole.low, equal_nan=True)
        assert np.array_equal(cut.high, whole.high, equal_nan=True)


@pytest.mark.parametrize("items", [0, 1, 2, 9])
@pytest.mark.parametrize("name", ["accuracy", "kappa_z"])
def test_a_band_of_few_items_has_the_points_of_its_curve(items, name):
    for window in ("whole", "sliding(5)"):
        band = bands(log_with(np.arange(items) % 2), name, window, draws=20)
        assert len(band.low) == len(band.high) == len(band.at)
    many = bands(log_with(np.arange(9) % 2), ["accuracy", "error"], ["whole", "ewma(0.1)"], draws=9)
    assert [(c.measure, c.window) for c in many] == [
        ("accuracy", "whole"),
        ("accuracy", "ewma(0.1)"),
        ("error", "whole"),
        ("error", "ewma(0.1)"),
    ]


def test_a_band_repeats_with_its_seed():
    wrong = bursts(8, 2000)
    whole = log_with(wrong)
    once, again, other = (
        bands(whole, "accuracy", "sliding(300)", draws=20, seed=seed) for seed in (1, 1, 2)
    )
    assert np.array_equal(once.low, again.low, equal_nan=True)
    assert not np.array_equal(once.low, other.low, equal_nan=True)


def test_the_band_covers_the_truth_of_dependent_losses():
    """Errors in bursts: of 95 % bands at the end, most hold the true share of errors."""
    covered = independent = 0
    for seed in range(60):
        wrong = bursts(1000 + seed, 3000)
        band = bands(log_with(wrong), "error", draws=100, every=3000)
        covered += band.low[-1] <= 0.3 <= band.high[-1]
        half = 1.96 * math.sqrt(0.21 / 3000)
        independent += abs(wrong.mean() - 0.3) <= half
    assert covered >= 51
    assert independent <= 45


BAD = {
    "kind": (lambda log: bands(log, "accuracy", kind="wild"), r"^bands: kind must be one of"),
    "block": (lambda log: bands(log, "accuracy", block=0), r"^bands: block must be at least 1"),
    "level": (lambda log: bands(log, "accuracy", level=1), r"level must be above 0 and below 1"),
    "draws": (lambda log: bands(log, "accuracy", draws=1), r"draws must be a whole number"),
    "window": (lambda log: bands(log, "auc", "fading(0.9)"), r"^auc: is not defined in fading"),
    "measure": (lambda log: bands(log, []), r"measures and windows must be at least one"),
    "a name": (lambda log: bands(log, "acuracy"), r"did you mean 'accuracy'"),
    "lengths": (
        lambda log: diebold_mariano_test(np.ones(3), np.ones(4)),
        r"losses must be two columns of one length, got \(\(3,\), \(4,\)\)$",
    ),
    "lags": (
        lambda log: diebold_mariano_test(np.ones(3), np.ones(3), lags=-1),
        r"lags must be a whole number, at least 0, got -1$",
    ),
    "values": (
        lambda log: block_bootstrap(np.array([1.0, np.nan])),
        r"values must be a column of finite numbers",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_resampled_is_refused_in_a_sentence(case):
    act, words = BAD[case]
    with pytest.raises(StreamgaugeError, match=words):
        act(log_with(np.ones(20)))


def test_losses_that_differ_by_rounding_do_not_differ():
    label = np.linspace(1.0, 2.0, 200)
    a, b = (from_columns(Schema(()), label, label + d) for d in (0.3, 0.1 + 0.2))
    found = sg.compare(a, b, names=("a", "b"))["diebold_mariano", "whole"]
    assert math.isnan(found.value)
    assert found.favours is None

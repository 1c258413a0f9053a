"""Curves of bins: where each point is, what was known until a time, and weighted means."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.errors import LogError, ParameterError
from streamgauge.late._bins import bin_names
from streamgauge.late._mean_over_bins import WEIGHTS, bin_positions, mean_over_bins
from streamgauge.log.lateness import lateness

B = 4


@cache
def log():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 60)
    time = np.cumsum(rng.integers(0, 3, 60))
    until = time + rng.integers(0, 15, 60)
    x = (y + rng.normal(size=60)).reshape(-1, 1)
    stream = sg.streams.from_arrays(x, y, time=time, label_time=until)
    return sg.run(stream, sg.learners.NaiveBayes(), sg.protocols.Reevaluating(every=2))


def known():
    """When the labels arrive, in that order."""
    return np.concatenate([part.time for part in log().labelled_predictions()])


@pytest.mark.parametrize("rows", [1, 7, 10**6])
@pytest.mark.parametrize("every", [1, 2, 7, 15, 59, 60, 61, None])
def test_a_point_has_the_time_of_the_label_it_follows(every, rows, monkeypatch):
    monkeypatch.setattr("streamgauge.late._prediction_history.ROWS", rows)
    found = sg.late.bins(log(), "accuracy", B, every=every)
    step = every or 2
    assert found.at.tolist() == sorted({*range(step, 61, step), 60})
    assert found.time.tolist() == known()[found.at - 1].tolist()
    for bin in range(B + 2):
        one = sg.measure(sg.late.at_bin(log(), bin, B), "accuracy", every=step)
        curve = found.curve(bin)
        np.testing.assert_allclose(curve.value, one.value)
        assert curve.at.tolist() == found.at.tolist()
        assert curve.definition["bin"] == str(bin)
        assert curve.axis == "labels"


def test_until_a_time_is_the_last_point_that_is_not_after_it():
    found = sg.late.bins(log(), "accuracy", B, every=7)
    for time in range(-1, int(found.time[-1]) + 2):
        before = np.flatnonzero(found.time <= time)
        want = found.value[before[-1]] if len(before) else np.full(B + 2, np.nan)
        np.testing.assert_array_equal(found.until(time), want)
    np.testing.assert_array_equal(found.final, found.value[-1])


@pytest.mark.parametrize("bins", [0, 1, 2, 3, 4])
def test_each_named_weight_has_its_documented_value(bins):
    wide = range(bins + 2)
    half = bins // 2
    expected = {
        "first": [float(b == 0) for b in wide],
        "last": [float(b == bins + 1) for b in wide],
        "uniform": [1.0 for b in wide],
        "early": [float(1 <= b <= bins - half) for b in wide],
        "late": [float(half < b <= bins) for b in wide],
        "exponential": [32 ** (b / (bins + 1)) for b in wide],
    }
    assert expected.keys() == WEIGHTS.keys()
    found = sg.late.bins(log(), "accuracy", bins)
    for name, weights in expected.items():
        np.testing.assert_allclose(WEIGHTS[name](bins), weights)
        total = sum(weights)
        if total:
            mean = sum(w * v for w, v in zip(weights, found.final, strict=True)) / total
            assert mean_over_bins(found, name) == pytest.approx(mean)
            assert mean_over_bins(found, weights) == pytest.approx(mean)
        else:
            assert np.isnan(mean_over_bins(found, name))
    assert len(bin_names(bins)) == bins + 2
    np.testing.assert_allclose(bin_positions(bins), [100 * b / bins for b in range(1, bins + 1)])


@pytest.mark.parametrize(
    ("do", "words"),
    [
        (lambda f: f.curve(-1), "bin must be from 0 to 5, got -1"),
        (lambda f: f.curve(B + 2), "bin must be from 0 to 5, got 6"),
        (lambda f: mean_over_bins(f, "unifrom"), "got 'unifrom'; did you mean 'uniform'"),
        (lambda f: mean_over_bins(f, [1, 2]), "weights must be 6 numbers, at least 0, one per bin"),
        (lambda f: mean_over_bins(f, [1, 1, 1, 1, 1, -1]), "at least 0, one per bin"),
        (lambda f: mean_over_bins(f, ["x"] * 6), "weights must be 6 numbers, at least 0"),
        (lambda f: mean_over_bins(f, [[1], [1, 2]]), "weights must be 6 numbers, at least 0"),
        (
            lambda f: sg.late.compare_bins(log(), [log()]),
            r"a and b must be two logs, or two lists of repetitions, got a Log and a list$",
        ),
        (lambda f: sg.late.bins(log(), every=0), "every must be a whole number, at least 1"),
        (lambda f: sg.late.bins(log(), every=True), "every must be a whole number, at least 1"),
        (lambda f: sg.late.bins(log(), binning="x"), "binning must be 'longest' or 'grzenda'"),
        (lambda f: sg.late.at_bin(log(), B + 2, B), "bin must be from 0 to 5, got 6"),
        (lambda f: sg.late.at_bin(log(), True, B), "bin must be from 0 to 5, got True"),
        (
            lambda f: sg.late.item_changes(log(), tolerance=1),
            "tolerance must be None in classification",
        ),
    ],
)
def test_invalid_arguments_are_refused(do, words):
    with pytest.raises(ParameterError, match=words):
        do(sg.late.bins(log(), "accuracy", B))


def test_a_log_of_one_bin_is_refused_where_repeated_predictions_are_read():
    stream = sg.streams.delay(sg.streams.SEA(items=300), 40)
    one = sg.late.at_bin(sg.run(stream, "nb", "reevaluating"), 3)
    for function in (sg.late.costs, sg.late.item_changes, sg.late.change_summary, sg.late.bins):
        with pytest.raises(LogError, match=r"must have all predictions, got those of one bin"):
            function(one) if function is not sg.late.bins else function(one, "accuracy")


def test_a_log_of_one_bin_states_that_delays_depend_on_the_class():
    delays = sg.delays.ByClass({"groupA": 5, "groupB": 300})
    stream = sg.streams.delay(sg.streams.SEA(items=3000), delays)
    log = sg.run(stream, "nb", "reevaluating")
    whole, one = lateness(log), lateness(sg.late.at_bin(log, 3))
    assert whole.to_text().startswith("Labels of class")
    assert one.to_text() == whole.to_text()

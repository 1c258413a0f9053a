"""Measures of selections: recounts, the closed formula, edge cases, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from oracles import selectors as slow
from samples.examples import examples
from streamgauge.errors import ParameterError
from streamgauge.feature_selection import (
    frequencies,
    nogueira_stability,
    reduction_rate,
    stability,
)
from streamgauge.log.rows import SimpleRows
from streamgauge.log.selections import Selections
from streamgauge.log.table import InMemory, Log
from streamgauge.plots import selected_features
from streamgauge.types import Feature, Schema


def log_of(sets):
    """A log in which these are the features selected after each item, of one fold."""
    width = len(sets[0]) if sets else 3
    schema = Schema(tuple(Feature(f"f{j}") for j in range(width)), "y", ("no", "yes"))
    changes = [
        (i, np.flatnonzero(one))
        for i, one in enumerate(sets)
        if i == 0 or list(one) != list(sets[i - 1])
    ]
    labels = np.zeros(len(sets), np.int32)
    rows = SimpleRows(0, labels, labels, None, None, None, None, None)
    return Log(schema, InMemory((rows,), True, (Selections.of(changes),)))


def alone(sets):
    return stability(log_of(sets)).final


sequences = st.integers(1, 6).flatmap(
    lambda width: st.lists(
        st.lists(st.booleans(), min_size=width, max_size=width), min_size=1, max_size=25
    )
)


@settings(max_examples=examples(60), deadline=None)
@given(sets=sequences, repeat=st.integers(1, 3), data=st.data())
def test_curves_are_recounts_of_their_windows(sets, repeat, data):
    sets = [one for one in sets for _ in range(repeat)]
    kind = data.draw(st.sampled_from(["whole", "sliding", "tumbling"]))
    size, every = data.draw(st.integers(1, 30)), data.draw(st.integers(1, 9))
    window = kind if kind == "whole" else f"{kind}({size})"
    log = log_of(sets)
    spans = list(slow.windows(len(sets), kind, size, every))
    for function, twin in ((stability, slow.stability), (reduction_rate, slow.reduction_rate)):
        curve = function(log, window, every=every)
        assert curve.at.tolist() == [end for _, end in spans]
        expected = [twin(sets[low:high]) for low, high in spans]
        np.testing.assert_allclose(curve.value, expected, rtol=1e-12, atol=1e-12)
    shares = np.mean(sets, axis=0)
    np.testing.assert_allclose(list(frequencies(log).values()), shares, rtol=1e-12)


def test_stability_is_that_of_the_closed_formula_for_a_fixed_size():
    """With k features in every set it is the mean over pairs of sets, corrected for chance."""
    draw = np.random.default_rng(0)
    sets = np.zeros((12, 9), bool)
    for one in sets:
        one[draw.choice(9, 4, replace=False)] = True
    pairs = [(a, b) for i, a in enumerate(sets) for b in sets[:i]]
    expected_overlap = 4 * 4 / 9
    mean = np.mean([((a & b).sum() - expected_overlap) / (4 - expected_overlap) for a, b in pairs])
    assert math.isclose(alone(sets.tolist()), mean, rel_tol=1e-12)


def test_two_disjoint_halves_have_the_lowest_stability():
    assert alone([[1, 1, 0, 0], [0, 0, 1, 1]]) == -1.0
    assert alone([[1, 0, 0, 0]] * 7) == 1.0


def test_random_sets_of_one_size_have_a_stability_of_zero_on_average():
    draw = np.random.default_rng(1)
    ranks = draw.random((400, 40, 15)).argsort(axis=2)
    values = nogueira_stability((ranks < 5).sum(axis=1), np.full(400, 40))
    assert abs(values.mean()) < 3 * values.std() / math.sqrt(400)


@pytest.mark.parametrize(
    "sets",
    [
        [[1, 0, 0]],  # one set
        [[0, 0, 0]] * 4,  # no features
        [[1, 1, 1]] * 4,  # all features
    ],
)
def test_stability_is_undefined_for_one_set_and_for_sets_of_no_or_all_features(sets):
    assert math.isnan(alone(sets))
    assert math.isnan(slow.stability(sets))


def test_a_window_of_one_has_no_stability_but_a_reduction_rate():
    log = log_of([[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    assert np.isnan(stability(log, "sliding(1)", every=1).value).all()
    np.testing.assert_allclose(reduction_rate(log, "sliding(1)", every=1).value, [2 / 3, 1 / 3, 0])


def test_a_log_without_selections_and_other_windows_are_refused():
    plain = sg.run("sea(items=20)", "naive_bayes")
    for function in (stability, reduction_rate):
        with pytest.raises(
            ParameterError, match=f"{function.__name__}: log must be one with selec"
        ):
            function(plain)
        with pytest.raises(ParameterError, match="window must be whole, sliding or tumbling"):
            function(log_of([[1, 0]] * 3), "fading(0.9)")
        with pytest.raises(ParameterError, match="every must be at least 1"):
            function(log_of([[1, 0]] * 3), every=0)
    with pytest.raises(ParameterError, match="frequencies: log must be one with selected features"):
        frequencies(plain)


def test_the_picture_has_the_most_frequent_features_and_their_shares():
    sets = [[1, 0, 0], [1, 0, 1], [1, 0, 1], [1, 0, 0]]
    shown = selected_features.data(log_of(sets), features=2, points=2)
    assert shown.names == ("f0", "f2")
    assert shown.edges.tolist() == [0, 2, 4]
    assert shown.share.tolist() == [[1.0, 1.0], [0.5, 0.5]]
    assert shown.frequency.tolist() == [1.0, 0.5]
    assert shown.hidden == 1
    left, right = selected_features.draw(shown, title="$x$").axes[:2]
    assert [text.get_text() for text in left.get_yticklabels()] == ["f0", "f2"]
    assert [bar.get_width() for bar in right.patches] == [1.0, 0.5]
    assert left.get_title(loc="left") == "$x$ (1 more features)"


def test_all_folds_count_by_default_and_none_is_taken_silently():
    learner = "selecting(ofs(n_features=3), perceptron)"
    log = sg.run("led(items=600)", learner, "k_fold(k=3, split='cross')")
    each = [stability(log, "sliding(50)", every=100, fold=fold) for fold in range(3)]
    mean = stability(log, "sliding(50)", every=100)
    assert mean.definition["folds"] == "3"
    values = [curve.value[: len(mean.at) - 1] for curve in each]
    np.testing.assert_allclose(mean.value[:-1], np.mean(values, axis=0))
    rates = [reduction_rate(log, fold=fold) for fold in range(3)]
    at = reduction_rate(log).at
    found = [curve.value[np.searchsorted(curve.at, at, side="right") - 1] for curve in rates]
    np.testing.assert_allclose(reduction_rate(log).value, np.mean(found, axis=0))
    shares = [frequencies(log, fold=fold) for fold in range(3)]
    for name, share in frequencies(log).items():
        assert share == pytest.approx(np.mean([one[name] for one in shares]))
    with pytest.raises(ParameterError, match="selected_features: fold must be given for a log"):
        selected_features.data(log)
    with pytest.raises(ParameterError, match="series: fold must be given for facts of several"):
        log.vitals().series("bytes")

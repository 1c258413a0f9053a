"""FIMT-DD and its kin: equal to their slow twins, and what is particular to them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import model_trees as twins
from oracles.chunks import chunks
from samples.examples import examples
from streamgauge import learners
from streamgauge.errors import ParameterError
from streamgauge.types import Feature, Schema

QUICK = {
    "grace_period": 8,
    "delta": 0.3,
    "tau": 0.35,
    "page_hinkley_threshold": 0.6,
    "alternate_tree_t_min": 6,
    "alternate_tree_time": 20,
}
"""Trees that split and doubt themselves within some dozens of items."""
CASES = {
    "linear": (learners.FIMTDD, twins.FIMTDD, {}),
    "means": (learners.FIMTDD, twins.FIMTDD, {"leaf_prediction": "mean"}),
    "long steps": (
        learners.FIMTDD,
        twins.FIMTDD,
        {"learning_rate": 0.1, "learning_rate_decay": 0.0},
    ),
    "options": (learners.ORTO, twins.ORTO, {"delta": 0.05, "max_trees": 8}),
    "best option": (learners.ORTO, twins.ORTO, {"delta": 0.05, "aggregation_method": "best"}),
    "options of means": (
        learners.ORTO,
        twins.ORTO,
        {
            "delta": 0.05,
            "leaf_prediction": "mean",
            "option_decay_factor": 0.8,
            "option_fading_factor": 0.9,
        },
    ),
    "options, each leaf anew": (
        learners.ORTO,
        twins.ORTO,
        {"delta": 0.05, "inherit": False, "max_option_level": 1},
    ),
    "linear as MOA's": (learners.FIMTDD, twins.FIMTDD, {"as_moa": True}),
    "means as MOA's": (learners.FIMTDD, twins.FIMTDD, {"as_moa": True, "leaf_prediction": "mean"}),
    "options as MOA's": (learners.ORTO, twins.ORTO, {"as_moa": True, "delta": 0.05}),
    "options of means as MOA's": (
        learners.ORTO,
        twins.ORTO,
        {"as_moa": True, "delta": 0.05, "leaf_prediction": "mean", "page_hinkley_threshold": 2.0},
    ),
}

FOREST = {
    "grace_period": 10,
    "delta": 0.3,
    "tau": 0.35,
    "n_models": 3,
    "warning_delta": 0.5,
    "drift_delta": 0.3,
}
FORESTS = {
    "as it is": {},
    "as MOA's": {"as_moa": True},
    "watching errors": {"monitored": "error"},
    "nothing beside": {"background_learner": False, "max_features": None, "lambda_value": 1.0},
}


def schema(columns):
    values = [None if v is None else tuple(range(v)) for v in columns]
    return Schema(tuple(Feature(f"x{j}", v) for j, v in enumerate(values)), "y")


def agree(case, columns, rows, labels, weights=None):
    """Native predictions equal the twin's, one by one; gives the native learner."""
    spec, twin, given = CASES[case]
    native = spec(**{**QUICK, **given}).bind(schema(columns), seed=5)
    slow = twin(columns, seed=5, **{**QUICK, **given})
    predictions = native.test_then_train(0, rows, labels, weights)
    for i, (row, label) in enumerate(zip(rows.tolist(), labels.tolist(), strict=True)):
        near = pytest.approx(slow.predict(i, row), rel=1e-7, abs=1e-7, nan_ok=True)
        assert predictions[i] == near, i
        weight = 1.0 if weights is None else float(weights[i])
        if not math.isnan(label) and weight > 0:
            slow.learn(row, label, weight)
    return native, slow


@pytest.mark.parametrize("case", CASES)
@given(chunk=chunks("regression", kinds=("plain", "whole"), widest=5))
@settings(deadline=None, max_examples=examples(40))
def test_predictions_equal_the_twins_on_any_chunk(case, chunk):
    agree(case, chunk.columns, chunk.rows, chunk.labels, chunk.weights)


def drifting(seed, count=500):
    """Steps in two columns, one of which moves to another half-way; a nominal column, holes."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(count, 4))
    rows[:, 2] = rng.integers(0, 3, count)
    which = np.where(np.arange(count) < count // 2, 0, 1)
    labels = 10.0 * (rows[np.arange(count), which] > 0) + rng.normal(size=count)
    labels += 9.0 * (rows[:, 3] > 0)
    rows[rng.random(rows.shape) < 0.05] = np.nan
    return [None, None, 3, None], rows, labels


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("seed", range(1, 1 + examples(3)))
def test_a_drifting_stream_gives_the_twins_tree(case, seed):
    columns, rows, labels = drifting(seed)
    native, slow = agree(case, columns, rows, labels)
    vitals = native.vitals()
    assert (vitals["drifts"], vitals["switches"]) == (slow.alarms, slow.switches)
    assert vitals.get("trees", 1) == slow.trees
    assert vitals["splits"] + vitals["switches"] > 0
    assert vitals["drifts"] > 0


@pytest.mark.parametrize("case", CASES)
@given(cut=st.integers(0, 500))
@settings(deadline=None, max_examples=examples(15))
def test_saved_at_any_item_it_goes_on_as_if_nothing_had_been(case, cut):
    columns, rows, labels = drifting(4)
    spec, _, given_ = CASES[case]
    whole = spec(**{**QUICK, **given_}).bind(schema(columns), seed=5)
    expected = whole.test_then_train(0, rows, labels)
    first = spec(**{**QUICK, **given_}).bind(schema(columns), seed=5)
    np.testing.assert_array_equal(
        first.test_then_train(0, rows[:cut], labels[:cut]), expected[:cut]
    )
    second = spec(**{**QUICK, **given_}).bind(schema(columns), seed=5)
    second.load(first.save())
    assert second.save() == first.save()
    np.testing.assert_array_equal(
        second.test_then_train(cut, rows[cut:], labels[cut:]), expected[cut:]
    )
    assert second.save() == whole.save()
    assert second.vitals() == whole.vitals()


@pytest.mark.parametrize("case", FORESTS)
def test_a_forest_equals_its_twin(case):
    columns, rows, labels = drifting(8, 260)
    # Only what rises is an alarm.
    labels[130:] += 25.0
    given_ = {**FOREST, **FORESTS[case]}
    native = learners.AdaptiveRandomForestRegression(**given_).bind(schema(columns), seed=5)
    slow = twins.AdaptiveRandomForestRegression(columns, seed=5, **given_)
    predictions = native.test_then_train(0, rows, labels)
    for i, (row, label) in enumerate(zip(rows.tolist(), labels.tolist(), strict=True)):
        assert predictions[i] == pytest.approx(slow.predict(i, row), rel=1e-7, nan_ok=True), i
        slow.learn(row, label, 1.0)
    vitals = native.vitals()
    assert (vitals["warnings"], vitals["drifts"]) == (
        slow.alarms["warning"],
        slow.alarms["drift"],
    )
    assert vitals["drifts"] > 0


@pytest.mark.parametrize(
    ("what", "wrong"),
    [
        ("n_models", 0),
        ("n_models", 20_000),
        ("lambda_value", 0.0),
        ("lambda_value", 50.0),
        ("max_features", 0.0),
        ("grace_period", 0),
        ("warning_delta", 1.0),
        ("drift_delta", 0.0),
        ("background_learner", 1),
        ("as_moa", None),
        ("monitored", "both"),
    ],
)
def test_a_bad_parameter_of_a_forest_is_named(what, wrong):
    with pytest.raises(ParameterError, match=f"AdaptiveRandomForestRegression: {what} must be"):
        learners.AdaptiveRandomForestRegression(**{what: wrong})


def test_forests_of_other_seeds_differ_and_of_the_same_do_not():
    columns, rows, labels = drifting(9, 200)
    bound = learners.AdaptiveRandomForestRegression(**FOREST).bind(schema(columns), seed=1)
    one, same, other = (bound.fresh(seed).test_then_train(0, rows, labels) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert (one != other).mean() > 0.5


def test_a_weight_of_three_is_three_items():
    columns, rows, labels = drifting(5, 300)
    spec = learners.FIMTDD(
        leaf_prediction="mean", grace_period=12, tau=0.3, page_hinkley_threshold=1e9
    )
    one, many = spec.bind(schema(columns)), spec.bind(schema(columns))
    one.learn(rows, labels, np.full(len(labels), 3.0))
    many.learn(np.repeat(rows, 3, axis=0), np.repeat(labels, 3))
    assert one.vitals() == many.vitals()
    assert one.vitals()["splits"] > 5
    np.testing.assert_allclose(one.predict(rows), many.predict(rows), rtol=1e-9)


def test_a_constant_stream_never_splits():
    learner = learners.FIMTDD(grace_period=10, tau=0.9).bind(schema([None, None]))
    learner.learn(np.ones((5000, 2)), np.ones(5000))
    assert learner.vitals()["leaves"] == 1
    assert learner.predict(np.ones((1, 2))).tolist() == [1.0]


def test_a_frozen_case_keeps_its_predictions():
    columns, rows, labels = drifting(6, 400)
    found = {}
    for case in FROZEN:
        spec, _, given_ = CASES[case]
        native = spec(**{**QUICK, **given_}).bind(schema(columns), seed=1)
        predictions = native.test_then_train(0, rows, labels)
        found[case] = [round(float(x), 6) for x in predictions[[1, 50, 399]]]
        found[case].append(round(float(abs(predictions - labels)[1:].mean()), 6))
    assert found == FROZEN


FROZEN = {
    "linear": [8.823639, 14.7349, 14.868856, 7.218769],
    "means": [8.823639, 6.20162, 9.574925, 3.85009],
    "long steps": [8.823639, 3.814531, 14.092102, 4.63629],
    "options": [8.823639, 41.955266, 15.397087, 7.370066],
    "best option": [8.823639, 15.792044, 7.875389, 7.39879],
    "options of means": [8.823639, 10.629256, 9.252311, 3.474406],
    "options, each leaf anew": [8.823639, 13.894472, 7.352064, 7.410764],
}
"""Three predictions and the mean absolute error, when they were first written down."""


@pytest.mark.parametrize(
    ("what", "wrong"),
    [
        ("grace_period", 0),
        ("grace_period", 1.5),
        ("delta", 0.0),
        ("delta", 1.0),
        ("tau", -0.1),
        ("leaf_prediction", "median"),
        ("learning_rate", 0.0),
        ("learning_rate_decay", math.nan),
        ("page_hinkley_delta", -1.0),
        ("page_hinkley_threshold", 0.0),
        ("fading_factor", 1.1),
        ("alternate_tree_t_min", 0),
        ("alternate_tree_time", True),
        ("as_moa", 1),
    ],
)
def test_a_bad_parameter_is_named(what, wrong):
    for spec in (learners.FIMTDD, learners.ORTO):
        with pytest.raises(ParameterError, match=f"{spec.__name__}: {what} must be"):
            spec(**{what: wrong})


@pytest.mark.parametrize(
    ("what", "wrong"),
    [
        ("max_trees", 0),
        ("max_option_level", -1),
        ("option_decay_factor", 0.0),
        ("aggregation_method", "median"),
        ("option_fading_factor", 1.5),
        ("inherit", 1),
    ],
)
def test_a_bad_parameter_of_options_is_named(what, wrong):
    with pytest.raises(ParameterError, match=f"ORTO: {what} must be"):
        learners.ORTO(**{what: wrong})


def test_options_open_where_columns_are_alike_and_never_more_than_allowed():
    rng = np.random.default_rng(7)
    rows = rng.normal(size=(3000, 3))
    rows[:, 1] = rows[:, 0] + 0.01 * rows[:, 1]
    labels = rows[:, 0] + rows[:, 1]
    for most in (1, 3, 10):
        learner = learners.ORTO(max_trees=most).bind(schema([None] * 3))
        learner.learn(rows, labels)
        assert learner.vitals()["trees"] <= most
        assert (learner.vitals()["options"] > 0) == (most > 2)

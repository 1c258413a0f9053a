"""AMRules: equal to its slow twin and to MOA's, and what is particular to it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import amrules as twins
from oracles.chunks import chunks
from samples.examples import examples
from streamgauge import learners
from streamgauge.errors import ParameterError
from streamgauge.types import Feature, Schema

QUICK = {
    "grace_period": 60,
    "delta": 0.3,
    "tau": 0.2,
    "page_hinkley_threshold": 4.0,
    "anomaly_threshold": -0.2,
    "n_splits": 21,
}
"""Rules that grow, find anomalies and are removed within some hundreds of items."""
CASES = {
    "ordered": {},
    "unordered": {"ordered_rule_set": False},
    "linear functions": {"pred_type": "perceptron"},
    "means, unordered": {"pred_type": "mean", "ordered_rule_set": False},
}


def schema(columns):
    values = [None if v is None else tuple(range(v)) for v in columns]
    return Schema(tuple(Feature(f"x{j}", v) for j, v in enumerate(values)), "y")


def changing(seed, count=900):
    """Steps in one of two columns, of a nominal one too, that grow half-way; anomalous items."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(count, 5)).round(2)
    rows[:, 2] = rng.integers(0, 4, count)
    rows[:, 3] *= 100
    which = np.where(np.arange(count) < count // 2, 0, 1)
    labels = 10.0 * (rows[np.arange(count), which] > 0) + rng.normal(size=count)
    labels += 6.0 * (rows[:, 2] == 1) + 0.02 * rows[:, 3]
    rows[rng.random(count) < 0.04] = [6.0, -5.0, 1.0, 700.0, 4.0]
    labels[count // 2 :] *= 3.0
    return [None, None, 4, None, None], rows, labels.round(3)


def agree(columns, rows, labels, weights=None, **given):
    """Native predictions equal the twin's, one by one; gives both."""
    native = learners.AMRules(**given).bind(schema(columns), seed=5)
    slow = twins.AMRules(columns, seed=5, **given)
    predictions = native.test_then_train(0, rows, labels, weights)
    for i, (row, label) in enumerate(zip(rows.tolist(), labels.tolist(), strict=True)):
        near = pytest.approx(slow.predict(i, row), rel=1e-7, abs=1e-7, nan_ok=True)
        assert predictions[i] == near, i
        weight = 1.0 if weights is None else float(weights[i])
        if not math.isnan(label) and weight > 0:
            slow.learn(row, label, weight)
    vitals = native.vitals()
    assert vitals["rules"] == len(slow.rules)
    assert vitals["literals"] == sum(len(rule.conditions) for rule in slow.rules)
    counts = slow.splits, slow.drifts, slow.anomalies
    assert (vitals["splits"], vitals["drifts"], vitals["anomalies"]) == counts
    return native, slow


@pytest.mark.parametrize("case", CASES)
@given(chunk=chunks("regression", kinds=("plain", "whole"), widest=5))
@settings(deadline=None, max_examples=examples(40))
def test_predictions_equal_the_twins_on_any_chunk(case, chunk):
    given_ = {**QUICK, "grace_period": 8, "tau": 0.35, "page_hinkley_threshold": 0.6, **CASES[case]}
    agree(chunk.columns, chunk.rows, chunk.labels, chunk.weights, **given_)


@pytest.mark.parametrize("case", CASES)
def test_a_changing_stream_with_holes_and_weights_gives_the_twins_rules(case):
    columns, rows, labels = changing(7, 700)
    rng = np.random.default_rng(1)
    rows[rng.random(rows.shape) < 0.04] = np.nan
    rows[rng.random(len(rows)) < 0.03, 2] = 9.0
    weights = rng.choice([0.0, 0.5, 1.0, 1.0, 2.0, 2.5], len(rows))
    given_ = {**QUICK, "page_hinkley_threshold": 2.0, "anomaly_threshold": 0.0, **CASES[case]}
    native, _ = agree(columns, rows, labels, weights, **given_)
    vitals = native.vitals()
    assert vitals["splits"] > 3
    assert vitals["drifts"] > 0
    assert vitals["anomalies"] > 0


FROZEN = {
    "ordered": [6.808, 4.949802, 14.97969, -2.499629, 6.762098],
    "unordered": [6.808, 4.949802, 17.055133, 9.650808, 6.777219],
    "linear functions": [2.563411, 4.949802, 14.56954, 0.339895, 7.57899],
    "means, unordered": [6.808, 6.01864, 4.838062, -0.238469, 8.862512],
}
"""Four predictions and the mean absolute error of moa.classifiers.rules.AMRulesRegressor.

Of the moa.jar in CapyMOA 0.15.1, seed 5, `-g 60 -c 0.3 -t 0.2 -H (PageHinkleyDM -d 0.05 -l 4.0)
-A (OddsRatioScore -t -0.2) -y (MultiLabelBSTree -z 20)`, `-U` where unordered, `-L` with
MultiTargetPerceptronRegressor and MultiTargetMeanRegressor; predicted and trained by
`benches/jvm_classes/PrequentialReals.java`, rounded to six digits.
"""


@pytest.mark.parametrize("case", CASES)
def test_predictions_are_moas(case):
    columns, rows, labels = changing(3)
    native = learners.AMRules(**{**QUICK, **CASES[case]}).bind(schema(columns), seed=5)
    predictions = native.test_then_train(0, rows, labels)
    got = [*predictions[[1, 50, 500, 899]], abs(predictions - labels)[1:].mean()]
    assert [round(float(x), 6) for x in got] == FROZEN[case]
    assert native.vitals()["drifts"] > 0
    assert native.vitals()["anomalies"] > 0


@pytest.mark.parametrize("case", CASES)
@given(cut=st.integers(0, 900))
@settings(deadline=None, max_examples=examples(15))
def test_saved_at_any_item_it_goes_on_as_if_nothing_had_been(case, cut):
    columns, rows, labels = changing(4)
    spec = learners.AMRules(**{**QUICK, **CASES[case]})
    whole, first, second = (spec.bind(schema(columns), seed=5) for _ in range(3))
    expected = whole.test_then_train(0, rows, labels)
    np.testing.assert_array_equal(
        first.test_then_train(0, rows[:cut], labels[:cut]), expected[:cut]
    )
    second.load(first.save())
    assert second.save() == first.save()
    np.testing.assert_array_equal(
        second.test_then_train(cut, rows[cut:], labels[cut:]), expected[cut:]
    )
    assert second.save() == whole.save()
    assert second.vitals() == whole.vitals()


@pytest.mark.parametrize(
    ("what", "wrong"),
    [
        ("grace_period", 0),
        ("grace_period", 1.5),
        ("delta", 0.0),
        ("delta", 1.0),
        ("tau", -0.1),
        ("ordered_rule_set", 1),
        ("pred_type", "median"),
        ("learning_rate", 0.0),
        ("learning_rate_decay", math.nan),
        ("fading_factor", 1.1),
        ("page_hinkley_delta", -1.0),
        ("page_hinkley_threshold", 0.0),
        ("anomaly_threshold", 0.5),
        ("anomaly_threshold", math.nan),
        ("n_splits", 0),
    ],
)
def test_a_bad_parameter_is_named(what, wrong):
    with pytest.raises(ParameterError, match=f"AMRules: {what} must be"):
        learners.AMRules(**{what: wrong})


def test_a_large_offset_of_the_labels_costs_no_digits():
    columns, rows, labels = changing(2)
    spec = learners.AMRules(**QUICK)
    plain = spec.bind(schema(columns), seed=1).test_then_train(0, rows, labels)
    high = spec.bind(schema(columns), seed=1).test_then_train(0, rows, labels + 1e9)
    np.testing.assert_allclose(high - 1e9, plain, atol=1e-4)


def test_two_values_left_out_of_a_column_stay_left_out():
    rng = np.random.default_rng(1)
    colour = rng.integers(0, 4, 4000).astype(float)
    rows = np.column_stack([colour, rng.normal(size=4000)])
    noise = np.where(colour < 2, 40.0, 1.0) * rng.normal(size=4000)
    labels = np.array([300.0, 120.0, 1.0, 0.0])[colour.astype(int)] + noise
    learner = learners.AMRules(pred_type="mean", anomaly_threshold=None).bind(schema([4, None]))
    learner.learn(rows, labels)
    predictions = learner.predict(np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]))
    assert predictions[2:] == pytest.approx([0.5, 0.5], abs=0.6)
    assert predictions[0] > 100


def test_a_hole_is_covered_by_no_condition():
    rng = np.random.default_rng(3)
    rows = rng.uniform(size=(3000, 2))
    labels = np.where(rows[:, 0] > 0.5, 9.0, 1.0) + 0.1 * rng.normal(size=3000)
    learner = learners.AMRules(pred_type="mean").bind(schema([None, None]))
    learner.learn(rows, labels)
    assert learner.vitals()["rules"] > 0
    before = learner.predict(np.array([[0.9, 0.5], [0.1, 0.5], [np.nan, 0.5]]))
    learner.learn(np.array([[np.nan, 0.5]] * 50), np.full(50, 100.0))
    after = learner.predict(np.array([[0.9, 0.5], [0.1, 0.5], [np.nan, 0.5]]))
    assert after[2] > before[2]
    assert (after[:2] == before[:2]).any()


def test_a_stream_of_nominal_columns_alone_has_a_mean_for_a_linear_function():
    rng = np.random.default_rng(2)
    rows = rng.integers(0, 3, (5000, 2)).astype(float)
    labels = np.array([0.0, 50.0, 90.0])[rows[:, 0].astype(int)] + rng.normal(size=5000)
    learner = learners.AMRules(pred_type="perceptron").bind(schema([3, 3]))
    predictions = learner.test_then_train(0, rows, labels)
    assert abs(predictions - labels)[4000:].mean() < 15

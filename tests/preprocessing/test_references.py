"""The transformers against scikit-learn and river, on the same prefixes of a stream."""

from __future__ import annotations

import numpy as np
import pytest
from river import linear_model
from river import preprocessing as river
from sklearn import preprocessing as sklearn
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.linear_model import SGDClassifier, SGDRegressor
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import streamgauge as sg
from streamgauge.adapters import adapt
from streamgauge.errors import ParameterError
from streamgauge.learners import LogisticRegression, Perceptron, Pipeline
from streamgauge.preprocessing import (
    Imputer,
    MinMaxScaler,
    OneHotEncoder,
    RobustScaler,
    StandardScaler,
)
from streamgauge.types import Feature, Schema

RNG = np.random.default_rng(5)
ROWS = RNG.normal([3.0, -100.0, 1e4], [1.0, 20.0, 0.1], size=(150, 3))
SCHEMA = Schema(tuple(Feature(name) for name in "abc"))
SEA = sg.streams.SEA(seed=1, items=600)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (StandardScaler(), sklearn.StandardScaler()),
        (MinMaxScaler(), sklearn.MinMaxScaler()),
        (MinMaxScaler(clip=True), sklearn.MinMaxScaler(clip=True)),
    ],
    ids=repr,
)
def test_after_each_row_it_equals_scikit_learns_partial_fit(ours, theirs):
    bound, with_gaps, gaps = ours.bind(SCHEMA), ours.bind(SCHEMA), ROWS.copy()
    gaps[5:, 1][::7] = np.nan
    for i, row in enumerate(ROWS):
        bound.learn(row)
        with_gaps.learn(gaps[i])
        theirs.partial_fit(row[None])
        if i in (1, 2, 20, 149):  # where all values are equal, they divide by 1
            expected = theirs.transform(ROWS)
            np.testing.assert_allclose(bound.transform(ROWS), expected, rtol=1e-9, atol=1e-9)
            # their partial_fit of one row loses a column that is missing in it
            expected = clone(theirs).fit(gaps[: i + 1]).transform(gaps)
            np.testing.assert_allclose(with_gaps.transform(gaps), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("size", [1000, 40])
def test_the_robust_scaler_is_scikit_learns_on_the_window(size):
    bound = RobustScaler(window_size=size).bind(SCHEMA)
    for i, row in enumerate(ROWS):
        bound.learn(row)
        if i in (1, 50, 149):
            theirs = sklearn.RobustScaler().fit(ROWS[max(0, i + 1 - size) : i + 1])
            np.testing.assert_allclose(bound.transform(ROWS), theirs.transform(ROWS), rtol=1e-9)


@pytest.mark.parametrize("strategy", ["mean", "median", "most_frequent"])
def test_the_imputer_is_scikit_learns_on_the_prefix(strategy):
    rows = RNG.integers(0, 5, size=(60, 3)).astype(float)
    rows[RNG.random(rows.shape) < 0.3] = np.nan
    bound = Imputer(strategy).bind(SCHEMA)
    for i, row in enumerate(rows):
        bound.learn(row)
        if i > 20:
            theirs = SimpleImputer(strategy=strategy).fit(rows[: i + 1])
            np.testing.assert_allclose(bound.transform(rows), theirs.transform(rows), rtol=1e-12)


def test_the_encoder_is_scikit_learns_with_the_declared_values():
    schema = Schema((Feature("a", ("x", "y", "z")), Feature("b", ("u", "v"))))
    rows = np.array([[0.0, 1.0], [2.0, 0.0], [1.0, 1.0], [9.0, 0.0]])
    theirs = sklearn.OneHotEncoder(
        categories=[[0, 1, 2], [0, 1]], handle_unknown="ignore", sparse_output=False
    )
    expected = theirs.fit(rows[:3]).transform(rows)
    np.testing.assert_array_equal(OneHotEncoder().bind(schema).transform(rows), expected)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (StandardScaler(), river.StandardScaler()),
        (MinMaxScaler(), river.MinMaxScaler()),
    ],
    ids=repr,
)
def test_before_and_after_each_row_it_equals_river(ours, theirs):
    bound = ours.bind(SCHEMA)
    for i, row in enumerate(ROWS[:40]):
        named = dict(zip("abc", row.tolist(), strict=True))
        for learn in (False, True):
            if learn:
                bound.learn(row)
                theirs.learn_one(named)
            if not (i or learn):  # their range is NaN before the first row
                assert not bound.transform(row[None]).any()
                continue
            expected = [theirs.transform_one(named)[name] for name in "abc"]
            np.testing.assert_allclose(bound.transform(row[None])[0], expected, atol=1e-9)


def column(log, name="prediction"):
    return np.concatenate([getattr(rows, name) for rows in log.predictions()])


def predictions(learner, stream=SEA, protocol="prequential"):
    return column(sg.run(stream, learner, protocol))


@pytest.mark.parametrize(
    ("stream", "protocol"),
    [(SEA, "prequential"), (sg.streams.delay(SEA, 7), "delayed")],
    ids=["at once", "late"],
)
def test_a_scaled_river_model_predicts_as_in_rivers_pipeline(stream, protocol):
    theirs = river.StandardScaler() | linear_model.LogisticRegression()
    ours = Pipeline([StandardScaler()], linear_model.LogisticRegression())
    native = Pipeline(["standard_scaler"], LogisticRegression(standardise=False))
    expected = predictions(theirs, stream, protocol)
    np.testing.assert_array_equal(predictions(ours, stream, protocol), expected)
    found = predictions(native, stream, protocol)
    # ours predicts no class before its first label
    np.testing.assert_array_equal(found[20:], expected[20:])


def test_a_perceptron_that_standardises_is_one_on_standardised_rows_bit_for_bit():
    for kind in (Perceptron, LogisticRegression):
        own = sg.run(SEA, kind(), scores=True)
        outside = sg.run(SEA, Pipeline(StandardScaler(), kind(standardise=False)), scores=True)
        np.testing.assert_array_equal(column(own, "scores"), column(outside, "scores"))


@pytest.mark.parametrize("scaler", [sklearn.StandardScaler, sklearn.MinMaxScaler])
def test_a_scikit_learn_pipeline_is_trained_step_by_step(scaler):
    ours = {sklearn.StandardScaler: StandardScaler, sklearn.MinMaxScaler: MinMaxScaler}[scaler]
    theirs = make_pipeline(scaler(), SGDClassifier(random_state=1))
    expected = predictions(Pipeline([ours()], SGDClassifier(random_state=1)))
    found = predictions(theirs)
    # the first label: where all values are equal, scikit-learn does not divide by 0
    assert (found == expected).mean() > 0.98
    rows = np.concatenate([batch.x for batch in SEA.batches()])
    labels = np.concatenate([batch.label for batch in SEA.batches()])
    transformer, model, by_hand = scaler(), SGDClassifier(random_state=1), [-1]
    for i in range(len(rows)):
        one = slice(i, i + 1)
        if i:
            by_hand.append(int(model.predict(transformer.transform(rows[one]))[0]))
        transformer.partial_fit(rows[one])
        model.partial_fit(transformer.transform(rows[one]), labels[one], classes=[0, 1])
    assert found.tolist() == by_hand


def test_weights_reach_the_steps_that_take_them():
    rows, labels = ROWS[:30], np.arange(30) % 2
    weights = np.linspace(0.5, 3.0, 30)
    schema = Schema(SCHEMA.features, classes=(0, 1))
    pipeline = make_pipeline(
        sklearn.MinMaxScaler(), sklearn.StandardScaler(), SGDClassifier(random_state=3)
    )
    learner = adapt(pipeline, schema)
    learner.learn(rows, labels.astype(np.int32), weights)
    first, second = sklearn.MinMaxScaler(), sklearn.StandardScaler()
    for row, weight in zip(rows, weights, strict=True):
        scaled = first.partial_fit(row[None]).transform(row[None])
        second.partial_fit(scaled, sample_weight=[weight])
    np.testing.assert_array_equal(learner.model.steps[1][1].var_, second.var_)


def test_a_pipeline_of_scikit_learn_with_a_real_target_and_stateless_steps():
    friedman = sg.streams.take(sg.streams.Friedman(), 300)
    model = make_pipeline(
        "passthrough", sklearn.Normalizer(), sklearn.StandardScaler(), SGDRegressor()
    )
    assert np.isfinite(predictions(model, friedman)[1:]).all()


def test_a_step_that_cannot_learn_item_by_item_is_refused_by_name():
    model = make_pipeline(sklearn.PowerTransformer(), SGDClassifier())
    with pytest.raises(ParameterError, match=r"PowerTransformer.*learners\.Pipeline"):
        sg.run(SEA, model)
    with pytest.raises(ParameterError, match=r"partial_fit .*\(the step SVC\)"):
        sg.run(SEA, make_pipeline(sklearn.StandardScaler(), SVC()))
    with pytest.raises(ParameterError, match="must be a classifier"):
        sg.run(SEA, make_pipeline(sklearn.StandardScaler(), "passthrough"))

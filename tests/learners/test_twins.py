"""Every native learner equals its slow twin, on any chunk."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import learners as twins
from oracles.chunks import Chunk, chunks
from samples.examples import examples
from streamgauge import learners
from streamgauge.types import Feature, Schema

MANY = settings(deadline=None, max_examples=examples(150))


def schema(chunk: Chunk) -> Schema:
    values = [None if v is None else tuple(range(v)) for v in chunk.columns]
    features = tuple(Feature(f"x{j}", v) for j, v in enumerate(values))
    classes = tuple(range(chunk.classes)) if chunk.classes else None
    return Schema(features, "y", classes)


def walk(spec, twin, chunk: Chunk):
    """Native predictions and scores of the whole chunk, beside the twin's before each item."""
    native = spec.bind(schema(chunk), seed=5)
    predictions = native.test_then_train(7, chunk.rows, chunk.labels, chunk.weights)
    for i, (row, label) in enumerate(zip(chunk.rows.tolist(), chunk.labels.tolist(), strict=True)):
        yield 7 + i, row, predictions[i]
        weight = 1.0 if chunk.weights is None else float(chunk.weights[i])
        missing = math.isnan(label) if chunk.classes == 0 else label == -1
        if not missing and weight > 0:
            twin.learn(row, label, weight)


def scored(spec, chunk: Chunk):
    native = spec.bind(schema(chunk), seed=5)
    scores = np.empty((len(chunk.labels), chunk.classes))
    return native.test_then_train(7, chunk.rows, chunk.labels, chunk.weights, scores), scores


EXACT = {
    "persistent": (learners.Persistent(), twins.Persistent, {}),
    "persistent with a first prediction": (
        learners.Persistent(first=0),
        twins.Persistent,
        {"first": 0},
    ),
    "majority_class": (learners.MajorityClass(), twins.MajorityClass, {}),
    "majority_class with a first prediction": (
        learners.MajorityClass(first=0),
        twins.MajorityClass,
        {"first": 0},
    ),
    "prior_random": (learners.PriorRandom(), twins.PriorRandom, {"seed": 5}),
    "perceptron": (learners.Perceptron(), twins.Perceptron, {}),
    "perceptron on raw numbers": (
        learners.Perceptron(learning_rate=0.5, standardise=False),
        twins.Perceptron,
        {"learning_rate": 0.5, "standardise": False},
    ),
}


@pytest.mark.parametrize("name", EXACT)
@given(chunk=chunks())
@MANY
def test_predictions_equal_the_twins(name, chunk):
    spec, twin, parameters = EXACT[name]
    slow = twin(chunk.columns, chunk.classes, **parameters)
    predictions, scores = scored(spec, chunk)
    for i, (item, row, predicted) in enumerate(walk(spec, slow, chunk)):
        assert predicted == predictions[i] == slow.predict(item, row)
        np.testing.assert_allclose(scores[i], slow.scores(item, row), rtol=1e-12, atol=1e-300)


@given(chunk=chunks())
@MANY
def test_naive_bayes_equals_its_twin(chunk):
    slow = twins.NaiveBayes(chunk.columns, chunk.classes)
    predictions, scores = scored(learners.NaiveBayes(), chunk)
    for i, (item, row, predicted) in enumerate(walk(learners.NaiveBayes(), slow, chunk)):
        assert predicted == predictions[i]
        logs = slow.log_scores(row)
        finite = [abs(x) for x in logs if abs(x) < math.inf]
        slack = 1e-9 + 1e-12 * max(finite, default=0.0)
        if max(logs) > -math.inf:
            assert logs[predicted] >= max(logs) - slack
        else:
            assert predicted == slow.predict(item, row)
        if slack < 1e-6:
            np.testing.assert_allclose(scores[i], slow.scores(item, row), atol=10 * slack)
            gap = sorted(logs)[-2:]
            if len(gap) < 2 or gap[1] - gap[0] > slack:
                assert predicted == slow.predict(item, row)


@pytest.mark.parametrize("standardise", [True, False])
@given(chunk=chunks(kinds=("plain", "whole")))
@MANY
def test_logistic_regression_equals_its_twin(standardise, chunk):
    slow = twins.LogisticRegression(
        chunk.columns, chunk.classes, learning_rate=0.1, standardise=standardise
    )
    spec = learners.LogisticRegression(learning_rate=0.1, standardise=standardise)
    predictions, scores = scored(spec, chunk)
    for i, (item, row, predicted) in enumerate(walk(spec, slow, chunk)):
        there = slow.scores(item, row)
        np.testing.assert_allclose(scores[i], there, atol=1e-9)
        assert predicted == predictions[i]
        if len(slow.seen) > 1 and np.diff(sorted(there)[-2:]) > 1e-9:
            assert predicted == slow.predict(item, row)


REALS = {
    "target_mean": (learners.TargetMean(), twins.TargetMean, {}),
    "last_value": (learners.LastValue(), twins.LastValue, {}),
    "last_value with a first prediction": (
        learners.LastValue(first=3.5),
        twins.LastValue,
        {"first": 3.5},
    ),
    "linear_regression": (learners.LinearRegression(), twins.LinearRegression, {}),
    "linear_regression on raw numbers": (
        learners.LinearRegression(learning_rate=0.001, standardise=False),
        twins.LinearRegression,
        {"learning_rate": 0.001, "standardise": False},
    ),
}


@pytest.mark.parametrize("name", REALS)
@given(chunk=chunks("regression"))
@MANY
def test_real_predictions_equal_the_twins(name, chunk):
    spec, twin, parameters = REALS[name]
    slow = twin(chunk.columns, **parameters)
    largest = np.nanmax(np.abs(chunk.labels), initial=0.0)
    for item, row, predicted in walk(spec, slow, chunk):
        assert predicted == pytest.approx(
            slow.predict(item, row), rel=1e-9, abs=1e-12 * largest, nan_ok=True
        )


@given(
    chunk=chunks("regression", kinds=("plain", "whole"), widest=8),
    forget=st.sampled_from([1.0, 0.9]),
)
@settings(deadline=None, max_examples=examples(60))
def test_recursive_least_squares_equals_solving_from_scratch(chunk, forget):
    slow = twins.RecursiveLeastSquares(chunk.columns, ridge=0.5, forgetting_factor=forget)
    spec = learners.RecursiveLeastSquares(ridge=0.5, forgetting_factor=forget)
    for item, row, predicted in walk(spec, slow, chunk):
        assert predicted == pytest.approx(slow.predict(item, row), rel=1e-6, abs=1e-6, nan_ok=True)

"""Learners of neighbours: equal to their slow twins, and what is particular to them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import neighbours as twins
from oracles.chunks import Chunk, chunks
from samples.examples import examples
from streamgauge import learners
from streamgauge.types import Feature, Schema

MANY = settings(deadline=None, max_examples=examples(100))
WINDOWS = st.sampled_from([(1, 1), (1, 60), (3, 8), (3, 9), (10, 25), (50, 5)])


def schema(chunk: Chunk) -> Schema:
    values = [None if v is None else tuple(range(v)) for v in chunk.columns]
    features = tuple(Feature(f"x{j}", v) for j, v in enumerate(values))
    return Schema(features, "y", tuple(range(chunk.classes)) if chunk.classes else None)


def walk(chunk: Chunk, twin):
    """Items one by one; the twin learns each that has a label and a weight after its prediction."""
    for i, (row, label) in enumerate(zip(chunk.rows.tolist(), chunk.labels.tolist(), strict=True)):
        yield i, row
        weight = 1.0 if chunk.weights is None else float(chunk.weights[i])
        if not (math.isnan(label) if chunk.classes == 0 else label == -1) and weight > 0:
            twin.learn(row, label, weight)


@given(chunk=chunks(), shape=WINDOWS)
@MANY
def test_nearest_neighbours_equal_their_twin(chunk, shape):
    k, window = shape
    twin = twins.NearestNeighbours(chunk.columns, chunk.classes, k=k, window_size=window)
    native = learners.NearestNeighbours(k, window).bind(schema(chunk))
    scores = np.empty((len(chunk.labels), chunk.classes))
    predictions = native.test_then_train(0, chunk.rows, chunk.labels, chunk.weights, scores)
    for i, row in walk(chunk, twin):
        assert predictions[i] == twin.predict(i, row)
        np.testing.assert_allclose(scores[i], twin.scores(i, row), rtol=1e-12)
    assert native.vitals() == {"items": float(len(twin.items))}


@given(chunk=chunks("regression"), shape=WINDOWS)
@MANY
def test_the_mean_of_neighbours_equals_its_twin(chunk, shape):
    k, window = shape
    twin = twins.NearestNeighboursRegression(chunk.columns, k=k, window_size=window)
    native = learners.NearestNeighboursRegression(k, window).bind(schema(chunk))
    predictions = native.test_then_train(0, chunk.rows, chunk.labels, chunk.weights)
    largest = np.nanmax(np.abs(chunk.labels), initial=0.0)
    for i, row in walk(chunk, twin):
        expected = twin.predict(i, row)
        assert predictions[i] == pytest.approx(expected, rel=1e-9, abs=1e-12 * largest, nan_ok=True)


def test_all_as_near_as_the_last_wanted_vote_too():
    learner = learners.NearestNeighbours(k=1).bind(Schema((Feature("x"),), "y", ("a", "b")))
    x = np.array([[0.0], [2.0], [2.0], [5.0]])
    learner.learn(x, np.array([0, 1, 1, 0], dtype=np.int32))
    assert learner.scores(np.array([[1.0]]))[0].tolist() == pytest.approx([1 / 3, 2 / 3])


def test_a_value_never_declared_is_a_value_as_any_other():
    schema = Schema((Feature("colour", ("red", "blue")),), "y", ("a", "b"))
    learner = learners.NearestNeighbours(k=1).bind(schema)
    learner.learn(np.array([[0.0], [7.0], [7.0]]), np.array([0, 1, 1], dtype=np.int32))
    assert learner.predict(np.array([[0.0], [7.0]])).tolist() == [0, 1]


def test_a_window_holds_no_more_than_it_should():
    schema = Schema(tuple(Feature(f"x{j}") for j in range(8)), "y", ("a", "b"))
    learner = learners.NearestNeighbours(window_size=100).bind(schema)
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(5000, 8)), rng.integers(0, 2, 5000).astype(np.int32)
    learner.learn(x[:200], y[:200])
    before = learner.memory()
    learner.learn(x, y)
    assert learner.memory() == before < 2 * 8 * 104 * 8 + 100 * 20 + 2000


def test_a_small_stream_keeps_the_predictions_of_moa():
    """Numbers, codes, ties and missing cells; MOA's kNN -k 10 -w 1000 predicts each the same."""
    rng = np.random.default_rng(7)
    numbers = rng.integers(0, 6, (3000, 3)), rng.normal(size=(3000, 2)).round(1)
    x = np.column_stack(numbers).astype(float)
    y = (x[:, 0] + 2 * x[:, 3] + rng.normal(size=3000) > x[:, 1]).astype(np.int32)
    y += (x[:, 2] > 3).astype(np.int32)
    x[rng.random(x.shape) < 0.03] = np.nan
    values = [None, None, tuple(range(6)), None, None]
    features = tuple(Feature(f"x{j}", v) for j, v in enumerate(values))
    learner = learners.NearestNeighbours().bind(Schema(features, "y", (0, 1, 2)))
    predictions = learner.test_then_train(0, x, y)
    assert int((predictions == y).sum()) == 2384
    assert np.bincount(predictions[1:]).tolist() == [1029, 1543, 427]

"""Hoeffding trees: equal to their slow twin, right on small cases, below their memory limit."""

from __future__ import annotations

import numpy as np
import pytest

from oracles import hoeffding_tree as twins
from streamgauge import learners, streams
from streamgauge.errors import ParameterError
from streamgauge.types import Feature, Schema

ITEMS = 700


def schema(columns, classes):
    values = [None if v is None else tuple(range(v)) for v in columns]
    features = tuple(Feature(f"x{j}", v) for j, v in enumerate(values))
    return Schema(features, "y", tuple(range(classes)))


def stream(seed):
    """Labels that hang on some columns; holes, undeclared codes and weights in two of three."""
    draw = np.random.default_rng(seed)
    width, classes = int(draw.integers(1, 13)), int(draw.integers(2, 6))
    columns = [None if draw.random() < 0.6 else int(draw.integers(2, 6)) for _ in range(width)]
    rows = draw.normal(size=(ITEMS, width))
    for j, values in enumerate(columns):
        if values is not None:
            rows[:, j] = draw.integers(0, values + (seed % 3 == 1), ITEMS)
    spread = (rows - rows.mean(axis=0)) / (rows.std(axis=0) + 1e-9)
    target = spread @ draw.normal(size=width) + 0.3 * draw.normal(size=ITEMS)
    cuts = np.quantile(target, np.linspace(0, 1, classes + 1)[1:-1])
    labels = np.searchsorted(cuts, target).astype(np.int32)
    weights = None
    if seed % 3:
        rows[draw.random(rows.shape) < 0.03] = np.nan
        weights = draw.choice([0.5, 1.0, 2.0], ITEMS)
    return columns, classes, rows, labels, weights


VARIANTS = {
    "adaptive": {},
    "naive Bayes": {"leaf_prediction": "nb"},
    "majority": {"leaf_prediction": "majority"},
    "gini": {"split_criterion": "gini"},
    "splits in two": {"binary_split": True},
    "without pruning": {"merit_preprune": False},
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(12))
def test_predictions_and_leaves_are_those_of_the_twin(variant, seed):
    columns, classes, rows, labels, weights = stream(seed)
    parameters = {"grace_period": 40, "delta": 0.05, "tau": 0.2, **VARIANTS[variant]}
    slow = twins.HoeffdingTree(columns, classes, **parameters)
    native = learners.HoeffdingTree(**parameters).bind(schema(columns, classes))
    predictions = native.test_then_train(0, rows, labels, weights)
    expected = []
    for i, row in enumerate(rows.tolist()):
        expected.append(slow.predict(row))
        slow.learn(row, int(labels[i]), 1.0 if weights is None else float(weights[i]))
    np.testing.assert_array_equal(predictions, expected)
    assert native.vitals()["leaves"] == slow.leaves() > 1


def test_one_threshold_is_found_between_the_extremes():
    rows = np.arange(400.0)[:, None] % 100
    labels = (rows[:, 0] >= 50).astype(np.int32)
    learner = learners.HoeffdingTree().bind(schema([None], 2))
    learner.learn(rows[:199], labels[:199])
    assert learner.vitals()["leaves"] == 1
    learner.learn(rows[199:200], labels[199:200])
    # One column has nobody to be compared with: it is split at the first attempt.
    assert learner.vitals() == {
        "nodes": 3.0,
        "leaves": 2.0,
        "active_leaves": 2.0,
        "depth": 1.0,
        "splits": 1.0,
        "parameters": 1.0 + 3.0,  # a cut; of one leaf one class, of the other two
    }
    assert learner.predict(np.array([[0.0], [99.0]])).tolist() == [0, 1]


def test_a_row_that_misses_the_cell_of_a_split_is_predicted_by_the_split():
    rows = np.array([[0.0], [1.0], [1.0]] * 100)
    labels = np.array([0, 1, 1] * 100, np.int32)
    learner = learners.HoeffdingTree(grace_period=100).bind(schema([3], 2))
    learner.learn(rows, labels)
    assert learner.vitals()["leaves"] == 2
    before = learner.save()
    assert learner.predict(np.array([[np.nan], [0.0], [1.0], [2.0], [7.0]])).tolist() == [
        1,
        0,
        1,
        1,
        1,
    ]
    learner.learn(np.array([[np.nan]]), labels[:1])
    assert learner.save() == before
    learner.learn(np.array([[2.0]]), labels[:1])
    assert learner.vitals()["leaves"] == 3
    assert learner.predict(np.array([[2.0]])).tolist() == [0]


@pytest.mark.parametrize(
    ("kind", "memory"),
    [
        *((learners.HoeffdingTree, memory) for memory in (3_000, 6_000, 20_000, 1_000_000)),
        *((learners.HoeffdingAdaptiveTree, memory) for memory in (5_000, 20_000, 5_000_000)),
    ],
)
@pytest.mark.parametrize("columns", [[None] * 6, [None, 4, None, 3]], ids=["numeric", "mixed"])
def test_it_never_holds_more_than_its_memory(kind, memory, columns):
    draw = np.random.default_rng(memory)
    learner = kind(grace_period=50, tau=0.5, max_bytes=memory).bind(schema(columns, 3))
    most = 0
    for turn in range(60):
        rows = draw.normal(size=(200, len(columns)))
        for j, values in enumerate(columns):
            if values is not None:
                rows[:, j] = draw.integers(0, values, 200)
        labels = (np.abs(rows).sum(axis=1) * 3).astype(np.int32) % 3
        if turn > 30:
            rows[draw.random(rows.shape) < 0.02] = np.nan
        learner.learn(rows, labels)
        most = max(most, learner.memory())
        assert most <= memory
    assert learner.vitals()["leaves"] > 1
    assert (learner.vitals()["active_leaves"] < learner.vitals()["leaves"]) == (memory < 1_000_000)


def bounded(spec, items, step):
    """Learn items of moving clouds in steps: memory after each, and the accuracy."""
    stream = streams.RandomRBF(4, 8, 200, 50, 0.0005, seed=3, items=items)
    learner = spec.bind(stream.schema)
    held, right, counts = [], 0, np.zeros(4, np.int64)
    for batch in stream.batches(step):
        predictions = learner.test_then_train(batch.first, batch.x, batch.label)
        right += int((predictions == batch.label).sum())
        counts += np.bincount(batch.label, minlength=4)
        held.append(learner.memory())
    return learner, np.array(held), right / items, counts.max() / items


LONG = (10_000_000, 2_000)
"""Items, and after how many of them it is looked at."""


@pytest.mark.parametrize(
    ("kind", "memory", "items", "step"),
    [
        (learners.HoeffdingTree, 30_000, 200_000, 500),
        (learners.HoeffdingTree, 300_000, 200_000, 500),
        (learners.HoeffdingAdaptiveTree, 30_000, 200_000, 500),
        (learners.HoeffdingAdaptiveTree, 300_000, 200_000, 500),
        pytest.param(learners.HoeffdingTree, 30_000, *LONG, marks=pytest.mark.slow),
        pytest.param(learners.HoeffdingTree, 300_000, *LONG, marks=pytest.mark.slow),
        pytest.param(learners.HoeffdingAdaptiveTree, 30_000, *LONG, marks=pytest.mark.slow),
    ],
)
def test_a_long_stream_never_takes_more_than_the_memory_and_is_learnt_from(
    kind, memory, items, step
):
    spec = kind(max_bytes=memory, grace_period=50, delta=0.01, tau=0.1)
    learner, held, right, majority = bounded(spec, items, step)
    assert len(held) == items // step
    assert held.max() <= memory
    # The limit is what keeps it small: it is used, and leaves sleep.
    assert held.max() > 0.9 * memory
    assert learner.vitals()["active_leaves"] < learner.vitals()["leaves"]
    assert right > majority + 0.05


def test_a_memory_too_small_to_begin_with_is_refused():
    for kind in (learners.HoeffdingTree, learners.HoeffdingAdaptiveTree):
        with pytest.raises((ParameterError, ValueError), match="max_bytes must be at least"):
            kind(max_bytes=100).bind(schema([None], 2))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"grace_period": 0}, "grace_period must be a whole number, at least 1, got 0"),
        ({"delta": 1.0}, "delta must be above 0 and below 1, got 1.0"),
        ({"tau": -0.1}, "tau must be from 0 to 1, got -0.1"),
        (
            {"leaf_prediction": "bayes"},
            "leaf_prediction must be one of majority, nb, nb_adaptive, got 'bayes'",
        ),
        ({"split_criterion": "gain"}, "split_criterion must be one of info_gain, gini, got 'gain'"),
        ({"n_splits": 0}, "n_splits must be a whole number, at least 1 and at most 10000"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    for kind in (learners.HoeffdingTree, learners.HoeffdingAdaptiveTree):
        with pytest.raises(ParameterError, match=message):
            kind(**parameters)
    with pytest.raises(ParameterError, match="drift_delta must be above 0 and below 1"):
        learners.HoeffdingAdaptiveTree(drift_delta=0.0)
    for kind in (learners.HoeffdingTree, learners.HoeffdingAdaptiveTree):
        with pytest.raises(ParameterError, match="max_bytes must be a whole number"):
            kind(max_bytes=0)


def test_the_adaptive_tree_gives_up_what_has_become_wrong():
    draw = np.random.default_rng(3)
    rows = draw.random((20_000, 3))
    labels = (rows[:, 0] > 0.5).astype(np.int32)
    labels[10_000:] = rows[10_000:, 0] <= 0.5
    both = [
        kind().bind(schema([None] * 3, 2))
        for kind in (learners.HoeffdingTree, learners.HoeffdingAdaptiveTree)
    ]
    fixed, adaptive = (
        float((learner.test_then_train(0, rows, labels) == labels)[12_000:].mean())
        for learner in both
    )
    assert adaptive > max(fixed, 0.95)
    assert both[1].vitals()["switches"] > 0

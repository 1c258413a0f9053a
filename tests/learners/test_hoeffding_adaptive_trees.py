"""Hoeffding adaptive trees: equal to their slow twin, MOA's by its draws, below their limit."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from oracles import hoeffding_adaptive_tree as twins
from streamgauge import learners
from streamgauge.types import Feature, Schema

ITEMS = 1600


def schema(columns, classes):
    values = [None if v is None else tuple(range(v)) for v in columns]
    features = tuple(Feature(f"x{j}", v) for j, v in enumerate(values))
    return Schema(features, "y", tuple(range(classes)))


def stream(seed):
    """Labels that hang on some columns, others every 400 items; holes in two of three."""
    draw = np.random.default_rng(seed)
    width, classes = int(draw.integers(2, 6)), int(draw.integers(2, 5))
    columns = [None if draw.random() < 0.7 else int(draw.integers(2, 4)) for _ in range(width)]
    rows = draw.normal(size=(ITEMS, width))
    for j, values in enumerate(columns):
        if values is not None:
            rows[:, j] = draw.integers(0, values + (seed % 3 == 1), ITEMS)
    spread = (rows - rows.mean(axis=0)) / (rows.std(axis=0) + 1e-9)
    target = np.concatenate([part @ draw.normal(size=width) for part in np.split(spread, 4)])
    target += 0.3 * draw.normal(size=ITEMS)  # else splits are as good as each other
    cuts = np.quantile(target, np.linspace(0, 1, classes + 1)[1:-1])
    labels = np.searchsorted(cuts, target).astype(np.int32)
    if seed % 3:
        rows[draw.random(rows.shape) < 0.02] = np.nan
    # Weights that add up to a whole number nowhere: whether a leaf has taken as much as it takes
    # between two attempts is no matter of the last bit.
    return columns, classes, rows, labels, draw.uniform(0.5, 1.5, ITEMS)


VARIANTS = {
    "adaptive": {},
    "naive Bayes": {"leaf_prediction": "nb"},
    "majority": {"leaf_prediction": "majority"},
    "gini": {"split_criterion": "gini"},
}


def test_a_split_that_gets_another_branch_keeps_its_errors():
    """Values of a nominal column that first occur long after the split at it."""
    draw = np.random.default_rng(5)
    rows = draw.integers(0, 2, (3000, 2)).astype(np.float64)
    labels = rows[:, 0].astype(np.int32)
    labels[2000:] = 1 - labels[2000:]  # the errors rise
    for value, first in enumerate((1990, 2040, 2080, 2120), 2):
        rows[first::37, 0] = value
    columns, parameters = [6, 6], {"grace_period": 60, "delta": 0.05, "tau": 0.2}
    times = twins.by_counter(3)
    slow = twins.HoeffdingAdaptiveTree(columns, 2, times, drift_delta=0.2, **parameters)
    spec = learners.HoeffdingAdaptiveTree(drift_delta=0.2, **parameters)
    native = spec.bind(schema(columns, 2), 3)
    predictions = native.test_then_train(0, rows, labels)
    expected = []
    for row, label in zip(rows.tolist(), labels.tolist(), strict=True):
        expected.append(slow.predict(row))
        slow.learn(row, label, 1.0)
    vitals = native.vitals()
    counts = [vitals[name] for name in ("drifts", "switches", "dropped")]
    assert counts == [slow.started, slow.switched, slow.dropped]
    assert slow.started
    np.testing.assert_array_equal(predictions, expected)


@pytest.mark.parametrize("variant", VARIANTS)
def test_predictions_and_alternate_leaves_are_those_of_the_twin(variant):
    happened = np.zeros(3)
    for seed in range(6):
        columns, classes, rows, labels, weights = stream(seed)
        parameters = {"grace_period": 60, "delta": 0.05, "tau": 0.2, **VARIANTS[variant]}
        times = twins.by_counter(seed)
        slow = twins.HoeffdingAdaptiveTree(columns, classes, times, drift_delta=0.2, **parameters)
        spec = learners.HoeffdingAdaptiveTree(drift_delta=0.2, **parameters)
        native = spec.bind(schema(columns, classes), seed)
        predictions = native.test_then_train(0, rows, labels, weights)
        expected = []
        for i, row in enumerate(rows.tolist()):
            expected.append(slow.predict(row))
            slow.learn(row, int(labels[i]), float(weights[i]))
        np.testing.assert_array_equal(predictions, expected, err_msg=f"seed {seed}")
        vitals = native.vitals()
        assert vitals["leaves"] == slow.leaves()
        counts = [vitals[name] for name in ("drifts", "switches", "dropped")]
        assert counts == [slow.started, slow.switched, slow.dropped]
        happened += counts
    assert (happened[:2] > 0).all()


def turned():
    """Three columns, three classes; the classes change sides after half of the items."""
    draw = np.random.default_rng(11)
    rows = draw.random((6000, 3))
    labels = (rows[:, 0] + rows[:, 1] > 1).astype(np.int32) + (rows[:, 2] > 0.8)
    labels[3000:] = 2 - labels[3000:]
    labels[draw.random(6000) < 0.1] = 0
    return rows, labels.astype(np.int32)


EQUAL = {"grace_period": 100, "delta": 1e-3, "tau": 0.1}
"""MOA's `-g 100 -c 1.0E-3 -t 0.1`."""


def test_the_twin_with_javas_draws_gives_every_prediction_of_moas():
    """Frozen: all 6000 predictions of `trees.HoeffdingAdaptiveTree … -l MC` (CapyMOA 0.15.1)."""
    rows, labels = turned()
    draws = twins.JavaDraws()
    slow = twins.HoeffdingAdaptiveTree([None] * 3, 3, draws, leaf_prediction="majority", **EQUAL)
    predictions = []
    for row, label in zip(rows.tolist(), labels.tolist(), strict=True):
        predictions.append(
            max(0, slow.predict(row))
        )  # MOA predictions the first class where it knows none
        slow.learn(row, label, 1.0)
    assert zlib.crc32(np.array(predictions, "<i4").tobytes()) == 4_167_745_625
    assert (slow.started, slow.switched, slow.dropped) == (14, 2, 2)


@pytest.mark.parametrize(("leaf", "moas"), [("nb_adaptive", 4755), ("majority", 4014)])
def test_trees_of_other_draws_are_as_right_as_moas(leaf, moas):
    """Frozen: how many of the predictions of MOA's tree were right."""
    rows, labels = turned()
    spec = learners.HoeffdingAdaptiveTree(leaf_prediction=leaf, **EQUAL)
    bound = [spec.bind(schema([None] * 3, 3), seed) for seed in range(16)]
    right = [int((one.test_then_train(0, rows, labels) == labels).sum()) for one in bound]
    assert abs(np.mean(right) - moas) <= 0.015 * 6000
    assert min(right) < moas < max(right)

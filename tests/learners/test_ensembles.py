"""Ensembles are their slow twins around the same trees, and see columns as configured."""

from __future__ import annotations

import numpy as np
import pytest

from oracles import ensembles as twins
from streamgauge import learners
from streamgauge.errors import ParameterError
from streamgauge.types import Feature, Schema

SCHEMA = Schema((Feature("a"), Feature("b"), Feature("c", ("x", "y", "z"))), "y", (0, 1, 2))
TREE = learners.HoeffdingTree(grace_period=20, delta=0.05, tau=0.2)
ITEMS = 1200


class Tree:
    """The native tree, a row at a time."""

    def __init__(self):
        self.tree = TREE.bind(SCHEMA)

    def says(self, row):
        return int(self.tree.predict(row[None])[0])

    def shares(self, row):
        return self.tree.scores(row[None])[0]

    def learn(self, row, label, weight):
        self.tree.learn(row[None], np.array([label], np.int32), np.array([float(weight)]))


@pytest.fixture(scope="module")
def stream():
    """Two concepts, one after the other, twice; some cells missing, weights of all kinds."""
    draw = np.random.default_rng(4)
    rows = draw.random((ITEMS, 3))
    rows[:, 2] = draw.integers(0, 3, ITEMS)
    turned = np.arange(ITEMS) // 300 % 2
    labels = (rows[:, 0] > 0.4).astype(np.int32) + (rows[:, 2] == 1)
    labels = np.where(turned, 2 - labels, labels).astype(np.int32)
    rows[draw.random(rows.shape) < 0.01] = np.nan
    return rows, labels, draw.choice([0.5, 1.0, 2.0], ITEMS)


def check(native, twin, stream):
    rows, labels, weights = stream
    sheet = np.empty((ITEMS, 3))
    predictions = native.fresh(7).test_then_train(0, rows, labels, weights, sheet)
    np.testing.assert_array_equal(native.test_then_train(0, rows, labels, weights), predictions)
    for i in range(ITEMS):
        votes = twin.votes(rows[i])
        assert predictions[i] == (int(np.argmax(votes)) if votes.max() > 0 else -1)
        if votes.max() > 0:
            np.testing.assert_allclose(sheet[i], votes / votes.sum(), rtol=1e-9)
        twin.learn(rows[i], labels[i], weights[i])


@pytest.mark.parametrize("spec", [learners.LeveragingBagging, learners.AdwinBagging])
def test_bagging_is_its_slow_twin(spec, stream):
    native = spec(n_models=4, drift_delta=0.05, tree=TREE).bind(SCHEMA, seed=7)
    at_once = spec is learners.AdwinBagging
    twin = twins.Bagging(Tree, 3, 4, spec().lambda_value, 0.05, 7, at_once)
    check(native, twin, stream)
    assert native.vitals()["drifts"] == twin.drifts > 1


@pytest.mark.parametrize("weighted", [True, False])
def test_a_forest_of_all_columns_is_its_slow_twin(weighted, stream):
    spec = learners.AdaptiveRandomForest(4, 3.0, None, 0.1, 0.02, weighted, TREE)
    native = spec.bind(SCHEMA, seed=7)
    twin = twins.Forest(Tree, 3, 4, 3.0, 0.1, 0.02, 7, weighted)
    check(native, twin, stream)
    assert native.vitals()["drifts"] == twin.replaced > 1
    assert native.vitals()["warnings"] == twin.warned > twin.replaced


def test_leaves_of_a_forest_look_at_few_columns():
    """A single tree that looks at one column of eight finds the one that matters by luck."""
    draw = np.random.default_rng(0)
    rows = draw.random((6000, 8))
    labels = (rows[:, 3] > 0.5).astype(np.int32)
    schema = Schema(tuple(Feature(f"x{j}") for j in range(8)), "y", ("a", "b"))

    def share_right(columns):
        spec = learners.AdaptiveRandomForest(n_models=1, max_features=columns)
        predictions = [
            spec.bind(schema, s).test_then_train(0, rows[:300], labels[:300]) for s in range(9)
        ]
        return np.mean([one[50:] == labels[50:300] for one in predictions])

    assert share_right(1) < share_right("sqrt") < share_right(8)
    assert share_right(1) < share_right(8) - 0.1
    spec = learners.AdaptiveRandomForest(n_models=10, max_features=2)
    assert (spec.bind(schema).test_then_train(0, rows, labels) == labels)[3000:].mean() > 0.97


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda: learners.AdaptiveRandomForest(n_models=0), "n_models"),
        (lambda: learners.AdaptiveRandomForest(max_features=0.0), "max_features"),
        (lambda: learners.AdaptiveRandomForest(max_features="all"), "max_features"),
        (lambda: learners.AdaptiveRandomForest(max_features=True), "max_features"),
        (lambda: learners.AdaptiveRandomForestRegression(max_features=1.0), "max_features"),
        (lambda: learners.AdaptiveRandomForest(warning_delta=1.0), "warning_delta"),
        (lambda: learners.AdwinBagging(drift_delta=0.0), "drift_delta"),
        (lambda: learners.LeveragingBagging(lambda_value=float("nan")), "lambda_value"),
        (lambda: learners.LeveragingBagging(tree=learners.NaiveBayes()), "tree"),
    ],
)
def test_a_bad_parameter_is_named(make, what):
    with pytest.raises(ParameterError, match=f": {what} must be "):
        make()

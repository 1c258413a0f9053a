"""Every parameter of a model tree reaches the core: another value changes the predictions."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from streamgauge import learners
from streamgauge.types import Feature, Schema

GROWTH = {
    "grace_period": 20,
    "delta": 0.3,
    "tau": 0.3,
    "page_hinkley_threshold": 2.0,
    "fading_factor": 0.9,
}
GROWTH |= {"alternate_tree_t_min": 15, "alternate_tree_time": 60}
OPTIONS = GROWTH | {
    "grace_period": 8,
    "delta": 0.1,
    "tau": 0.35,
    "page_hinkley_threshold": 5.0,
    "aggregation_method": "best",
}
FOREST = GROWTH | {"n_models": 3, "warning_delta": 0.3, "drift_delta": 0.1, "monitored": "error"}
OTHER = {
    "grace_period": 33,
    "delta": 0.01,
    "tau": 0.01,
    "page_hinkley_delta": 0.3,
    "page_hinkley_threshold": 9.0,
    "fading_factor": 0.5,
    "alternate_tree_t_min": 40,
    "alternate_tree_time": 25,
    "as_moa": True,
}
OF_TREES = OTHER | {"leaf_prediction": "mean", "learning_rate": 0.1, "learning_rate_decay": 0.5}
OF_FORESTS = OTHER | {
    "n_models": 4,
    "lambda_value": 2.0,
    "max_features": 0.9,
    "warning_delta": 0.05,
    "drift_delta": 0.01,
    "background_learner": False,
    "monitored": "prediction",
}
OF_OPTIONS = OF_TREES | {
    "max_trees": 2,
    "max_option_level": 1,
    "option_decay_factor": 0.3,
    "option_fading_factor": 0.5,
    "aggregation_method": "average",
    "inherit": False,
}
LEARNERS = {
    learners.FIMTDD: (GROWTH, OF_TREES),
    learners.ORTO: (OPTIONS, OF_OPTIONS),
    learners.AdaptiveRandomForestRegression: (FOREST, OF_FORESTS),
}


@pytest.fixture(scope="module")
def drifting():
    """Steps that move every 300 items."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(1500, 4))
    early = np.arange(1500) // 300 % 2 == 0
    steps = np.where(early, 3 * (x[:, 0] > 0) + x[:, 1], 5 * (x[:, 2] > 0) - 2 * (x[:, 1] > 0.3))
    return x, steps + 0.1 * rng.normal(size=1500)


def predictions(drifting, learner):
    """By one seed: that of a run depends on the parameters, and would change them all."""
    schema = Schema(tuple(Feature(name) for name in "abcd"), "y")
    return learner.bind(schema, seed=3).test_then_train(0, *drifting)


@pytest.mark.parametrize("kind", LEARNERS, ids=lambda kind: kind.__name__)
def test_every_parameter_has_another_value(kind):
    assert {field.name for field in fields(kind)} == set(LEARNERS[kind][1])


@pytest.mark.parametrize(
    ("kind", "name"),
    [(kind, name) for kind, (_, other) in LEARNERS.items() for name in other],
    ids=lambda given: getattr(given, "__name__", given),
)
def test_another_value_changes_the_predictions(drifting, kind, name):
    usual, other = LEARNERS[kind]
    one = predictions(drifting, kind(**usual))
    changed = predictions(drifting, kind(**usual | {name: other[name]}))
    assert not np.array_equal(one, changed, equal_nan=True)

"""Every parameter of a model tree reaches the core: another value changes the predictions."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from streamgauge import learners
from streamgauge.types import Feature, Schema

GROWTH = {"grace": 20, "delta": 0.3, "tie": 0.3, "threshold": 2.0, "fading": 0.9}
GROWTH |= {"trial": 15, "patience": 60}
OPTIONS = GROWTH | {"grace": 8, "delta": 0.1, "tie": 0.35, "threshold": 5.0, "aggregate": "best"}
FOREST = GROWTH | {"members": 3, "warning": 0.3, "drift": 0.1, "watch": "error"}
OTHER = {
    "grace": 33,
    "delta": 0.01,
    "tie": 0.01,
    "tolerance": 0.3,
    "threshold": 9.0,
    "fading": 0.5,
    "trial": 40,
    "patience": 25,
    "as_moa": True,
}
OF_TREES = OTHER | {"leaf": "mean", "rate": 0.1, "decay": 0.5}
OF_FORESTS = OTHER | {
    "members": 4,
    "mean_weight": 2.0,
    "subspace": 0.9,
    "warning": 0.05,
    "drift": 0.01,
    "background": False,
    "watch": "answer",
}
OF_OPTIONS = OF_TREES | {
    "trees": 2,
    "option_level": 1,
    "option_decay": 0.3,
    "option_fading": 0.5,
    "aggregate": "average",
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

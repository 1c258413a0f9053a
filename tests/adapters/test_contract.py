"""Every adapter keeps the contract of learners."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from river import (
    compose,
    dummy,
    ensemble,
    forest,
    linear_model,
    multiclass,
    naive_bayes,
    preprocessing,
    stats,
    tree,
)
from sklearn.linear_model import Perceptron, SGDClassifier, SGDRegressor
from sklearn.naive_bayes import BernoulliNB

from streamgauge.adapters import ADAPTERS, adapt
from streamgauge.testing import check_learner
from streamgauge.types import Feature, Schema

NUMBERS = (Feature("a"), Feature("b"), Feature("c"))
MIXED = (*NUMBERS, Feature("d", ("red", "green", "blue")))


class Mean:
    """The mean of the labels, or the commonest class."""

    def __init__(self):
        self.seen = []

    def predict(self, x):
        return max(self.seen, key=self.seen.count) if self.seen else None

    def learn(self, x, y):
        self.seen.append(y)


MODELS = {
    "river no change": (dummy.NoChangeClassifier(), MIXED, ("x", "y", "z")),
    "river prior": (dummy.PriorClassifier(), MIXED, ("x", "y", "z")),
    "river naive Bayes": (naive_bayes.GaussianNB(), NUMBERS, (0, 1)),
    "river tree": (
        tree.HoeffdingTreeClassifier(grace_period=10, nominal_attributes=["d"]),
        MIXED,
        ("x", "y", "z"),
    ),
    "river logistic": (
        preprocessing.StandardScaler() | linear_model.LogisticRegression(),
        NUMBERS,
        ("no", "yes"),
    ),
    "river one-hot | ovr": (
        (compose.SelectType(str) | preprocessing.OneHotEncoder()) + compose.SelectType(float)
        | multiclass.OneVsRestClassifier(linear_model.LogisticRegression()),
        MIXED,
        ("x", "y", "z"),
    ),
    "river imputer | bagging": (
        preprocessing.StatImputer(*[(f.name, stats.Mean()) for f in NUMBERS])
        | ensemble.BaggingClassifier(naive_bayes.GaussianNB(), n_models=2),
        NUMBERS,
        ("x", "y"),
    ),
    "river forest": (forest.ARFClassifier(n_models=2), NUMBERS, (0, 1)),
    "river linear regression": (
        preprocessing.StandardScaler() | linear_model.LinearRegression(),
        NUMBERS,
        None,
    ),
    "river tree regressor": (tree.HoeffdingTreeRegressor(grace_period=10), NUMBERS, None),
    "sklearn sgd": (SGDClassifier(loss="log_loss"), MIXED, ("x", "y", "z")),
    "sklearn perceptron": (Perceptron(), NUMBERS, (0, 1)),
    "sklearn Bernoulli": (BernoulliNB(), NUMBERS, (0, 1)),
    "sklearn sgd regressor": (SGDRegressor(), NUMBERS, None),
    "plain classifier": (Mean(), MIXED, ("x", "y", "z")),
    "plain regressor": (Mean(), NUMBERS, None),
}


def test_every_adapter_has_a_model():
    kinds = [kind for model, _, _ in MODELS.values() for kind in type(model).__mro__]
    libraries = {kind.__module__.partition(".")[0] for kind in kinds}
    left = ADAPTERS.keys() - libraries
    assert left == {"capymoa"}, "a new adapter needs a model in MODELS"  # test_capymoa.py has some


@pytest.mark.parametrize("name", MODELS)
def test_it_keeps_the_contract(name):
    model, features, classes = MODELS[name]
    schema = Schema(features, classes=classes)
    check_learner(lambda: adapt(model, schema), schema, count=60)


@pytest.mark.parametrize("name", ["river tree", "sklearn sgd", "plain classifier"])
def test_it_pickles(name):
    model, features, classes = MODELS[name]
    learner = adapt(model, Schema(features, classes=classes))
    rows = np.zeros((3, len(features)))
    learner.learn(rows, np.array([0, 1, 2], dtype=np.int32), np.ones(3))
    twin = pickle.loads(pickle.dumps(learner))
    np.testing.assert_array_equal(twin.predict(rows), learner.predict(rows))
    assert (twin.fresh(0).predict(rows) == -1).all()

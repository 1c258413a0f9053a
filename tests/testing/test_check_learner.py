"""`check_learner` finds every violation of the contract."""

from __future__ import annotations

import threading
from typing import ClassVar

import numpy as np
import pytest

from streamgauge.adapters import adapt
from streamgauge.testing import check_learner
from streamgauge.types import Feature, Schema

CLASSES = Schema((Feature("a"), Feature("b"), Feature("c", ("x", "y", "z"))), classes=("n", "y"))
REAL = Schema((Feature("a"), Feature("b")))


class Means:
    """Predicts the class with the nearer mean row; a valid learner."""

    def __init__(self):
        self.sums, self.counts = np.zeros((2, 3)), np.zeros(2)

    def predict(self, x):
        if not self.counts.all():
            return None
        return int(np.argmin(((self.sums / self.counts[:, None] - x) ** 2).sum(axis=1)))

    def learn(self, x, y, weight=1.0):
        self.sums[y] += weight * x
        self.counts[y] += weight


class Mean:
    """The mean of the labels."""

    total = count = 0

    def predict(self, x):
        return self.total / self.count if self.count else None

    def learn(self, x, y):
        self.total += y
        self.count += 1


class Peeks(Means):
    def predict(self, x):
        prediction = super().predict(x)
        self.counts[0] += 1
        return prediction


class Shared(Means):
    shared = np.zeros(2)

    def fresh(self, seed):
        return Shared()

    def __init__(self):
        super().__init__()
        self.counts = self.shared


class Random(Means):
    def fresh(self, seed):
        return Random()

    def predict(self, x):
        return int(np.random.default_rng().integers(2))


class Forgetful(Means):
    def __reduce__(self):
        return Forgetful, ()


class Batchy(Means):
    def learn_many(self, x, y):
        self.learn(x[0], y[0])


class Scored(Means):
    def scores(self, x):
        self.counts += 1
        return [0.5, 0.5]


class Locked(Means):
    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()

    def fresh(self, seed):
        return Locked()


@pytest.mark.parametrize("kind", [Means, Locked])
def test_a_valid_learner_passes(kind):
    check_learner(lambda: adapt(kind(), CLASSES), CLASSES)


def test_a_valid_regressor_passes():
    check_learner(lambda: adapt(Mean(), REAL), REAL)


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        (Peeks, "predicting must not change the learner"),
        (Shared, "must"),
        (Random, "must"),
        (Forgetful, "a pickled learner must keep its state"),
        (Batchy, "learning items together must equal learning them one by one"),
        (Scored, "scores must not change the predictions"),
    ],
)
def test_a_violation_is_found(kind, rule):
    with pytest.raises(AssertionError, match=f"{kind.__name__}: .*{rule}"):
        check_learner(lambda: adapt(kind(), CLASSES), CLASSES)


class Raw:
    """Learner without an adapter, with an optional fault."""

    takes_missing = has_scores = numbered = tracks_items = has_alarms = has_selections = (
        measured
    ) = False
    one_by_one = None
    about: ClassVar = {}

    def __init__(self, fault=None):
        self.fault = fault
        self.learned = 0

    def predict(self, rows, first=0):
        if self.fault == "dtype":
            return np.zeros(len(rows))
        if self.fault == "range":
            return np.full(len(rows), 2, dtype=np.int32)
        if self.fault == "number":
            return np.zeros(1, dtype=np.int32)
        return np.full(len(rows), self.learned % 2, dtype=np.int32)

    def learn(self, rows, labels, weights=None):
        self.learned += len(labels)

    def test_then_train(self, first, rows, labels, weights=None, scores=None):
        predicted = []
        for i in range(len(labels)):
            predicted.append(self.predict(rows[i : i + 1])[0])
            if labels[i] >= 0 or self.fault == "missing":
                self.learned += 1
        if self.fault == "weights" and weights is None and (labels >= 0).any():
            predicted = [1] * len(predicted)
        if self.fault == "alters":
            rows[0] = 7
        return np.array(predicted, dtype=np.int32)

    def fresh(self, seed):
        return Raw(self.fault)


def test_a_learner_without_an_adapter_passes():
    check_learner(Raw, CLASSES)


@pytest.mark.parametrize(
    ("fault", "rule"),
    [
        ("dtype", "predictions must be a column of int32"),
        ("range", "predictions must be codes from -1 to 1"),
        ("number", "predictions must be one per row"),
        ("missing", "a missing label must not change the learner"),
        ("weights", "no weights must equal weights of 1"),
        ("alters", "items must not be modified"),
    ],
)
def test_a_violation_of_a_learner_without_an_adapter_is_found(fault, rule):
    with pytest.raises(AssertionError, match=f"Raw: {rule}"):
        check_learner(lambda: Raw(fault), CLASSES)

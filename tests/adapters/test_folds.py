"""Models of other libraries get folds, too: the log equals a loop over copies of the model."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest
from river import linear_model, multiclass, naive_bayes, preprocessing
from sklearn.linear_model import Perceptron
from sklearn.naive_bayes import GaussianNB

import streamgauge as sg
from streamgauge.errors import ParameterError
from streamgauge.protocols import Holdout, KFold
from streamgauge.protocols._folds import RandomAssignment
from streamgauge.seeds import child

STREAM = sg.streams.SEA(items=300, seed=2)


def items():
    [batch] = STREAM.batches(300)
    return batch.x, batch.label


def weights(split, k):
    seed = child(7, "protocol", STREAM.name)
    return RandomAssignment(k, split, seed).weights(0, 300)


def predictions(log):
    return [
        (int(i), int(f), int(p))
        for part in log.predictions()
        for i, f, p in zip(part.item, part.fold, part.prediction, strict=True)
    ]


@pytest.mark.parametrize("split", ["cross", "split"])
def test_a_loop_over_models_of_river_gives_the_same_predictions(split):
    x, label = items()
    learned = weights(split, 3)
    names = [feature.name for feature in STREAM.schema.features]
    classes = {value: code for code, value in enumerate(STREAM.schema.classes)}
    models = [naive_bayes.GaussianNB() for _ in range(3)]
    expected = []
    for item, (row, y) in enumerate(zip(x.tolist(), label.tolist(), strict=True)):
        named = dict(zip(names, row, strict=True))
        for fold, model in enumerate(models):
            if not learned[fold, item]:
                made = model.predict_one(named)
                expected.append((item, fold, -1 if made is None else classes[made]))
        for fold, model in enumerate(models):
            if learned[fold, item]:
                model.learn_one(named, STREAM.schema.classes[y])
    log = sg.run(STREAM, naive_bayes.GaussianNB(), KFold(3, split), seed=7)
    assert predictions(log) == expected


def test_a_model_of_scikit_learn_is_tested_by_holdout():
    x, label = items()
    log = sg.run(STREAM, GaussianNB(), Holdout(50, 100), seed=7)
    model = GaussianNB()
    expected = []
    for first in (50, 150):
        rows = slice(first, first + 100)
        model.partial_fit(x[rows], label[rows], classes=np.arange(2))
        made = model.predict(x[:50]).tolist()
        expected += [(item, 0, code) for item, code in enumerate(made)]
    assert predictions(log) == expected


def test_folds_of_scikit_learn_learn_their_items():
    x, label = items()
    learned = weights("bootstrap", 2)
    log = sg.run(STREAM, Perceptron(), KFold(2, "bootstrap"), seed=7)
    models = [Perceptron(random_state=0) for _ in range(2)]
    hits = dict.fromkeys(range(2), 0)
    made = {(i, f): p for i, f, p in predictions(log)}
    for item in range(300):
        for fold, model in enumerate(models):
            row = x[item : item + 1]
            if learned[fold, item]:
                weight = [float(learned[fold, item])]
                model.partial_fit(row, label[item : item + 1], np.arange(2), weight)
            elif hasattr(model, "classes_"):
                assert made[item, fold] == int(model.predict(row)[0])
                hits[fold] += 1
    assert min(hits.values()) > 50


class _Remembers:
    """Predicts the first class and remembers the weights that it learned with."""

    weights: ClassVar[list[float]] = []

    def predict(self, x):
        return 0

    def learn(self, x, y, weight=1.0):
        self.weights.append(weight)


class _RemembersMany(_Remembers):
    """The same for many rows in one call."""

    def predict_many(self, rows):
        return np.zeros(len(rows), int)

    def learn_many(self, rows, labels, weight=None):
        self.weights.extend(np.ones(len(rows)) if weight is None else weight.tolist())


@pytest.mark.parametrize("model", [_Remembers, _RemembersMany])
@pytest.mark.parametrize(
    "protocol",
    ["prequential", "chunks(size=5)", "delayed", "k_fold(k=2)", "k_fold(3, 'bootstrap')"],
)
def test_an_item_of_weight_0_is_not_learned_by_models_in_python(model, protocol):
    x, y = np.arange(40.0)[:, None], np.arange(40) % 2
    given = np.where(np.arange(40) < 10, 0.0, 2.0)  # the first chunk has nothing to learn
    model.weights.clear()
    log = sg.run(sg.streams.from_arrays(x, y, weight=given), model(), protocol)
    stated = np.concatenate([rows.weight for rows in log.training()])
    assert sorted(model.weights) == sorted(stated[stated > 0].tolist())
    assert min(model.weights) >= 2


def test_an_estimator_of_scikit_learn_begins_with_the_first_item_that_has_a_weight():
    x, y = np.array([[5.0], [9.0], [1.0], [8.0]]), np.array([0, 1, 0, 1])
    stream = sg.streams.from_arrays(x, y, weight=np.array([0.0, 0.0, 1.0, 1.0]))
    made = [code for _, _, code in predictions(sg.run(stream, Perceptron(), "prequential"))]
    assert made[:3] == [-1, -1, -1]
    assert made[3] in (0, 1)


class _Unweighted:
    def predict(self, x):
        return 0

    def learn(self, x, y):
        pass


WITHOUT_WEIGHTS = {
    "river": (naive_bayes.GaussianNB(), "whose learn_one has no parameter w"),
    "a pipeline, which would leave the weights out": (
        preprocessing.StandardScaler() | naive_bayes.GaussianNB(),
        "whose learn_one has no parameter w in its step GaussianNB",
    ),
    "a model around another": (
        multiclass.OneVsRestClassifier(naive_bayes.GaussianNB()),
        "whose learn_one has no parameter w",
    ),
    "an own object": (_Unweighted(), "whose learn has no parameter weight"),
    "inside a learner of ours": (
        sg.learners.Resetting(naive_bayes.GaussianNB(), "ddm"),
        "whose learn_one has no parameter w",
    ),
}


@pytest.mark.parametrize("name", WITHOUT_WEIGHTS)
@pytest.mark.parametrize(
    "protocol",
    ["k_fold(3, 'bootstrap')", "perturbed(k_fold(3, 'bootstrap'), copies=1)"],
)
def test_a_model_without_weights_is_refused_before_the_first_item(name, protocol, tmp_path):
    model, reason = WITHOUT_WEIGHTS[name]
    with pytest.raises(ParameterError) as caught:
        sg.run("sea(items=10)", model, protocol, folder=tmp_path / "log")
    assert "run: learner must take weights with split='bootstrap'" in str(caught.value)
    assert reason in str(caught.value)
    assert not (tmp_path / "log").exists()


@pytest.mark.parametrize(
    "model",
    [
        linear_model.LogisticRegression(),
        preprocessing.StandardScaler() | linear_model.LogisticRegression(),
        multiclass.OneVsRestClassifier(linear_model.LogisticRegression()),
        Perceptron(),
    ],
    ids=str,
)
def test_a_model_with_weights_is_not_refused(model):
    sg.run("sea(items=30)", model, KFold(2, "bootstrap"))

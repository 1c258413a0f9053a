"""Models of other libraries get folds, too: the log equals a loop over copies of the model."""

from __future__ import annotations

import numpy as np
import pytest
from river import naive_bayes
from sklearn.linear_model import Perceptron
from sklearn.naive_bayes import GaussianNB

import streamgauge as sg
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

"""`variant="moa"` compared with MOA's EvaluatePrequentialCV."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.protocols import KFold
from streamgauge.repetitions import over_folds

pytestmark = [pytest.mark.capymoa, pytest.mark.filterwarnings("ignore")]

ITEMS, WIDTH, FOLDS = 600, 3, 4


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(ITEMS, WIDTH))
    return x, (x[:, 0] + rng.normal(scale=0.5, size=ITEMS) > 0.3).astype(int)


def moas_table(x, label):
    """The items as MOA's instances, and the function that finds classes of Java."""
    import_module("capymoa")  # starts the JVM
    java = import_module("jpype").JClass
    package = "com.yahoo.labs.samoa.instances"
    attributes, values = java("java.util.ArrayList")(), java("java.util.ArrayList")()
    for name in ("no", "yes"):
        values.add(name)
    for column in range(WIDTH):
        attributes.add(java(f"{package}.Attribute")(f"x{column}"))
    attributes.add(java(f"{package}.Attribute")("y", values))
    table = java(f"{package}.Instances")("items", attributes, 0)
    table.setClassIndex(WIDTH)
    for row, code in zip(x.tolist(), label.tolist(), strict=True):
        one = java(f"{package}.DenseInstance")(1.0, [*row, float(code)])
        one.setDataset(table)
        table.add(one)
    return table, java


def moas_accuracy(x, label, learner: str, method: str) -> float:
    """The mean accuracy over the folds, at the end, as MOA prints it."""
    table, java = moas_table(x, label)
    task = java("moa.tasks.EvaluatePrequentialCV")()
    task.streamOption.setCurrentObject(java("moa.streams.CachedInstancesStream")(table))
    task.learnerOption.setCurrentObject(java(learner)())
    evaluator = java("moa.evaluation.BasicClassificationPerformanceEvaluator")()
    task.evaluatorOption.setCurrentObject(evaluator)
    task.numFoldsOption.setValue(FOLDS)
    task.validationMethodologyOption.setChosenLabel(method)
    task.prepareForUse()
    curve = task.doTask(java("moa.tasks.NullMonitor")(), None)
    last, at = curve.numEntries() - 1, 0
    while "classifications correct" not in str(curve.getMeasurementName(at)):
        at += 1
    return float(curve.getMeasurement(last, at)) / 100


# Naive Bayes with split has a test of its own.
@pytest.mark.parametrize(
    ("learner", "moas", "split", "method"),
    [
        (
            "majority_class",
            "moa.classifiers.functions.MajorityClass",
            "cross",
            "Cross-Validation",
        ),
        (
            "majority_class",
            "moa.classifiers.functions.MajorityClass",
            "split",
            "Split-Validation",
        ),
        ("naive_bayes", "moa.classifiers.bayes.NaiveBayes", "cross", "Cross-Validation"),
    ],
)
def test_the_mean_accuracy_over_folds_is_that_of_moa(data, split, method, learner, moas):
    x, label = data
    stream = sg.streams.from_arrays(x, label)
    log = sg.run(stream, learner, KFold(FOLDS, split, variant="moa"))
    # MOA takes the first class where a learner has no votes yet.
    ours = over_folds(log, "accuracy", cold_start="default_class").final.mean
    assert ours == pytest.approx(moas_accuracy(x, label, moas, method), abs=1e-9)


def test_naive_bayes_differs_from_moa_only_where_every_density_is_0(data):
    """After one item per class all variances are 0, and an item of other values has no density.

    MOA's votes are all 0 then, and it takes the first class; ours is the nearest class. The other
    predictions of all folds are equal, and with these few the mean accuracy is MOA's.
    """
    x, label = data
    log = sg.run(sg.streams.from_arrays(x, label), "naive_bayes", KFold(FOLDS, "split", "moa"))
    ours = np.zeros((FOLDS, ITEMS), int)
    for rows in log.predictions():
        ours[rows.fold, rows.item.astype(int)] = np.maximum(rows.prediction, 0)
    table, java = moas_table(x, label)
    theirs, silent = np.zeros((FOLDS, ITEMS), int), np.zeros((FOLDS, ITEMS), bool)
    for fold in range(FOLDS):
        learner = java("moa.classifiers.bayes.NaiveBayes")()
        learner.prepareForUse()
        learner.resetLearning()
        for item in range(ITEMS):
            votes = np.array(learner.getVotesForInstance(table.instance(item)), float)
            theirs[fold, item] = votes.argmax() if len(votes) else 0
            silent[fold, item] = len(votes) > 0 and not votes.any()
            if item % FOLDS == fold:
                learner.trainOnInstance(table.instance(item))
    differ = ours != theirs
    assert 0 < differ.sum() <= silent.sum() < 30
    assert not differ[~silent].any()
    moas = moas_accuracy(x, label, "moa.classifiers.bayes.NaiveBayes", "Split-Validation")
    assert (theirs == label).mean() == pytest.approx(moas, abs=1e-9)

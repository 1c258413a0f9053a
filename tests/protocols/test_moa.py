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


def moas_accuracy(x, label, learner: str, method: str) -> float:
    """The mean accuracy over the folds, at the end, as MOA prints it."""
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


# Not naive Bayes with split: after a single item of a class MOA's densities are others.
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

"""The variants of MOA, compared with MOA's evaluators."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from streamgauge.log import Log
from streamgauge.measures._compute import measure

LogOf = Callable[..., Log]
pytestmark = [pytest.mark.capymoa, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def java() -> Callable[[str], Any]:
    """A class of MOA by its name. Importing CapyMOA starts the JVM."""
    import_module("capymoa")
    jclass: Callable[[str], Any] = import_module("jpype").JClass
    return jclass


def instances(java: Callable[[str], Any], labels: list[float], classes: int | None) -> list[Any]:
    package = "com.yahoo.labs.samoa.instances"
    attribute, dense = java(f"{package}.Attribute"), java(f"{package}.DenseInstance")
    attributes = java("java.util.ArrayList")()
    attributes.add(attribute("x"))
    if classes is None:
        attributes.add(attribute("y"))
    else:
        values = java("java.util.ArrayList")()
        for c in range(classes):
            values.add(f"c{c}")
        attributes.add(attribute("y", values))
    header = java(f"{package}.Instances")("log", attributes, 0)
    header.setClassIndex(1)
    dataset = java(f"{package}.InstancesHeader")(header)
    made = []
    for label in labels:
        one = dense(1.0, [0.0, float(label)])
        one.setDataset(dataset)
        made.append(java("moa.core.InstanceExample")(one))
    return made


def columns(classes: int, rows: int = 300) -> tuple[Any, Any]:
    rng = np.random.default_rng(classes)
    label = np.repeat(rng.integers(0, classes, rows // 2), 2)
    prediction = np.where(rng.random(rows) < 0.6, label, rng.integers(0, classes, rows))
    return label, prediction


def evaluated(
    java: Any, evaluator: Any, label: Any, prediction: Any, classes: int
) -> dict[str, float]:
    votes = np.eye(classes)
    for item, a in zip(instances(java, label, classes), prediction, strict=True):
        evaluator.addResult(item, votes[a].tolist())
    printed = evaluator.getPerformanceMeasurements()
    names = {str(m.getName()): float(m.getValue()) / 100 for m in printed}
    return names | {
        "kappa_temporal": float(evaluator.getKappaTemporalStatistic()),
        "kappa": float(evaluator.getKappaStatistic()),
        "accuracy": float(evaluator.getFractionCorrectlyClassified()),
        "precision": float(evaluator.getPrecisionStatistic()),
        "recall": float(evaluator.getRecallStatistic()),
        "f1": float(evaluator.getF1Statistic()),
        "kappa_m": names["Kappa M Statistic (percent)"],
    }


@pytest.mark.parametrize("classes", [2, 4])
def test_the_whole_log_equals_moas_basic_evaluator(log_of: LogOf, java: Any, classes: int) -> None:
    label, prediction = columns(classes)
    basic = java("moa.evaluation.BasicClassificationPerformanceEvaluator")()
    theirs = evaluated(java, basic, label, prediction, classes)
    log = log_of(classes, label, prediction)
    ours = {
        "accuracy": "accuracy",
        "kappa": "kappa",
        "kappa_temporal": "kappa_temporal(variant='moa')",
        "kappa_m": "kappa_m(variant='moa')",
        "precision": "precision(variant='moa')",
        "recall": "recall(variant='moa')",
        "f1": "f1(variant='moa')",
    }
    for name, mine in ours.items():
        assert measure(log, mine).final == pytest.approx(theirs[name], abs=1e-12), name
    for c in range(classes):
        for name, theirs_of in (
            ("precision", basic.getPrecisionStatistic),
            ("recall", basic.getRecallStatistic),
            ("f1", basic.getF1Statistic),
        ):
            mine = measure(log, f"{name}(of={c}, variant='moa')").final
            assert mine == pytest.approx(float(theirs_of(c)), abs=1e-12)


def test_a_class_that_is_never_predicted_counts_as_in_moa(log_of: LogOf, java: Any) -> None:
    label, prediction = [0, 1, 2, 0], [0, 1, 1, 0]
    basic = java("moa.evaluation.BasicClassificationPerformanceEvaluator")()
    theirs = evaluated(java, basic, label, prediction, 3)
    log = log_of(3, label, prediction)
    for name in ("precision", "recall", "f1"):
        mine = measure(log, f"{name}(variant='moa')").final
        assert mine == pytest.approx(theirs[name], nan_ok=True), name


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize(
    ("evaluator", "window"),
    [
        ("WindowClassificationPerformanceEvaluator", "sliding(1000)"),
        ("WindowClassificationPerformanceEvaluator", "sliding(50)"),
        ("FadingFactorClassificationPerformanceEvaluator", "fading(0.999)"),
    ],
)
def test_windows_equal_moas(
    log_of: LogOf, java: Any, evaluator: str, window: str, classes: int
) -> None:
    label, prediction = columns(classes)
    theirs_evaluator = java(f"moa.evaluation.{evaluator}")()
    if window.startswith("sliding"):
        theirs_evaluator.widthOption.setValue(int(window[8:-1]))
    theirs = evaluated(java, theirs_evaluator, label, prediction, classes)
    names = ["accuracy", "kappa", "kappa_temporal(variant='moa')"]
    if window.startswith("sliding"):
        names += [f"{name}(variant='moa')" for name in ("precision", "recall", "f1")]
    for curve in measure(log_of(classes, label, prediction), names, window):
        want = theirs[curve.measure.partition("(")[0]]
        assert curve.final == pytest.approx(want, abs=1e-12), curve.measure


def test_regression_equals_moas_basic_evaluator(log_of: LogOf, java: Any) -> None:
    rng = np.random.default_rng(0)
    label = rng.normal(3, 2, 200)
    prediction = label + rng.normal(size=200)
    basic = java("moa.evaluation.BasicRegressionPerformanceEvaluator")()
    for item, a in zip(instances(java, label, None), prediction, strict=True):
        basic.addResult(item, [float(a)])
    measurements = {
        str(m.getName()): float(m.getValue()) for m in basic.getPerformanceMeasurements()
    }
    log = log_of(None, label, prediction)
    ours = {
        "mae": "mean absolute error",
        "rmse": "root mean squared error",
        "mae_vs_target_mean(variant='moa')": "relative mean absolute error",
        "rmse_vs_target_mean(variant='moa')": "relative root mean squared error",
        "r2(variant='moa')": "coefficient of determination",
    }
    for mine, name in ours.items():
        assert measure(log, mine).final == pytest.approx(measurements[name], rel=1e-12), name

"""One row per measure: the value of scikit-learn or river, computed by the test."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from typing import Any

import numpy as np
import pytest
from river import metrics as river
from river import utils
from sklearn import metrics as sklearn

from streamgauge.log import Log
from streamgauge.measures._compute import measure

LogOf = Callable[..., Log]
N = 400


def columns(classes: int, seed: int, right: float = 0.6) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    share = (rng.dirichlet(np.ones(classes)) + 1 / classes) / 2
    label = rng.choice(classes, N, p=share)
    prediction = np.where(rng.random(N) < right, label, rng.integers(0, classes, N))
    scores = rng.dirichlet(np.ones(classes), N).round(2)  # rounded: there are ties
    scores = (scores + 0.01) / (scores + 0.01).sum(1, keepdims=True)
    return label, prediction, scores


def zero(score: Callable[..., float], **kwargs: Any) -> Callable[[Any, Any], float]:
    return lambda y, a: score(y, a, zero_division=0.0, **kwargs)


SKLEARN: dict[str, Callable[[Any, Any], float]] = {
    "accuracy": sklearn.accuracy_score,
    "error": sklearn.zero_one_loss,
    "kappa": sklearn.cohen_kappa_score,
    "balanced_accuracy": sklearn.balanced_accuracy_score,
    "mcc": sklearn.matthews_corrcoef,
    "mcc(variant='sklearn')": sklearn.matthews_corrcoef,
    "fbeta(beta=2.0, variant='sklearn')": zero(sklearn.fbeta_score, beta=2.0, average="macro"),
    "fbeta(beta=0.5, average='weighted', variant='sklearn')": zero(
        sklearn.fbeta_score, beta=0.5, average="weighted"
    ),
    **{
        f"{name}(average={average!r}, variant='sklearn')": zero(score, average=average)
        for name, score in (
            ("precision", sklearn.precision_score),
            ("recall", sklearn.recall_score),
            ("f1", sklearn.f1_score),
        )
        for average in ("macro", "micro", "weighted")
    },
    **{
        f"{name}(of=1, variant='sklearn')": zero(score, labels=[1], average="macro")
        for name, score in (
            ("precision", sklearn.precision_score),
            ("recall", sklearn.recall_score),
            ("f1", sklearn.f1_score),
        )
    },
}


@pytest.mark.parametrize("name", SKLEARN)
@pytest.mark.parametrize("classes", [2, 3, 7])
def test_a_count_is_scikit_learns(log_of: LogOf, name: str, classes: int) -> None:
    for seed in range(3):
        label, prediction, _ = columns(classes, seed)
        got = measure(log_of(classes, label, prediction), name).final
        assert got == pytest.approx(SKLEARN[name](label, prediction), abs=1e-12)


@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true")
@pytest.mark.parametrize("name", SKLEARN)
def test_a_sliding_count_is_scikit_learns_over_the_last_rows(log_of: LogOf, name: str) -> None:
    label, prediction, _ = columns(3, 9)
    curve = measure(log_of(3, label, prediction), name, "sliding(70)", every=13)
    for at, got in zip(curve.at, curve.value, strict=True):
        want = SKLEARN[name](label[max(0, at - 70) : at], prediction[max(0, at - 70) : at])
        # with a single class both are undefined, in different ways
        assert isnan(want) or isnan(got) or got == pytest.approx(want, abs=1e-12)


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_weights_are_scikit_learns(log_of: LogOf, classes: int) -> None:
    label, prediction, scores = columns(classes, 4)
    weight = np.random.default_rng(3).choice([0.0, 0.5, 1.0, 7.0], N)
    log = log_of(classes, label, prediction, weight=weight, scores=scores)
    cases = {
        "accuracy": sklearn.accuracy_score(label, prediction, sample_weight=weight),
        "kappa": sklearn.cohen_kappa_score(label, prediction, sample_weight=weight),
        "balanced_accuracy": sklearn.balanced_accuracy_score(
            label, prediction, sample_weight=weight
        ),
        "mcc": sklearn.matthews_corrcoef(label, prediction, sample_weight=weight),
        "f1(variant='sklearn')": sklearn.f1_score(
            label, prediction, average="macro", sample_weight=weight
        ),
        "log_loss": sklearn.log_loss(
            label, scores, sample_weight=weight, labels=list(range(classes))
        ),
    }
    curves = measure(log, list(cases), weighted=True)
    for curve, want in zip(curves, cases.values(), strict=True):
        assert curve.final == pytest.approx(want, abs=1e-12), curve.measure


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_scores_are_scikit_learns(log_of: LogOf, classes: int) -> None:
    label, prediction, scores = columns(classes, 2)
    labels = list(range(classes))
    log = log_of(classes, label, prediction, scores=scores)
    multi = {"labels": labels, "multi_class": "ovr", "average": "macro"}
    cases = {
        "log_loss": sklearn.log_loss(label, scores, labels=labels),
        "log_loss(variant='sklearn')": sklearn.log_loss(label, scores, labels=labels),
        "brier(variant='sklearn')": sklearn.brier_score_loss(label, scores, labels=labels),
        "auc(of=1)": sklearn.roc_auc_score(label == 1, scores[:, 1]),
        "auc": sklearn.roc_auc_score(label, scores[:, 1])
        if classes == 2
        else sklearn.roc_auc_score(label, scores, **multi),
        "auc(average='hand_till')": sklearn.roc_auc_score(label, scores[:, 1])
        if classes == 2
        else sklearn.roc_auc_score(label, scores, **(multi | {"multi_class": "ovo"})),
    }
    for curve, want in zip(measure(log, list(cases)), cases.values(), strict=True):
        assert curve.final == pytest.approx(want, abs=1e-12), curve.measure


def test_a_score_of_zero_is_clipped_as_scikit_learn_does(log_of: LogOf) -> None:
    label, scores = np.array([0, 1, 1]), np.array([[1.0, 0.0], [1.0, 0.0], [0.25, 0.75]])
    log = log_of(2, label, label, scores=scores)
    assert measure(log, "log_loss").final == float("inf")
    clipped = measure(log, "log_loss(variant='sklearn')").final
    assert clipped == pytest.approx(sklearn.log_loss(label, scores), rel=1e-12)


def test_a_sliding_auc_is_scikit_learns_over_the_last_rows(log_of: LogOf) -> None:
    label, prediction, scores = columns(2, 6)
    curve = measure(log_of(2, label, prediction, scores=scores), "auc", "sliding(50)", every=7)
    for at, got in zip(curve.at, curve.value, strict=True):
        rows = slice(max(0, at - 50), at)
        if len(set(label[rows])) == 2:
            want = sklearn.roc_auc_score(label[rows], scores[rows, 1])
            assert got == pytest.approx(want, abs=1e-12)
        else:
            assert isnan(got)


REAL = {
    "mae": sklearn.mean_absolute_error,
    "mse": sklearn.mean_squared_error,
    "rmse": sklearn.root_mean_squared_error,
    "r2": sklearn.r2_score,
    "r2(variant='sklearn')": sklearn.r2_score,
}


@pytest.mark.parametrize("name", REAL)
def test_an_error_is_scikit_learns(log_of: LogOf, name: str) -> None:
    rng = np.random.default_rng(1)
    label = rng.normal(10, 3, N)
    prediction = label + rng.normal(size=N)
    weight = rng.choice([0.0, 0.5, 1.0, 7.0], N)
    log = log_of(None, label, prediction, weight=weight)
    assert measure(log, name).final == pytest.approx(REAL[name](label, prediction), rel=1e-12)
    got = measure(log, name, weighted=True).final
    assert got == pytest.approx(REAL[name](label, prediction, sample_weight=weight), rel=1e-12)


@pytest.mark.parametrize("right", [0.0, 1.0])
def test_r2_of_equal_labels_is_scikit_learns_in_its_variant(log_of: LogOf, right: float) -> None:
    label, prediction = [2.0] * 5, [3.0 - right] * 5
    log = log_of(None, label, prediction)
    assert (
        measure(log, "r2(variant='sklearn')").final == sklearn.r2_score(label, prediction) == right
    )
    assert isnan(measure(log, "r2").final)


RIVER: dict[str, Callable[[], Any]] = {
    "accuracy": river.Accuracy,
    "kappa": river.CohenKappa,
    "balanced_accuracy": river.BalancedAccuracy,
    "g_mean": river.GeometricMean,
    "f1(variant='sklearn')": river.MacroF1,
    "precision(variant='sklearn')": river.MacroPrecision,
    "recall(variant='sklearn')": river.MacroRecall,
    "f1(average='micro')": river.MicroF1,
    "f1(average='weighted', variant='sklearn')": river.WeightedF1,
    "fbeta(beta=2.0, variant='sklearn')": lambda: river.MacroFBeta(beta=2.0),
}


@pytest.mark.parametrize("name", RIVER)
@pytest.mark.parametrize("classes", [2, 4])
def test_a_count_is_rivers(log_of: LogOf, name: str, classes: int) -> None:
    label, prediction, _ = columns(classes, 8)
    theirs = RIVER[name]()
    for y, a in zip(label.tolist(), prediction.tolist(), strict=True):
        theirs.update(y, a)
    got = measure(log_of(classes, label, prediction), name).final
    assert got == pytest.approx(theirs.get(), abs=1e-12)


@pytest.mark.parametrize("name", ["accuracy", "kappa", "balanced_accuracy"])
def test_a_sliding_count_is_rivers_rolling_one(log_of: LogOf, name: str) -> None:
    label, prediction, _ = columns(3, 5)
    theirs = utils.Rolling(RIVER[name], window_size=60)
    curve = measure(log_of(3, label, prediction), name, "sliding(60)", every=1)
    for y, a, got in zip(label.tolist(), prediction.tolist(), curve.value, strict=True):
        theirs.update(y, a)
        if not isnan(got):
            assert got == pytest.approx(theirs.get(), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("mae", river.MAE), ("mse", river.MSE), ("rmse", river.RMSE), ("r2", river.R2)],
)
def test_an_error_is_rivers(log_of: LogOf, name: str, theirs: Callable[[], Any]) -> None:
    rng = np.random.default_rng(2)
    label = rng.normal(size=N)
    prediction = label + rng.normal(size=N)
    metric = theirs()
    for y, a in zip(label.tolist(), prediction.tolist(), strict=True):
        metric.update(y, a)
    assert measure(log_of(None, label, prediction), name).final == pytest.approx(
        metric.get(), rel=1e-9
    )


def test_skipping_the_cold_start_equals_river(log_of: LogOf) -> None:
    label, prediction = [0, 1, 1, 0, 1], [-1, -1, 1, 1, 1]
    metric = river.Accuracy()
    for y, a in zip(label, prediction, strict=True):
        if a >= 0:
            metric.update(y, a)
    log = log_of(2, label, prediction)
    assert measure(log, "accuracy", cold_start="skip").final == metric.get()
    assert measure(log, "accuracy").final == 0.4
    assert measure(log, "accuracy").definition["coverage"] == "0.6"

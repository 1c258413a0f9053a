"""Costs of predictions by a matrix."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

import streamgauge as sg
from oracles import measures as slow
from streamgauge.errors import ParameterError
from streamgauge.log import from_columns
from streamgauge.measures import Error, MeanCost
from streamgauge.names import make
from streamgauge.summaries import Confusion
from streamgauge.types import Schema

COSTS = [[0.0, 1.0, 2.5], [10.0, 0.0, 0.5], [3.0, 4.0, 0.25]]
RNG = np.random.default_rng(2)


def log_of(count, classes=3, weight=None, none=0.1):
    label = RNG.integers(0, classes, count).astype(np.int32)
    prediction = np.where(RNG.random(count) < 0.5, label, RNG.integers(0, classes, count))
    prediction = np.where(RNG.random(count) < none, -1, prediction).astype(np.int32)
    schema = Schema((), classes=tuple("abcdefghijkl"[:classes]))
    return from_columns(schema, label, prediction), label, prediction


@pytest.mark.parametrize("window", ["whole", "sliding(30)", "tumbling(40)", "sliding(3)"])
@pytest.mark.parametrize("policy", ["count_wrong", "skip"])
@pytest.mark.parametrize("abstention", [None, 7.0])
def test_it_is_the_mean_of_the_looked_up_costs(window, policy, abstention):
    log, label, prediction = log_of(200)
    measure = MeanCost(COSTS, abstention)
    curve = sg.measure(log, measure, window, every=10, cold_start=policy)
    counted = (prediction >= 0) | (policy == "count_wrong")
    size = {"whole": 200, "sliding(30)": 30, "tumbling(40)": 40, "sliding(3)": 3}[window]
    for at, value in zip(curve.at.tolist(), curve.value, strict=True):
        low = (at - 1) // size * size if window.startswith("tumbling") else max(0, at - size)
        rows = [
            slow.Row(int(label[i]), None if prediction[i] < 0 else int(prediction[i]))
            for i in range(low, at)
            if counted[i]
        ]
        assert value == pytest.approx(slow.mean_cost(COSTS, abstention)(rows, 3), nan_ok=True)


def test_it_is_the_sum_over_scikit_learns_confusion_matrix():
    log, label, prediction = log_of(500, none=0.0)
    expected = (confusion_matrix(label, prediction) * COSTS).sum() / 500
    assert sg.measure(log, MeanCost(COSTS)).final == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("classes", [1, 2, 3, 7, 12])
def test_the_counts_of_pairs_are_those_of_the_rows(classes):
    log, label, prediction = log_of(400, classes)
    costs = RNG.integers(0, 9, (classes, classes)).astype(float)
    rows = [
        slow.Row(int(i), None if j < 0 else int(j)) for i, j in zip(label, prediction, strict=True)
    ]
    expected = slow.mean_cost(costs.tolist())(rows, classes)
    assert sg.measure(log, MeanCost(costs.tolist())).final == pytest.approx(expected, rel=1e-12)
    assert sg.measure(log, MeanCost()).final == pytest.approx(sg.measure(log, Error()).final)


def test_its_text_makes_it_again():
    measure = make("measure", "mean_cost([[0, 1], [5, 0]], abstention=2)")
    assert measure == MeanCost(((0.0, 1.0), (5.0, 0.0)), 2)
    assert make("measure", str(measure)) == measure
    assert float(measure.over(Confusion.of([[8, 2], [1, 9]]))) == pytest.approx(7 / 20)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: MeanCost([[0, 1]]), "costs must be one row per label"),
        (lambda: MeanCost([]), "costs must be one row per label"),
        (lambda: MeanCost(3), "costs must be"),
        (lambda: MeanCost([[0, -1], [1, 0]]), "costs must be numbers from 0 on, got -1"),
        (lambda: MeanCost([[0, np.inf], [1, 0]]), "costs must be numbers from 0 on, got inf"),
        (lambda: MeanCost(abstention=-1.0), "abstention must be a number from 0 on, got -1.0"),
        (
            lambda: sg.measure(log_of(9)[0], MeanCost([[0, 1], [1, 0]])),
            r"costs must be 3 rows and columns, one per class \('a', 'b', 'c'\), got 2",
        ),
        (
            lambda: MeanCost().check(Schema((), classes=tuple(range(201)))),
            "costs must be for at most 200 classes, got 201",
        ),
    ],
)
def test_wrong_costs_are_refused(wrong, words):
    with pytest.raises(ParameterError, match=words):
        wrong()

"""FIMT-DD and its kin: equal to their slow twins, and what is particular to them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import model_trees as twins
from oracles.chunks import chunks
from streamgauge import learners
from streamgauge.errors import ParameterError
from streamgauge.types import Feature, Schema

QUICK = {
    "grace": 8,
    "delta": 0.3,
    "tie": 0.35,
    "threshold": 0.6,
    "trial": 6,
    "patience": 20,
}
"""Trees that split and doubt themselves within some dozens of items."""
CASES = {
    "linear": (learners.FIMTDD, twins.FIMTDD, {}),
    "means": (learners.FIMTDD, twins.FIMTDD, {"leaf": "mean"}),
    "long steps": (learners.FIMTDD, twins.FIMTDD, {"rate": 0.1, "decay": 0.0}),
}


def schema(columns):
    values = [None if v is None else tuple(range(v)) for v in columns]
    return Schema(tuple(Feature(f"x{j}", v) for j, v in enumerate(values)), "y")


def agree(case, columns, rows, labels, weights=None):
    """Native answers equal the twin's, one by one; gives the native learner."""
    spec, twin, given = CASES[case]
    native = spec(**{**QUICK, **given}).bind(schema(columns), seed=5)
    slow = twin(columns, seed=5, **{**QUICK, **given})
    answers = native.test_then_train(0, rows, labels, weights)
    for i, (row, label) in enumerate(zip(rows.tolist(), labels.tolist(), strict=True)):
        near = pytest.approx(slow.answer(i, row), rel=1e-7, abs=1e-7, nan_ok=True)
        assert answers[i] == near, i
        weight = 1.0 if weights is None else float(weights[i])
        if not math.isnan(label) and weight > 0:
            slow.learn(row, label, weight)
    return native, slow


@pytest.mark.parametrize("case", CASES)
@given(chunk=chunks("regression", kinds=("plain", "whole"), widest=5))
@settings(deadline=None, max_examples=40)
def test_answers_equal_the_twins_on_any_chunk(case, chunk):
    agree(case, chunk.columns, chunk.rows, chunk.labels, chunk.weights)


def drifting(seed, count=500):
    """A step in one column, which moves to another half-way; one nominal column, some holes."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(count, 4))
    rows[:, 2] = rng.integers(0, 3, count)
    which = np.where(np.arange(count) < count // 2, 0, 1)
    labels = 10.0 * (rows[np.arange(count), which] > 0) + rng.normal(size=count)
    rows[rng.random(rows.shape) < 0.05] = np.nan
    return [None, None, 3, None], rows, labels


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_drifting_stream_gives_the_twins_tree(case, seed):
    columns, rows, labels = drifting(seed)
    native, slow = agree(case, columns, rows, labels)
    vitals = native.vitals()
    assert (vitals["drifts"], vitals["switches"]) == (slow.alarms, slow.switches)
    assert vitals["splits"] > 1
    assert vitals["drifts"] > 0


@pytest.mark.parametrize("case", CASES)
@given(cut=st.integers(0, 500))
@settings(deadline=None, max_examples=15)
def test_saved_at_any_item_it_goes_on_as_if_nothing_had_been(case, cut):
    columns, rows, labels = drifting(4)
    spec, _, given_ = CASES[case]
    whole = spec(**{**QUICK, **given_}).bind(schema(columns), seed=5)
    expected = whole.test_then_train(0, rows, labels)
    first = spec(**{**QUICK, **given_}).bind(schema(columns), seed=5)
    np.testing.assert_array_equal(
        first.test_then_train(0, rows[:cut], labels[:cut]), expected[:cut]
    )
    second = spec(**{**QUICK, **given_}).bind(schema(columns), seed=5)
    second.load(first.save())
    assert second.save() == first.save()
    np.testing.assert_array_equal(
        second.test_then_train(cut, rows[cut:], labels[cut:]), expected[cut:]
    )
    assert second.save() == whole.save()
    assert second.vitals() == whole.vitals()


def test_a_weight_of_three_is_three_items():
    columns, rows, labels = drifting(5, 300)
    spec = learners.FIMTDD(leaf="mean", grace=12, tie=0.3, threshold=1e9)
    one, many = spec.bind(schema(columns)), spec.bind(schema(columns))
    one.learn(rows, labels, np.full(len(labels), 3.0))
    many.learn(np.repeat(rows, 3, axis=0), np.repeat(labels, 3))
    assert one.vitals() == many.vitals()
    assert one.vitals()["splits"] > 5
    np.testing.assert_allclose(one.answer(rows), many.answer(rows), rtol=1e-9)


def test_a_constant_stream_never_splits():
    learner = learners.FIMTDD(grace=10, tie=0.9).bind(schema([None, None]))
    learner.learn(np.ones((5000, 2)), np.ones(5000))
    assert learner.vitals()["leaves"] == 1
    assert learner.answer(np.ones((1, 2))).tolist() == [1.0]


def test_a_frozen_case_keeps_its_answers():
    columns, rows, labels = drifting(6, 400)
    said = {}
    for case, (spec, _, given_) in CASES.items():
        native = spec(**{**QUICK, **given_}).bind(schema(columns), seed=1)
        answers = native.test_then_train(0, rows, labels)
        said[case] = [round(float(x), 6) for x in answers[[1, 50, 399]]]
        said[case].append(round(float(abs(answers - labels)[1:].mean()), 6))
    assert said == FROZEN


FROZEN = {
    "linear": [8.823639, 7.85634, 6.995742, 5.305439],
    "means": [8.823639, 1.058762, -1.132269, 2.178623],
    "long steps": [8.823639, -0.153925, 0.594166, 3.03517],
}
"""Three answers and the mean absolute error, when they were first written down."""


@pytest.mark.parametrize(
    ("what", "wrong"),
    [
        ("grace", 0),
        ("grace", 1.5),
        ("delta", 0.0),
        ("delta", 1.0),
        ("tie", -0.1),
        ("leaf", "median"),
        ("rate", 0.0),
        ("decay", math.nan),
        ("tolerance", -1.0),
        ("threshold", 0.0),
        ("fading", 1.1),
        ("trial", 0),
        ("patience", True),
    ],
)
def test_a_bad_parameter_is_named(what, wrong):
    with pytest.raises(ParameterError, match=f"FIMTDD: {what} must be"):
        learners.FIMTDD(**{what: wrong})

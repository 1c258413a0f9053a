"""What every native learner promises, beyond its own arithmetic."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.chunks import chunks
from samples.examples import examples
from samples.learners import EVERY, WRAPPERS
from streamgauge import learners
from streamgauge.errors import ParameterError
from streamgauge.lazy import members
from streamgauge.testing import check_learner
from streamgauge.types import Feature, Schema

FEATURES = (Feature("size"), Feature("colour", ("red", "green", "blue")), Feature("age"))


def schema_for(spec, features=FEATURES, classes=("a", "b", "c")):
    return Schema(features, "y", classes if spec.task == "classification" else None)


def test_every_learner_is_tested_here():
    here = {type(spec).__name__ for spec in (*EVERY, *WRAPPERS)}
    assert here == set(members("streamgauge.learners"))


@pytest.mark.parametrize("spec", [*EVERY, *WRAPPERS], ids=repr)
@pytest.mark.parametrize("features", [FEATURES, FEATURES[:1], ()], ids=len)
@pytest.mark.parametrize("classes", [("b",), ("a", "b"), ("a", "b", "c")], ids=len)
def test_it_keeps_the_contract(spec, features, classes):
    schema = schema_for(spec, features, classes)
    check_learner(lambda: spec.bind(schema), schema)


def bind(spec, chunk):
    values = [None if v is None else tuple(range(v)) for v in chunk.columns]
    features = tuple(Feature(f"x{j}", v) for j, v in enumerate(values))
    classes = tuple(range(chunk.classes)) if spec.task == "classification" else None
    return spec.bind(Schema(features, "y", classes), seed=3)


@pytest.mark.parametrize("spec", EVERY, ids=repr)
@given(data=st.data())
@settings(deadline=None, max_examples=examples(40))
def test_chunks_scores_and_pickling_change_no_bit(spec, data):
    chunk = data.draw(chunks(spec.task))
    if getattr(spec, "first", None) == "b":
        spec = type(spec)(first=0)
    whole = bind(spec, chunk)
    sheet = np.empty((len(chunk.labels), chunk.classes)) if chunk.classes else None
    expected = whole.test_then_train(10, chunk.rows, chunk.labels, chunk.weights)
    parts, one_by_one, scored = bind(spec, chunk), bind(spec, chunk), bind(spec, chunk)
    predictions = scored.test_then_train(10, chunk.rows, chunk.labels, chunk.weights, sheet)
    np.testing.assert_array_equal(predictions, expected)
    size = data.draw(st.sampled_from([1, 3, 7]))
    for low in range(0, len(expected), size):
        at = slice(low, low + size)
        weights = None if chunk.weights is None else chunk.weights[at]
        parts = pickle.loads(pickle.dumps(parts))
        predictions = parts.test_then_train(10 + low, chunk.rows[at], chunk.labels[at], weights)
        np.testing.assert_array_equal(predictions, expected[at])
        items = np.arange(10 + low, 10 + low + len(predictions), dtype=np.uint64)
        for i, item in enumerate(items, start=low):
            row = chunk.rows[i : i + 1]
            np.testing.assert_array_equal(one_by_one.predict(row, int(item)), expected[i : i + 1])
            if sheet is not None:
                scores = one_by_one.scores(row, items=np.array([item]))
                np.testing.assert_array_equal(scores[0], sheet[i])
            weight = None if chunk.weights is None else chunk.weights[i : i + 1]
            one_by_one.learn(row, chunk.labels[i : i + 1], weight)
    assert parts.save() == whole.save() == one_by_one.save() == scored.save()


@pytest.mark.parametrize("spec", EVERY, ids=repr)
@given(data=st.data())
@settings(deadline=None, max_examples=examples(20))
def test_predictions_are_always_numbers_once_something_was_learned(spec, data):
    chunk = data.draw(chunks(spec.task, kinds=("wild",)))
    if getattr(spec, "first", None) == "b":
        spec = type(spec)(first=0)
    learner = bind(spec, chunk)
    learner.learn(chunk.rows, chunk.labels, chunk.weights)
    weights = np.ones(len(chunk.labels)) if chunk.weights is None else chunk.weights
    known = chunk.labels >= 0 if spec.task == "classification" else ~np.isnan(chunk.labels)
    # eFPT makes no prediction before its first trees.
    enough = spec.warm_start if isinstance(spec, learners.EFPT) else 1
    if (known & (weights > 0)).sum() >= enough:
        predictions = learner.predict(chunk.rows)
        assert np.isfinite(predictions).all()
        if spec.task == "classification":
            assert (predictions >= 0).all()
            assert np.isfinite(learner.scores(chunk.rows)).all()
            np.testing.assert_allclose(learner.scores(chunk.rows).sum(axis=1), 1.0)


@pytest.mark.parametrize("spec", [*EVERY, *WRAPPERS], ids=repr)
def test_the_wrong_target_is_refused_in_a_sentence(spec):
    classes = ("a", "b") if spec.task == "regression" else None
    with pytest.raises(ParameterError, match=r"target must be .*, got 'y' with"):
        spec.bind(Schema(FEATURES, "y", classes))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: learners.Perceptron(learning_rate=0),
            "Perceptron: learning_rate must be a number above 0, got 0",
        ),
        (
            lambda: learners.LogisticRegression(learning_rate=float("nan")),
            "LogisticRegression: learning_rate must be a number above 0, got nan",
        ),
        (
            lambda: learners.LinearRegression(learning_rate=-1.0),
            "LinearRegression: learning_rate must be a number above 0, got -1.0",
        ),
        (
            lambda: learners.RecursiveLeastSquares(ridge=0.0),
            "RecursiveLeastSquares: ridge must be a number above 0, got 0.0",
        ),
        (
            lambda: learners.RecursiveLeastSquares(forgetting_factor=1.5),
            "RecursiveLeastSquares: forgetting_factor must be above 0 and at most 1, got 1.5",
        ),
        (
            lambda: learners.NearestNeighbours(k=0),
            "NearestNeighbours: k must be a whole number from 1 to 1,000,000,000, got 0",
        ),
        (
            lambda: learners.NearestNeighboursRegression(window_size=2.5),  # type: ignore[arg-type]
            "NearestNeighboursRegression: window_size must be a whole number from 1 to "
            "1,000,000,000, got 2.5",
        ),
        (
            lambda: learners.LastValue(first=float("inf")),
            "LastValue: first must be a finite number or None, got inf",
        ),
        (
            lambda: learners.Persistent(first="x").bind(Schema((), "y", ("a", "b"))),
            "Persistent: first must be one of 'a', 'b', got 'x'",
        ),
    ],
)
def test_a_bad_parameter_is_refused_in_a_sentence(make, words):
    with pytest.raises(ParameterError) as error:
        make()
    assert str(error.value) == words


ROWS, LABELS = np.zeros((2, 3)), np.zeros(2, dtype=np.int32)


@pytest.mark.parametrize(
    ("rows", "labels", "weights", "words"),
    [
        (ROWS[:, :2].copy(), LABELS, None, "rows: columns must be 3, got 2"),
        (np.asfortranarray(ROWS), LABELS, None, "rows must be C-contiguous"),
        (ROWS, LABELS[:1], None, "labels must have 2 rows, got 1"),
        (ROWS, LABELS + 3, None, "label must be from 0 to 2, got 3 at row 0"),
        (ROWS, LABELS - 2, None, "label must be from 0 to 2, got -2 at row 0"),
        (ROWS, LABELS.astype(float), None, "labels must be class codes"),
        (ROWS, LABELS, np.ones(1), "weights must have 2 rows, got 1"),
        (ROWS, LABELS, np.array([1.0, -1.0]), "learn: weight must be from 0 to 1e100, got -1"),
        (ROWS, LABELS, np.array([1.0, np.nan]), "learn: weight must be from 0 to 1e100, got NaN"),
        (None, LABELS, None, "this learner needs rows"),
    ],
)
def test_bad_columns_are_refused_in_a_sentence_and_not_learned(rows, labels, weights, words):
    learner = learners.NaiveBayes().bind(schema_for(learners.NaiveBayes()))
    for verb in (learner.learn, lambda *columns: learner.test_then_train(0, *columns)):
        with pytest.raises((ValueError, TypeError), match=words):
            verb(rows, labels, weights)
    assert learner.predict(ROWS).tolist() == [-1, -1]


def test_a_learner_of_labels_needs_no_rows():
    learner = learners.MajorityClass().bind(schema_for(learners.MajorityClass()))
    assert not learner.needs_rows
    assert learner.test_then_train(0, None, LABELS).tolist() == [-1, 0]
    assert learner.predict(np.empty((2, 0))).tolist() == [0, 0]


def test_the_state_of_another_learner_is_refused_and_changes_nothing():
    small = learners.NaiveBayes().bind(Schema(FEATURES[:1], "y", ("a", "b")))
    large = learners.NaiveBayes().bind(Schema(FEATURES, "y", ("a", "b")))
    large.learn(ROWS, LABELS)
    before = large.save()
    for state in (small.save(), before + bytes(8), b""):
        with pytest.raises(ValueError, match="learner: state must be"):
            large.load(state)
        assert large.save() == before


def test_vitals_and_memory_are_reported():
    learner = learners.LogisticRegression().bind(schema_for(learners.LogisticRegression()))
    assert learner.vitals() == {"parameters": 3 * (2 + 3 + 1), "nonzero_parameters": 0}
    assert 0 < learner.memory() < 10_000


def test_draws_depend_on_the_item_and_the_seed_alone():
    schema = Schema((), "y", ("a", "b", "c"))
    labels = np.arange(3000, dtype=np.int32) % 3
    one, other = learners.PriorRandom().bind(schema, 1), learners.PriorRandom().bind(schema, 2)
    one.learn(None, labels)
    other.learn(None, labels)
    rows = np.empty((3000, 0))
    predictions = one.predict(rows, 500)
    np.testing.assert_array_equal(one.predict(rows[:100], 700), predictions[200:300])
    items = np.array([900, 501, 900], dtype=np.uint64)
    np.testing.assert_array_equal(one.predict(rows[:3], items=items), predictions[[400, 1, 400]])
    assert (other.predict(rows, 500) != predictions).mean() == pytest.approx(2 / 3, abs=0.05)
    np.testing.assert_allclose(np.bincount(predictions) / 3000, 1 / 3, atol=0.03)

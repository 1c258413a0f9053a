"""Native learners against scikit-learn and river, where the definitions agree."""

from __future__ import annotations

import numpy as np
import pytest

from streamgauge import learners
from streamgauge.types import Feature, Schema

naive_bayes = pytest.importorskip("sklearn.naive_bayes")
linear_model = pytest.importorskip("river.linear_model")
preprocessing = pytest.importorskip("river.preprocessing")
multiclass = pytest.importorskip("river.multiclass")
dummy = pytest.importorskip("river.dummy")


def clouds(n=1500, width=5, classes=3, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, classes, n).astype(np.int32)
    centres = rng.normal(size=(classes, width))
    scales = rng.uniform(0.5, 50.0, width)
    return (centres[labels] + rng.normal(size=(n, width))) * scales, labels


def numeric(width, classes):
    features = tuple(Feature(f"x{j}") for j in range(width))
    return Schema(features, "y", None if classes is None else tuple(range(classes)))


def test_gaussian_naive_bayes_is_scikit_learns_with_the_sample_variance():
    rows, labels = clouds()
    ours = learners.NaiveBayes().bind(numeric(5, 3))
    ours.learn(rows, labels)
    theirs = naive_bayes.GaussianNB(var_smoothing=0).fit(rows, labels)
    counts = np.bincount(labels)[:, None]
    theirs.var_ *= counts / (counts - 1)  # scikit-learn divides by n
    np.testing.assert_allclose(ours.scores(rows), theirs.predict_proba(rows), atol=1e-9)
    np.testing.assert_array_equal(ours.predict(rows), theirs.predict(rows))


def test_weighted_naive_bayes_is_scikit_learns_on_repeated_items():
    rows, labels = clouds(300)
    weights = np.random.default_rng(1).integers(1, 5, 300)
    ours = learners.NaiveBayes().bind(numeric(5, 3))
    ours.learn(rows, labels, weights.astype(float))
    again = learners.NaiveBayes().bind(numeric(5, 3))
    again.learn(np.repeat(rows, weights, axis=0), np.repeat(labels, weights))
    np.testing.assert_allclose(ours.scores(rows), again.scores(rows), atol=1e-9)


def test_nominal_naive_bayes_is_scikit_learns():
    rng = np.random.default_rng(2)
    rows = rng.integers(0, 4, (800, 6)).astype(float)
    labels = ((rows[:, 0] + rows[:, 3] + rng.integers(0, 2, 800)) % 3).astype(np.int32)
    features = tuple(Feature(f"x{j}", (0, 1, 2, 3)) for j in range(6))
    ours = learners.NaiveBayes().bind(Schema(features, "y", (0, 1, 2)))
    ours.learn(rows, labels)
    theirs = naive_bayes.CategoricalNB(alpha=1.0, min_categories=4).fit(rows, labels)
    np.testing.assert_allclose(ours.scores(rows), theirs.predict_proba(rows), atol=1e-9)
    np.testing.assert_array_equal(ours.predict(rows), theirs.predict(rows))


def walk(model, rows, labels, native):
    """river's predictions before each item, beside ours, once both have met two classes."""
    names = [f"x{j}" for j in range(rows.shape[1])]
    predictions = native.test_then_train(0, rows, labels)
    for i, row in enumerate(rows.tolist()):
        x = dict(zip(names, row, strict=True))
        if len(np.unique(labels[:i])) >= min(2, len(np.unique(labels))):
            yield predictions[i], x
        model.learn_one(x, labels[i].item())


LINEAR = {
    "perceptron": (learners.Perceptron, lambda: linear_model.Perceptron()),
    "logistic": (learners.LogisticRegression, lambda: linear_model.LogisticRegression()),
}


@pytest.mark.parametrize("name", LINEAR)
@pytest.mark.parametrize("standardise", [True, False])
@pytest.mark.parametrize("classes", [2, 4])
def test_linear_learners_of_classes_are_rivers(name, standardise, classes):
    rows, labels = clouds(400, classes=classes, seed=3)
    rows /= 1.0 if standardise else 50.0
    kind, make = LINEAR[name]
    model = make() if classes == 2 else multiclass.OneVsRestClassifier(make())
    if standardise:
        model = preprocessing.StandardScaler() | model
    native = kind(standardise=standardise).bind(numeric(5, classes))
    clear = 0
    for predicted, x in walk(model, rows, labels, native):
        # Logistics that reach 1 tie in river; we compare the values beneath, which do not.
        second, first = sorted(model.predict_proba_one(x).values())[-2:]
        if first - second > 1e-9:
            assert predicted == model.predict_one(x)
            clear += 1
    assert clear > 300
    names = [f"x{j}" for j in range(5)]
    for row in rows[:20]:
        theirs = model.predict_proba_one(dict(zip(names, row.tolist(), strict=True)))
        theirs = [theirs[bool(c) if classes == 2 else c] for c in range(classes)]
        np.testing.assert_allclose(native.scores(row[None])[0], theirs, atol=1e-9)


@pytest.mark.parametrize("standardise", [True, False])
def test_linear_regression_is_rivers(standardise):
    rows, _ = clouds(400, seed=4)
    rows /= 50.0
    labels = rows @ np.arange(1.0, 6.0) + 3.0
    model = linear_model.LinearRegression()
    if standardise:
        model = preprocessing.StandardScaler() | model
    native = learners.LinearRegression(standardise=standardise).bind(numeric(5, None))
    for i, (predicted, x) in enumerate(walk(model, rows, labels, native)):
        if i:
            assert predicted == pytest.approx(model.predict_one(x), rel=1e-9, abs=1e-9)


def test_recursive_least_squares_is_the_batch_solution():
    rows, _ = clouds(200, seed=5)
    labels = rows @ np.arange(1.0, 6.0) + 3.0 + np.random.default_rng(5).normal(size=200)
    native = learners.RecursiveLeastSquares(ridge=1e-9).bind(numeric(5, None))
    native.learn(rows, labels)
    design = np.column_stack([rows, np.ones(200)])
    solution, *_ = np.linalg.lstsq(design, labels)
    np.testing.assert_allclose(native.predict(rows), design @ solution, rtol=1e-8)


def test_baselines_are_rivers():
    rows, labels = clouds(300, seed=6)
    same = learners.Persistent().bind(numeric(5, 3))
    for predicted, x in walk(model := dummy.NoChangeClassifier(), rows, labels, same):
        assert predicted == model.predict_one(x)
    majority = learners.MajorityClass().bind(numeric(5, 3))
    predictions = majority.test_then_train(0, rows, labels)
    counts = np.cumsum(np.eye(3)[labels], axis=0)
    np.testing.assert_array_equal(predictions[1:], counts[:-1].argmax(axis=1))

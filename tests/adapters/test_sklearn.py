"""scikit-learn estimators are driven by partial_fit, one item at a time."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import (
    LinearRegression,
    LogisticRegression,
    Perceptron,
    SGDClassifier,
    SGDRegressor,
)
from sklearn.naive_bayes import MultinomialNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import RobustScaler, StandardScaler

from streamgauge.adapters import adapt
from streamgauge.errors import LearnerError, ParameterError
from streamgauge.types import NONE, Feature, Schema


def schema(classes=("a", "b", "c")):
    return Schema(tuple(Feature(f"x{i}") for i in range(4)), classes=classes)


def items(count, seed=1):
    rng = np.random.default_rng(seed)
    rows = rng.uniform(0, 3, size=(count, 4))
    raw = rows[:, 0] - rows[:, 1]
    return rows, np.digitize(raw, [-0.7, 0.7]).astype(np.int32), raw


def by_hand(model, rows, labels, classes):
    """The loop anybody would write around partial_fit."""
    made, fitted = [], False
    for i in range(len(rows)):
        x, y = rows[i : i + 1], labels[i : i + 1]
        made.append(model.predict(x)[0] if fitted else None)
        if classes is None:
            if not np.isnan(y[0]):
                model.partial_fit(x, y)
                fitted = True
        elif y[0] != NONE:
            model.partial_fit(x, y, classes=np.arange(classes))
            fitted = True
    return made


CLASSIFIERS = {
    "sgd": SGDClassifier(loss="log_loss", random_state=0),
    "perceptron": Perceptron(random_state=0),
    "multinomial": MultinomialNB(),
    "network": MLPClassifier((4,), random_state=0),
}


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_classifier_predicts_as_in_a_loop_by_hand(name):
    rows, labels, _ = items(120)
    labels[[0, 1, 9]] = NONE
    learner = adapt(CLASSIFIERS[name], schema()).fresh(0)
    made = learner.test_then_train(0, rows, labels, None)
    expected = by_hand(adapt(CLASSIFIERS[name], schema()).model, rows, labels, 3)
    assert made.tolist() == [NONE if s is None else s for s in expected]
    assert made[:3].tolist() == [NONE] * 3
    assert (made[3:] != NONE).all()


def test_a_regressor_predicts_as_in_a_loop_by_hand():
    rows, _, labels = items(120)
    labels[[0, 5]] = np.nan
    made = adapt(SGDRegressor(random_state=1), schema(None)).test_then_train(0, rows, labels, None)
    expected = by_hand(SGDRegressor(random_state=1), rows, labels, None)
    np.testing.assert_array_equal(made, [np.nan if s is None else s for s in expected])
    assert np.isnan(made[:2]).all()


def test_batches_of_any_size_and_orders_one_by_one_give_the_same():
    rows, labels, _ = items(100)
    labels[::4] = NONE
    whole = adapt(CLASSIFIERS["sgd"], schema())
    expected = whole.test_then_train(0, rows, labels, None)
    for size in (1, 7, 99):
        learner = adapt(CLASSIFIERS["sgd"], schema())
        parts = [
            learner.test_then_train(i, rows[i : i + size], labels[i : i + size], None)
            for i in range(0, 100, size)
        ]
        np.testing.assert_array_equal(np.concatenate(parts), expected)
    stepwise = adapt(CLASSIFIERS["sgd"], schema())
    made = []
    for i in range(100):
        made.append(stepwise.predict(rows[i : i + 1])[0])
        stepwise.learn(rows[i : i + 1], labels[i : i + 1], np.ones(1))
    assert made == expected.tolist()
    at_once = adapt(CLASSIFIERS["sgd"], schema())
    at_once.learn(rows, labels, np.ones(100))
    np.testing.assert_array_equal(at_once.predict(rows), stepwise.predict(rows))


def test_scores_are_predict_proba_and_none_before_the_first_label():
    rows, labels, _ = items(60)
    labels[0] = NONE
    scores = np.empty((60, 3))
    learner = adapt(CLASSIFIERS["sgd"], schema())
    made = learner.test_then_train(0, rows, labels, None, scores)
    assert np.isnan(scores[:2]).all()
    np.testing.assert_allclose(scores[2:].sum(axis=1), 1)
    plain = adapt(CLASSIFIERS["sgd"], schema()).test_then_train(0, rows, labels, None)
    np.testing.assert_array_equal(made, plain)
    np.testing.assert_array_equal(learner.scores(rows), learner.model.predict_proba(rows))
    assert np.isnan(learner.fresh(0).scores(rows)).all()
    assert not adapt(Perceptron(), schema()).has_scores
    with pytest.raises(ParameterError, match="Perceptron: must have predict_proba"):
        adapt(Perceptron(), schema()).scores(rows)


def test_weights_become_sample_weight():
    rows, labels, _ = items(50)
    weights = np.tile([1.0, 2.5], 25)
    made = adapt(CLASSIFIERS["sgd"], schema()).test_then_train(0, rows, labels, weights)
    twin, expected = adapt(CLASSIFIERS["sgd"], schema()).model, [NONE]
    for i in range(50):
        if i:
            expected.append(twin.predict(rows[i : i + 1])[0])
        twin.partial_fit(
            rows[i : i + 1], labels[i : i + 1], classes=range(3), sample_weight=weights[i : i + 1]
        )
    assert made.tolist() == expected


def test_an_estimator_that_takes_no_weight_raises_its_own_error():
    class Weightless(Perceptron):
        def partial_fit(self, X, y, classes=None):
            return super().partial_fit(X, y, classes)

    rows, labels, _ = items(5)
    with pytest.raises(LearnerError, match=r"partial_fit failed at item 7 .*sample_weight") as at:
        adapt(Weightless(), schema()).test_then_train(5, rows, labels, np.array([1, 1, 2, 1, 1.0]))
    assert len(at.value.predictions) == 3
    with pytest.raises(LearnerError, match=r"partial_fit failed at item 5 .*sample_weight") as at:
        adapt(Weightless(), schema()).test_then_train(5, rows, labels, np.array([2, 1, 1, 1, 1.0]))
    assert at.value.predictions.tolist() == [NONE]


def test_random_state_is_set_only_where_it_is_none_and_reported():
    learner = adapt(SGDClassifier(), schema()).fresh(2**40 + 5)
    assert learner.model.random_state == 5
    assert learner.notes == ("SGDClassifier had no random_state: it was given 5",)
    kept = adapt(SGDClassifier(random_state=3), schema()).fresh(9)
    assert kept.model.random_state == 3
    assert kept.notes == ()


def test_fresh_knows_nothing_and_the_users_estimator_is_left_alone():
    rows, labels, _ = items(20)
    model = SGDClassifier()
    learner = adapt(model, schema())
    learner.learn(rows, labels, np.ones(20))
    assert (learner.predict(rows) != NONE).all()
    assert (learner.fresh(1).predict(rows) == NONE).all()
    assert not hasattr(model, "coef_")
    assert model.random_state is None


@pytest.mark.parametrize(
    ("model", "classes", "sentence"),
    [
        (LogisticRegression(), ("a", "b"), "LogisticRegression: must have partial_fit"),
        (
            make_pipeline(StandardScaler(), LogisticRegression()),
            ("a", "b"),
            r"Pipeline: must have partial_fit .* \(the step LogisticRegression\)",
        ),
        (
            make_pipeline(RobustScaler(), Perceptron()),
            ("a", "b"),
            r"Pipeline: must have partial_fit .* \(the step RobustScaler\)",
        ),
        (SGDRegressor(), ("a", "b"), "must be a classifier on a stream with 2 classes"),
        (SGDClassifier(), None, "must be a regressor on a stream with a real target"),
        (StandardScaler(), None, "got a StandardScaler"),
        (SGDClassifier, ("a", "b"), "must be an object, got the class"),
        (LinearRegression(), None, "LinearRegression: must have partial_fit"),
    ],
)
def test_an_unsuitable_estimator_is_refused_before_the_run(model, classes, sentence):
    with pytest.raises(ParameterError, match=sentence):
        adapt(model, schema(classes))


def test_missing_cells_are_taken_if_the_estimator_declares_it():
    class Lenient(Perceptron):
        def __sklearn_tags__(self):
            tags = super().__sklearn_tags__()
            tags.input_tags.allow_nan = True
            return tags

    assert adapt(Lenient(), schema()).takes_missing
    assert not adapt(Perceptron(), schema()).takes_missing

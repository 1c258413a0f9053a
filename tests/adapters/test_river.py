"""Adapted river models give the same predictions as in river."""

from __future__ import annotations

from copy import deepcopy

import numpy as np
import pytest
from river import (
    base,
    compose,
    dummy,
    ensemble,
    evaluate,
    linear_model,
    metrics,
    multiclass,
    naive_bayes,
    preprocessing,
    stats,
    tree,
)

from streamgauge.adapters import adapt
from streamgauge.errors import LearnerError, ParameterError
from streamgauge.types import NONE, Feature, Schema

NAMES = ("a", "b", "c", "d")


def schema(classes=(0, 1), nominal=None):
    features = tuple(Feature(name) for name in NAMES)
    if nominal:
        features = (*features[:-1], Feature("d", nominal))
    return Schema(features, classes=classes)


def items(count, classes=2, nominal=None, seed=1):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(count, len(NAMES)))
    if nominal:
        rows[:, -1] = rng.integers(len(nominal), size=count)
    raw = rows[:, 0] + rows[:, 1] * rows[:, 3] + rng.normal(scale=0.3, size=count)
    edges = np.quantile(raw, np.linspace(0, 1, classes + 1)[1:-1])
    return rows, np.digitize(raw, edges).astype(np.int32), raw


def named(schema, row):
    """A row as one would write it down by hand."""
    return {
        feature.name: None
        if np.isnan(cell)
        else (float(cell) if feature.values is None else feature.values[int(cell)])
        for feature, cell in zip(schema.features, row, strict=True)
    }


def by_hand(model, schema, rows, labels):
    """The loop anybody would write around river."""
    model = deepcopy(model.clone())
    made = []
    for row, label in zip(rows, labels, strict=True):
        x = named(schema, row)
        made.append(model.predict_one(x))
        if schema.classes is None:
            if not np.isnan(label):
                model.learn_one(x, float(label))
        elif label != NONE:
            model.learn_one(x, schema.classes[label])
    if schema.classes is None:
        return np.array([np.nan if s is None else s for s in made])
    return np.array([NONE if s is None else schema.classes.index(s) for s in made])


CLASSIFIERS = {
    "no change": dummy.NoChangeClassifier(),
    "naive Bayes": naive_bayes.GaussianNB(),
    "tree": tree.HoeffdingTreeClassifier(grace_period=20),
    "scaler | softmax": preprocessing.StandardScaler() | linear_model.SoftmaxRegression(),
    "scaler | one against the rest": preprocessing.StandardScaler()
    | multiclass.OneVsRestClassifier(linear_model.LogisticRegression()),
    "bagged trees": ensemble.BaggingClassifier(
        tree.HoeffdingTreeClassifier(grace_period=20), n_models=3, seed=5
    ),
    "a pipeline with a union": (
        (compose.Select("a", "b") | preprocessing.MinMaxScaler())
        + (compose.Select("c", "d") | preprocessing.StandardScaler())
    )
    | naive_bayes.GaussianNB(),
}


@pytest.mark.parametrize("classes", [(0, 1), ("low", "high"), ("x", "y", "z"), (7, -1, 3)])
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_classifier_predicts_as_in_a_loop_by_hand(name, classes):
    model, what = CLASSIFIERS[name], schema(classes)
    rows, labels, _ = items(400, len(classes))
    labels[::7] = NONE
    expected = by_hand(model, what, rows, labels)
    learner = adapt(model, what).fresh(3)
    made = learner.test_then_train(0, rows, labels, None)
    assert made.dtype == np.int32
    np.testing.assert_array_equal(made, expected)


@pytest.mark.parametrize("classes", [(0, 1), (False, True), (1, 0)])
def test_a_binary_model_gets_zero_and_one_unchanged(classes):
    model = preprocessing.StandardScaler() | linear_model.LogisticRegression()
    rows, labels, _ = items(400)
    learner = adapt(model, schema(classes)).fresh(0)
    made = learner.test_then_train(0, rows, labels, None)
    np.testing.assert_array_equal(made, by_hand(model, schema(classes), rows, labels))
    assert learner.notes == ()


def test_a_binary_model_learns_other_names_as_false_and_true_with_a_note():
    model = preprocessing.StandardScaler() | linear_model.LogisticRegression()
    rows, labels, _ = items(400)
    learner = adapt(model, schema(("DOWN", "UP"))).fresh(0)
    made = learner.test_then_train(0, rows, labels, None)
    np.testing.assert_array_equal(made, by_hand(model, schema((False, True)), rows, labels))
    assert learner.notes == (
        "StandardScaler | LogisticRegression is a binary classifier: "
        "it gets 'DOWN' as False, 'UP' as True",
    )


def test_a_binary_model_refuses_three_classes_before_it_starts():
    with pytest.raises(ParameterError, match=r"3 classes.*OneVsRestClassifier"):
        adapt(linear_model.LogisticRegression(), schema(("a", "b", "c")))


@pytest.mark.parametrize(
    "model",
    [
        preprocessing.StandardScaler() | linear_model.LinearRegression(),
        tree.HoeffdingTreeRegressor(grace_period=20),
        dummy.StatisticRegressor(stats.Mean()),
    ],
    ids=str,
)
def test_a_regressor_predicts_as_in_a_loop_by_hand(model):
    what = schema(None)
    rows, _, labels = items(400)
    labels[::5] = np.nan
    made = adapt(model, what).fresh(0).test_then_train(0, rows, labels, None)
    assert made.dtype == np.float64
    np.testing.assert_array_equal(made, by_hand(model, what, rows, labels))


def test_nominal_cells_are_the_users_own_values():
    colours = ("red", "green", "blue")
    what = schema(("no", "yes"), colours)
    rows, labels, _ = items(300, nominal=colours)
    for model in (
        tree.HoeffdingTreeClassifier(grace_period=20, nominal_attributes=["d"]),
        preprocessing.OneHotEncoder() | naive_bayes.BernoulliNB(),
    ):
        made = adapt(model, what).fresh(0).test_then_train(0, rows, labels, None)
        np.testing.assert_array_equal(made, by_hand(model, what, rows, labels))


class Diary(base.Classifier):
    """Keeps all it was shown, so that a row used twice would give itself away."""

    def __init__(self):
        self.seen = []

    @property
    def _multiclass(self):
        return True

    def learn_one(self, x, y):
        self.seen.append((x, y))

    def predict_one(self, x):
        self.seen.append((x, None))


def test_each_item_is_a_dict_of_its_own_with_none_for_missing_cells():
    what = schema(("no", "yes"), ("red", "blue"))
    rows = np.array([[1, 2, 3, 0], [4, np.nan, 6, 1], [7, 8, 9, np.nan]], dtype=float)
    learner = adapt(Diary(), what)
    made = learner.test_then_train(0, rows, np.array([1, NONE, 0], dtype=np.int32), None)
    first, second, third = (
        {"a": 1.0, "b": 2.0, "c": 3.0, "d": "red"},
        {"a": 4.0, "b": None, "c": 6.0, "d": "blue"},
        {"a": 7.0, "b": 8.0, "c": 9.0, "d": None},
    )
    seen = learner.model.seen
    assert seen == [(first, None), (first, "yes"), (second, None), (third, None), (third, "no")]
    assert len({id(x) for x, _ in seen}) == 3
    assert all(type(x["a"]) is float for x, _ in seen)
    assert made.tolist() == [NONE] * 3


class Contrary(naive_bayes.GaussianNB):
    """Its prediction is not the class it gives the highest score."""

    def predict_one(self, x):
        scores = self.predict_proba_one(x)
        return min(scores, key=scores.get) if scores else None


@pytest.mark.parametrize(
    "model",
    [
        naive_bayes.GaussianNB(),
        tree.HoeffdingTreeClassifier(grace_period=20),
        Contrary(),
        preprocessing.StandardScaler() | Contrary(),
        preprocessing.StandardScaler() | naive_bayes.GaussianNB(),
    ],
    ids=str,
)
def test_scores_are_predict_proba_one_and_do_not_change_predictions(model):
    what = schema(("x", "y", "z"))
    rows, labels, _ = items(200, 3)
    scores = np.empty((200, 3))
    made = adapt(model, what).test_then_train(0, rows, labels, None, scores)
    np.testing.assert_array_equal(made, by_hand(model, what, rows, labels))
    twin = model.clone()
    for row, label, score in zip(rows, labels, scores, strict=True):
        given = twin.predict_proba_one(named(what, row))
        expected = [given.get(value, 0.0) for value in what.classes] if given else [np.nan] * 3
        np.testing.assert_array_equal(score, expected)
        twin.learn_one(named(what, row), what.classes[label])


def test_a_model_without_probabilities_declares_no_scores():
    rows, _, _ = items(5)
    model = ensemble.VotingClassifier([naive_bayes.GaussianNB(), dummy.PriorClassifier()])
    learner = adapt(model, schema())
    assert not learner.has_scores
    assert adapt(naive_bayes.GaussianNB(), schema()).has_scores
    with pytest.raises(LearnerError, match="gives no scores"):
        learner.scores(rows)


def test_rows_need_not_be_contiguous():
    rows, labels, _ = items(100)
    wide = np.repeat(rows, 2, axis=1)[:, ::2]
    model = naive_bayes.GaussianNB()
    made = adapt(model, schema()).test_then_train(0, wide, labels, None)
    np.testing.assert_array_equal(made, by_hand(model, schema(), rows, labels))


def test_predictions_are_derived_from_scores_if_river_does_the_same():
    class Counting(naive_bayes.GaussianNB):
        predicted = 0

        def predict_proba_one(self, x):
            self.predicted += 1
            return super().predict_proba_one(x)

    rows, labels, _ = items(50)
    learner = adapt(Counting(), schema())
    learner.test_then_train(0, rows, labels, None, np.empty((50, 2)))
    assert learner.model.predicted == 50


def test_accuracy_equals_that_of_river_without_missing_predictions():
    rows, labels, _ = items(1000)
    for model in (
        dummy.NoChangeClassifier(),
        naive_bayes.GaussianNB(),
        tree.HoeffdingTreeClassifier(grace_period=50),
        preprocessing.StandardScaler() | linear_model.LogisticRegression(),
    ):
        made = adapt(model, schema()).fresh(0).test_then_train(0, rows, labels, None)
        dataset = (
            (named(schema(), row), int(label)) for row, label in zip(rows, labels, strict=True)
        )
        metric = evaluate.progressive_val_score(dataset, model.clone(), metrics.Accuracy())
        given = made != NONE
        assert (made[given] == labels[given]).mean() == metric.get()


def test_predicting_does_not_train_even_in_a_pipeline():
    rows, labels, _ = items(300)
    model = preprocessing.StandardScaler() | linear_model.LogisticRegression()
    quiet, predicted = adapt(model, schema()), adapt(model, schema())
    for start in range(0, 300, 50):
        part = slice(start, start + 50)
        for _ in range(3):
            predicted.predict(rows)
            predicted.scores(rows)
        quiet.learn(rows[part], labels[part], np.ones(50))
        predicted.learn(rows[part], labels[part], np.ones(50))
    np.testing.assert_array_equal(quiet.scores(rows), predicted.scores(rows))


def test_weights_other_than_one_are_passed_on():
    rows, labels, _ = items(200)
    weights = np.tile([1.0, 3.0], 100)
    learner = adapt(tree.HoeffdingTreeClassifier(), schema())
    made = learner.test_then_train(0, rows, labels, weights)
    twin, expected = tree.HoeffdingTreeClassifier(), []
    for row, label, weight in zip(rows, labels, weights, strict=True):
        prediction = twin.predict_one(named(schema(), row))
        expected.append(NONE if prediction is None else prediction)
        twin.learn_one(named(schema(), row), int(label), w=weight)
    assert made.tolist() == expected


def test_a_model_that_takes_no_weight_raises_its_own_error():
    rows, labels, _ = items(10)
    weights = np.ones(10)
    weights[4] = 2
    with pytest.raises(LearnerError, match=r"learn_one failed at item 104.*TypeError") as caught:
        adapt(naive_bayes.GaussianNB(), schema()).test_then_train(100, rows, labels, weights)
    assert caught.value.item == 104
    assert len(caught.value.predictions) == 5


class Faulty(dummy.NoChangeClassifier):
    """Fails at the n-th prediction."""

    def __init__(self, n=5, say=None):
        super().__init__()
        self.n = n
        self.say = say
        self.predicted = 0

    def predict_one(self, x):
        self.predicted += 1
        if self.predicted == self.n:
            if self.say is None:
                raise ZeroDivisionError("no luck")
            return self.say
        return super().predict_one(x)


def test_a_failure_names_model_method_and_item_and_keeps_predictions():
    rows, labels, _ = items(10)
    with pytest.raises(LearnerError) as caught:
        adapt(Faulty(), schema()).test_then_train(4317, rows, labels, None)
    error = caught.value
    assert str(error) == (
        "Faulty: predict_one failed at item 4,321 (fold 0): ZeroDivisionError: no luck"
    )
    assert isinstance(error.__cause__, ZeroDivisionError)
    assert error.predictions.tolist() == [NONE, *labels[:3].tolist()]


@pytest.mark.parametrize("say", ["maybe", 2, 0.5, {"a": 1}, [1]])
def test_a_prediction_that_is_no_class_is_an_error_that_names_it(say):
    rows, labels, _ = items(10)
    with pytest.raises(
        LearnerError, match="DataError: prediction must be one of the classes"
    ) as caught:
        adapt(Faulty(say=say), schema()).test_then_train(0, rows, labels, None)
    assert f"(0, 1) or None, got {say!r}" in str(caught.value)
    assert caught.value.item == 4


def test_fresh_knows_nothing_and_leaves_the_users_model_alone():
    rows, labels, _ = items(100)
    model = naive_bayes.GaussianNB()
    learner = adapt(model, schema())
    learner.learn(rows, labels, np.ones(100))
    assert (learner.predict(rows) != NONE).all()
    assert (learner.fresh(1).predict(rows) == NONE).all()
    assert model.predict_one(named(schema(), rows[0])) is None


def test_a_seed_is_set_only_where_there_is_none_and_reported():
    inner = tree.HoeffdingAdaptiveTreeClassifier(seed=8)
    model = preprocessing.StandardScaler() | ensemble.BaggingClassifier(inner, n_models=2)
    learner = adapt(model, schema()).fresh(77)
    bagging = learner.model["BaggingClassifier"]
    assert (bagging.seed, bagging.model.seed) == (77, 8)
    assert learner.notes == ("BaggingClassifier had no seed: it was given 77",)
    votes = ensemble.VotingClassifier(
        [ensemble.BaggingClassifier(naive_bayes.GaussianNB()), naive_bayes.GaussianNB()]
    )
    learner = adapt(votes, schema()).fresh(5)
    assert learner.model.models[0].seed == 5
    assert votes.models[0].seed is None


def test_fresh_models_share_nothing_though_river_clones_share_args():
    imputer = preprocessing.StatImputer(*[(name, stats.Mean()) for name in NAMES])
    rows, labels, _ = items(50)
    learner = adapt(imputer | naive_bayes.GaussianNB(), schema())
    learner.fresh(0).learn(rows, labels, np.ones(50))
    learner.learn(rows, labels, np.ones(50))
    mean = learner.fresh(0).model["StatImputer"].stats["a"]
    assert mean.n == 0


def test_the_same_seed_gives_the_same_predictions():
    rows, labels, _ = items(300)
    model = ensemble.BaggingClassifier(tree.HoeffdingTreeClassifier(grace_period=10), n_models=2)
    first, again, other = (
        adapt(model, schema()).fresh(seed).test_then_train(0, rows, labels, None)
        for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


@pytest.mark.parametrize(
    ("model", "classes", "sentence"),
    [
        (linear_model.LinearRegression(), (0, 1), "must be a river classifier.*got a regressor"),
        (naive_bayes.GaussianNB(), None, "must be a river regressor.*got a classifier"),
        (preprocessing.StandardScaler(), (0, 1), "must be a river classifier.*got a transformer"),
        (naive_bayes.GaussianNB, (0, 1), r"must be an object, got the class.*GaussianNB\(…\)"),
    ],
)
def test_a_model_for_another_task_is_refused_before_the_run(model, classes, sentence):
    with pytest.raises(ParameterError, match=sentence):
        adapt(model, schema(classes))


def test_missing_cells_are_taken_by_imputers_and_by_models_that_ignore_features():
    imputer = preprocessing.StatImputer(*[(name, stats.Mean()) for name in NAMES])
    assert adapt(imputer | naive_bayes.GaussianNB(), schema()).takes_missing
    assert adapt(dummy.NoChangeClassifier(), schema()).takes_missing
    assert not adapt(naive_bayes.GaussianNB(), schema()).takes_missing
    rows, labels, _ = items(200)
    rows[::3, 1] = np.nan
    model = imputer | naive_bayes.GaussianNB()
    made = adapt(model, schema()).test_then_train(0, rows, labels, None)
    np.testing.assert_array_equal(made, by_hand(model, schema(), rows, labels))

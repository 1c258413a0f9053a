"""`Selecting`: what the learner inside gets, in every protocol, and what the log holds."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field

import numpy as np
import pytest
from sklearn.linear_model import SGDClassifier

import streamgauge as sg
from streamgauge.errors import ParameterError, UnknownNameError
from streamgauge.learners import NaiveBayes, Perceptron, Resetting, Selecting, TemporalCorrection
from streamgauge.names import make
from streamgauge.selectors import FIRES, OFS, AllFeatures, LargestVariance, RandomFeatures
from streamgauge.testing import check_learner
from streamgauge.types import Feature, Schema

DRAW = np.random.default_rng(0)
X = DRAW.normal(size=(600, 8))
Y = X[:, 2] - X[:, 5] > 0
STREAM = sg.streams.from_arrays(X, Y)
QUICK = FIRES(n_features=2, batch_size=20)


@dataclass
class Spy:
    """A model that keeps what it gets: rows to predict and to learn."""

    predicted: list = field(default_factory=list)
    learned: list = field(default_factory=list)

    def predict(self, x):
        self.predicted.append(x.tolist())
        return False

    def learn(self, x, y):
        self.learned.append(x.tolist())


def predictions(log):
    """All predictions, whatever the batches of the log are."""
    return np.concatenate([pairs.prediction for pairs in log.labelled_predictions()])


def sets_after(log, count):
    """The features selected after each of the first items learned, by the log."""
    rows = log.selections()
    found, now = [], None
    changes = {int(i): f.tolist() for i, f in zip(rows.item, rows.features, strict=True)}
    for item in range(count):
        now = changes.get(item, now)
        found.append(now)
    return found


def test_an_item_is_predicted_and_learned_with_the_features_selected_before_its_label():
    log, kept = sg.run(STREAM, Selecting(QUICK, Spy()), keep_learner=True)
    before = [[0, 1], *sets_after(log, len(X))[:-1]]
    expected = np.zeros_like(X)
    for row, selected in enumerate(before):
        expected[row, selected] = X[row, selected]
    np.testing.assert_array_equal(kept.learner.model.predicted, expected)
    np.testing.assert_array_equal(kept.learner.model.learned, expected)


@pytest.mark.parametrize(
    "learner",
    [Perceptron(), "river:linear_model.LogisticRegression()", SGDClassifier(random_state=0)],
    ids=["native", "river", "sklearn"],
)
@pytest.mark.parametrize("selector", [QUICK, OFS(2), RandomFeatures(3, every=50)], ids=repr)
def test_it_equals_its_learner_on_rows_masked_by_hand(learner, selector):
    log = sg.run(STREAM, Selecting(selector, learner), seed=3)
    # The learner of the run is made with the same seed, so selections can be made again.
    after = sets_after(log, len(X))
    start = selector.bind(STREAM.schema).selected()
    first = np.flatnonzero(start).tolist()
    if isinstance(selector, RandomFeatures):  # its first set depends on the seed of the run
        first = after[0]
    masked = np.zeros_like(X)
    for row, selected in enumerate([first, *after[:-1]]):
        masked[row, selected] = X[row, selected]
    alone = sg.run(sg.streams.from_arrays(masked, Y), learner, seed=3)
    np.testing.assert_array_equal(predictions(log), predictions(alone))


def test_all_features_change_nothing():
    log = sg.run(STREAM, Selecting(AllFeatures(), Perceptron()))
    plain = sg.run(STREAM, Perceptron())
    np.testing.assert_array_equal(predictions(log), predictions(plain))
    assert log.selections().item.tolist() == [0]
    assert np.isnan(sg.feature_selection.stability(log).final)
    assert sg.feature_selection.reduction_rate(log).final == 0.0


def test_a_late_item_is_learned_with_the_current_features():
    stream = sg.streams.delay(STREAM, 30)
    log = sg.run(stream, Selecting(QUICK, "naive_bayes"), "delayed")
    in_order = sg.run(STREAM, Selecting(QUICK, "naive_bayes"))
    # The selector sees the same labels in the same order: its selections are the same.
    assert log.selections().item.tolist() == in_order.selections().item.tolist()
    assert [f.tolist() for f in log.selections().features] == [
        f.tolist() for f in in_order.selections().features
    ]


def test_missing_is_another_value_of_features_that_are_not_selected():
    selecting = Selecting(LargestVariance(1, every=1), NaiveBayes(), unselected="missing")
    bound = selecting.bind(Schema((Feature("a"), Feature("b", ("u", "v"))), "y", (0, 1)))
    rows, labels = np.array([[1.0, 0.0], [5.0, 1.0]]), np.array([0, 1], np.int32)
    bound.test_then_train(0, rows, labels)
    by_hand = NaiveBayes().bind(Schema((Feature("a"), Feature("b", ("u", "v"))), "y", (0, 1)))
    by_hand.learn(np.array([[1.0, np.nan], [5.0, np.nan]]), labels)
    assert bound.learner.save() == by_hand.save()


def test_missing_is_refused_for_a_model_that_takes_no_missing_values():
    selecting = Selecting(QUICK, SGDClassifier(), unselected="missing")
    with pytest.raises(ParameterError, match="unselected must be 'zero', got 'missing'"):
        sg.run(STREAM, selecting)


@pytest.mark.parametrize(
    "learner",
    [
        Selecting(),
        Selecting(OFS(2), "hoeffding_tree(grace_period=10)"),
        Selecting(RandomFeatures(1, every=3), "naive_bayes", unselected="missing"),
        Selecting(LargestVariance(2, every=5), "linear_regression"),
    ],
    ids=repr,
)
def test_it_keeps_the_contract_of_learners(learner):
    real = learner.task == "regression"
    features = Feature("a"), Feature("b", ("u", "v", "w")), Feature("c")
    schema = Schema(features, "y", None if real else ("no", "yes", "maybe"))
    check_learner(lambda: learner.bind(schema), schema)


@pytest.mark.parametrize("count", [9, 100])
@pytest.mark.parametrize("kind", [FIRES, OFS, RandomFeatures, LargestVariance])
def test_more_features_than_there_are_is_one_sentence(kind, count):
    sentence = (
        f"^{kind.__name__}: n_features must be at most 8, the number of features of the stream, "
        f"got {count}$"
    )
    with pytest.raises(ParameterError, match=sentence):
        sg.run(STREAM, Selecting(kind(n_features=count), "naive_bayes"))


@pytest.mark.parametrize("wrong", [0, -1, 2.5, True, "many"])
def test_a_number_of_features_that_is_none_is_refused_at_construction(wrong):
    with pytest.raises(ParameterError, match="FIRES: n_features must be"):
        FIRES(n_features=wrong)


def test_a_selector_for_classes_refuses_a_real_target():
    stream = sg.streams.from_arrays(X, X[:, 0])
    with pytest.raises(ParameterError, match="FIRES: target must be one of classes"):
        sg.run(stream, Selecting(QUICK, "linear_regression"))
    log = sg.run(stream, Selecting(LargestVariance(2), "linear_regression"))
    assert sg.feature_selection.reduction_rate(log).final == 0.75


def test_what_is_no_selector_is_refused():
    with pytest.raises(ParameterError, match=r"a selector must be one of streamgauge\.selectors"):
        Selecting(NaiveBayes())
    with pytest.raises(ParameterError, match="unselected must be one of zero, missing"):
        Selecting(unselected="nothing")


def test_it_is_a_text_on_the_command_line_and_in_experiments():
    text = "selecting(fires(n_features=5), perceptron)"
    assert make("learner", text) == Selecting(FIRES(5), Perceptron())
    assert make("learner", "selecting('ofs', nb)") == Selecting(OFS(), NaiveBayes())
    assert sg.run(STREAM, text).about["learner"] == text
    with pytest.raises(UnknownNameError, match="it is a selector and belongs in selecting"):
        make("learner", "fires")


def test_around_a_detector_and_inside_of_one_selections_are_in_the_log():
    y = Y ^ (np.arange(len(X)) >= 300)
    stream = sg.streams.from_arrays(X, y)
    log = sg.run(stream, Resetting(Selecting(QUICK, NaiveBayes()), "ddm"))
    alarms = log.alarms().alarms.tolist()
    assert alarms
    # The new learner begins with the first features again.
    assert log.selections().features[log.selections().item.tolist().index(alarms[0])].tolist() == [
        0,
        1,
    ]
    inside = sg.run(stream, Selecting(QUICK, Resetting(NaiveBayes(), "ddm")))
    assert len(inside.alarms().alarms)
    assert len(inside.selections())
    corrected = sg.run(stream, TemporalCorrection(Selecting(QUICK, NaiveBayes())))
    assert len(corrected.selections()) > 1


def test_it_pickles_and_goes_on():
    schema = STREAM.schema
    one = Selecting(QUICK, "hoeffding_tree(grace_period=10)").bind(schema, 3)
    labels = Y.astype(np.int32)
    one.test_then_train(0, X[:110], labels[:110])
    other = pickle.loads(pickle.dumps(one))
    np.testing.assert_array_equal(
        one.test_then_train(110, X[110:], labels[110:]),
        other.test_then_train(110, X[110:], labels[110:]),
    )
    assert [(i, f.tolist()) for i, f in one.selections()] == [
        (i, f.tolist()) for i, f in other.selections()
    ]


class Second:
    """A selector of one's own: always the second feature."""

    def bind(self, schema, seed):
        self.width = len(schema.features)
        return self

    def selected(self):
        return np.arange(self.width) == 1

    def learn(self, row, label, weight):
        pass

    def fresh(self, seed):
        return self


def test_a_selector_of_ones_own_is_used():
    log = sg.run(STREAM, Selecting(Second(), "naive_bayes"))
    assert [f.tolist() for f in log.selections().features] == [[1]]
    frequencies = sg.feature_selection.frequencies(log)
    assert frequencies == {name: float(name == "x1") for name in STREAM.schema.names}


def test_what_an_own_selector_returns_is_checked():
    class Wrong(Second):
        def selected(self):
            return [1, 0]

    with pytest.raises(ParameterError, match="selected must return 8 booleans, one per feature"):
        sg.run(STREAM, Selecting(Wrong(), "naive_bayes"))
    with pytest.raises(ParameterError, match="bind must return an object with selected, learn"):
        sg.run(STREAM, Selecting(type("Empty", (), {"bind": lambda s, a, b: object()})(), "nb"))


def test_vitals_and_memory_include_the_selector():
    bound = Selecting(QUICK, Perceptron()).bind(STREAM.schema)
    bound.learn(X[:40], Y[:40].astype(np.int32))
    assert bound.vitals()["selected_features"] == 2
    assert bound.memory() > Perceptron().bind(STREAM.schema).memory()

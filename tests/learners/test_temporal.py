"""Learners that look at the labels before: held against slow twins, under delay, and wrapped."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import temporal as slow
from streamgauge import learners, measure, run, streams
from streamgauge.errors import LearnerError, ParameterError
from streamgauge.names import make
from streamgauge.testing import check_learner
from streamgauge.types import Feature, Op, Orders, Schema

SCHEMA = Schema((Feature("x"),), "y", ("a", "b", "c"))
codes = st.lists(st.integers(-1, 2), max_size=60).map(lambda y: np.array(y, np.int32))


def rows_for(labels, seed=0):
    noise = np.random.default_rng(seed).normal(size=len(labels))
    return (labels * 0.3 + noise).reshape(-1, 1)


@pytest.mark.parametrize("columns", ["nominal", "indicators"])
@pytest.mark.parametrize("pad", [None, "b"])
@given(labels=codes, order=st.integers(1, 4))
def test_the_learner_inside_sees_the_labels_before(columns, pad, labels, order):
    spec = learners.TemporallyAugmented(order=order, pad=pad, columns=columns)
    learner = spec.bind(SCHEMA)
    x = rows_for(labels)
    predictions = learner.test_then_train(0, x, labels)
    wide = np.array(slow.columns(labels.tolist(), order, 3 if pad is None else 1)).reshape(
        -1, order
    )
    values = ("a", "b", "c") if pad else ("a", "b", "c", "none")
    more = [Feature(f"l{j}", values) for j in range(order)]
    if columns == "indicators":
        wide = (wide[:, :, None] == np.arange(3)).reshape(len(labels), 3 * order)
        more = [Feature(f"l{j}") for j in range(3 * order)]
    twin = learners.NaiveBayes().bind(Schema((Feature("x"), *more), "y", SCHEMA.classes))
    expected = twin.test_then_train(0, np.ascontiguousarray(np.hstack([x, wide])), labels)
    np.testing.assert_array_equal(predictions, expected)


@given(labels=codes)
def test_the_correction_is_the_slow_twin(labels):
    x = rows_for(labels)
    sheet, own = np.empty((len(labels), 3)), np.empty((len(labels), 3))
    learners.NaiveBayes().bind(SCHEMA).test_then_train(0, x, labels, None, sheet)
    learner = learners.TemporalCorrection().bind(SCHEMA)
    predicted = learner.test_then_train(0, x, labels, None, own)
    predictions, scores = slow.corrected(sheet.tolist(), labels.tolist(), 3)
    np.testing.assert_array_equal(predicted, predictions)
    np.testing.assert_allclose(own, np.array(scores).reshape(-1, 3), rtol=1e-12)


BOTH = [
    learners.TemporallyAugmented(),
    learners.TemporallyAugmented(learners.Perceptron(), order=3, columns="indicators"),
    learners.TemporalCorrection(),
    learners.TemporalCorrection(learners.MajorityClass()),
    learners.TemporalCorrection(learners.TemporallyAugmented(order=2)),
]


@pytest.mark.parametrize("spec", BOTH, ids=lambda s: s.name)
@given(data=st.data())
def test_chunks_scores_and_pickling_change_no_prediction(spec, data):
    labels = data.draw(codes)
    x = rows_for(labels, 1)
    sheet = np.full((len(labels), 3), np.nan)
    expected = spec.bind(SCHEMA, 3).test_then_train(10, x, labels, None, sheet)
    parts, one_by_one = spec.bind(SCHEMA, 3), spec.bind(SCHEMA, 3)
    size = data.draw(st.sampled_from([1, 3, 7]))
    for low in range(0, len(labels), size):
        at = slice(low, low + size)
        parts = pickle.loads(pickle.dumps(parts))
        predictions = parts.test_then_train(10 + low, x[at], labels[at])
        np.testing.assert_array_equal(predictions, expected[at])
    for i, label in enumerate(labels):
        row = x[i : i + 1]
        assert one_by_one.predict(row, 10 + i).tolist() == [expected[i]]
        np.testing.assert_allclose(one_by_one.scores(row, 10 + i)[0], sheet[i])
        if label >= 0:
            one_by_one.learn(row, labels[i : i + 1])


@pytest.mark.parametrize("spec", BOTH, ids=lambda s: s.name)
def test_they_keep_the_contract_around_other_learners(spec):
    check_learner(lambda: spec.bind(SCHEMA), SCHEMA)


@dataclass(frozen=True)
class Later:
    """Every item is predicted; its label arrives `delay` items later, the last ones never."""

    delay: int
    folds: int = 1

    def timetable(self, arrivals, seed=0):
        for chunk in arrivals:
            for i in range(chunk.first, chunk.first + chunk.count):
                late = i - self.delay
                op = [Op.REVEAL, Op.LEARN, Op.PREDICT] if late >= 0 else [Op.PREDICT]
                item = [late, late, i] if late >= 0 else [i]
                n = len(op)
                yield Orders(
                    np.array(op, np.uint8),
                    np.array(item, np.uint64),
                    np.zeros(n, np.uint16),
                    np.zeros(n, np.uint32),
                    np.zeros(n, np.uint8),
                    np.ones(n),
                    np.full(n, i, np.int64),
                    max(0, late + 1),
                )


class Diary:
    """A model that predicts the class in the column `last`, and records every row."""

    def __init__(self, last):
        self.last, self.predicted, self.learned = last, [], []

    def predict(self, x):
        self.predicted.append(x.tolist())
        return int(x[self.last]) if x[self.last] < 3 else 0

    def learn(self, x, y):
        self.learned.append((x.tolist(), y))


def diary(spec_of, delay, labels, last=-1):
    x = np.arange(len(labels), dtype=float).reshape(-1, 1)
    stream = streams.from_arrays(x, np.array(["a", "b", "c"])[labels])
    _, kept = run(stream, spec_of(Diary(last)), Later(delay), keep_learner=True)
    return kept.learner.model, kept


LABELS = np.array([0, 1, 2, 2, 1, 0, 1, 1, 2, 0])


def test_under_delay_the_older_label_is_shown_and_trained_on():
    spec = lambda base: learners.TemporallyAugmented(base, order=2)  # noqa: E731
    model, kept = diary(spec, 3, LABELS)
    y = LABELS.tolist()
    for i, (item, one, two) in enumerate(model.predicted):
        assert (item, one) == (i, y[i - 3] if i >= 3 else 3)
        assert two == (y[i - 4] if i >= 4 else 3)
    assert [row for row, _ in model.learned] == model.predicted[: len(model.learned)]
    assert [label for _, label in model.learned] == y[:7]
    assert len(kept.history.pending) <= 3


def test_under_delay_the_prediction_can_replace_the_label():
    spec = lambda base: learners.TemporallyAugmented(base, late="prediction")  # noqa: E731
    model, _ = diary(spec, 2, LABELS)
    predictions = []
    for i, (item, one) in enumerate(model.predicted):
        assert item == i
        # the label of the item before has not come yet (it comes two items after its own)
        assert one == (predictions[i - 1] if i else 3)
        predictions.append(int(one) if one < 3 else 0)
    assert [row for row, _ in model.learned] == model.predicted[: len(model.learned)]


def test_under_delay_both_can_be_shown():
    spec = lambda base: learners.TemporallyAugmented(base, late="both")  # noqa: E731
    model, _ = diary(spec, 2, LABELS, last=-2)
    for i, (_, older, recent) in enumerate(model.predicted):
        assert older == (LABELS[i - 2] if i >= 2 else 3)
        before = model.predicted[i - 1][-2] if i else 3
        assert recent == (3 if not i else before if before < 3 else 0)


@pytest.mark.parametrize("late", ["label", "prediction", "both"])
@pytest.mark.parametrize("make_spec", [learners.TemporallyAugmented, learners.TemporalCorrection])
def test_without_delay_every_way_with_late_labels_is_the_same_log(late, make_spec):
    rng = np.random.default_rng(0)
    labels = np.cumsum(rng.random(400) < 0.2) % 3
    x = (labels + rng.normal(size=400)).reshape(-1, 1)
    stream = streams.from_arrays(x, labels)
    pattern = run(stream, make_spec(late=late))
    orders = run(stream, make_spec(late=late), AtOnce())
    predictions = [
        np.concatenate([s.prediction for s in log.predictions()]) for log in (pattern, orders)
    ]
    np.testing.assert_array_equal(*predictions)
    if late == "prediction" or make_spec is learners.TemporalCorrection:
        usual = np.concatenate([s.prediction for s in run(stream, make_spec()).predictions()])
        np.testing.assert_array_equal(predictions[0], usual)


@dataclass(frozen=True)
class AtOnce:
    """Predict, reveal and learn each item, order by order."""

    folds: int = 1

    def timetable(self, arrivals, seed=0):
        for chunk in arrivals:
            for i in range(chunk.first, chunk.first + chunk.count):
                yield Orders(
                    np.array([Op.PREDICT, Op.REVEAL, Op.LEARN], np.uint8),
                    np.full(3, i, np.uint64),
                    np.zeros(3, np.uint16),
                    np.zeros(3, np.uint32),
                    np.zeros(3, np.uint8),
                    np.ones(3),
                    np.full(3, i, np.int64),
                    i + 1,
                )


@pytest.mark.parametrize("late", ["prediction", "both"])
@pytest.mark.parametrize("make_spec", [learners.TemporallyAugmented, learners.TemporalCorrection])
def test_a_label_that_never_arrives_is_replaced_by_the_prediction_in_any_chunks(late, make_spec):
    rng = np.random.default_rng(5)
    labels = (np.cumsum(rng.random(200) < 0.3) % 3).astype(np.int32)
    x = rows_for(labels, 2)
    labels[rng.random(200) < 0.2] = -1
    whole = make_spec(late=late).bind(SCHEMA).test_then_train(0, x, labels)
    parts = make_spec(late=late).bind(SCHEMA)
    predictions = [
        parts.test_then_train(i, x[i : i + 7], labels[i : i + 7]) for i in range(0, 200, 7)
    ]
    np.testing.assert_array_equal(np.concatenate(predictions), whole)
    learner = make_spec(late=late).bind(SCHEMA)
    for i in range(200):
        one = learner.predict(x[i : i + 1], i)
        assert one.tolist() == [whole[i]]
        learner.predicted(i, one)
        if labels[i] >= 0:
            learner.learn(x[i : i + 1], labels[i : i + 1], None, np.array([i], np.uint64))


def test_models_of_other_libraries_are_wrapped_too():
    tree = make("learner", "river:tree.HoeffdingTreeClassifier(grace_period=50)")
    labels = np.arange(600) // 3 % 2
    stream = streams.from_arrays(np.random.default_rng(0).normal(size=(600, 1)), labels)
    sgd = make("learner", "sklearn:linear_model.SGDClassifier(loss='log_loss', random_state=1)")
    plain = measure(run(stream, tree), "accuracy").final
    for spec in (
        learners.TemporallyAugmented(tree, order=3),
        learners.TemporalCorrection(tree),
        learners.TemporallyAugmented(sgd, order=3, columns="indicators"),
        make("learner", "temporally_augmented('river:tree.HoeffdingTreeClassifier()', order=3)"),
        make("learner", "temporally_augmented(logistic_regression(), order=3)"),
    ):
        log = run(stream, spec)
        assert measure(log, "accuracy").final > plain + 0.1, log.about["learner"]
    assert run(stream, learners.TemporalCorrection(tree)).about["river"]


def test_a_model_that_fails_keeps_its_predictions():
    class Tired(Diary):
        def learn(self, x, y):
            super().learn(x, y)
            if len(self.learned) == 40:
                raise RuntimeError("no more")

        def scores(self, x):
            return [0.2, 0.3, 0.5]

    labels = np.arange(100) % 3
    stream = streams.from_arrays(np.zeros((100, 1)), labels)
    for spec in (learners.TemporallyAugmented(Tired(-1)), learners.TemporalCorrection(Tired(-1))):
        with pytest.raises(LearnerError, match="item 39") as failed:
            run(stream, spec)
        assert sum(len(p) for p in failed.value.log.labelled_predictions()) == 40


@pytest.mark.parametrize(
    ("do", "words"),
    [
        (lambda: learners.TemporallyAugmented(order=0), "order must be a whole number, at least 1"),
        (
            lambda: learners.TemporallyAugmented(late="no"),
            "late must be one of label, prediction, both",
        ),
        (
            lambda: learners.TemporalCorrection(late="no"),
            "late must be one of label, prediction, both",
        ),
        (lambda: learners.TemporallyAugmented(columns="x"), "columns must be 'nominal' or 'indica"),
        (
            lambda: learners.TemporallyAugmented(pad="z").bind(SCHEMA),
            "pad must be None or one of 'a', 'b'",
        ),
        (
            lambda: learners.TemporalCorrection(Diary(-1)).bind(SCHEMA),
            "learner must be a learner with scores",
        ),
    ],
)
def test_bad_parameters_are_refused_in_a_sentence(do, words):
    with pytest.raises(ParameterError, match=words):
        do()


def test_names_tell_what_is_inside():
    assert learners.TemporallyAugmented().name == "temporally_augmented(naive_bayes)"
    spec = learners.TemporallyAugmented(learners.Perceptron(learning_rate=0.5), order=2)
    assert spec.name == "temporally_augmented(perceptron(learning_rate=0.5), order=2)"
    assert learners.TemporalCorrection(late="prediction").name == (
        "temporal_correction(naive_bayes, late='prediction')"
    )


@pytest.mark.data
def test_on_electricity_the_labels_before_are_worth_more_than_five_points():
    stream = streams.Electricity()
    naive, persistent = run(stream, learners.NaiveBayes()), run(stream, learners.Persistent())
    augmented = run(stream, learners.TemporallyAugmented())
    corrected = run(stream, learners.TemporalCorrection())
    accuracy = [measure(log, "accuracy").final for log in (naive, persistent, augmented, corrected)]
    assert accuracy[1] > accuracy[0]
    assert accuracy[2] > accuracy[0] + 0.05
    assert accuracy[3] > accuracy[0] + 0.05
    assert measure(naive, "kappa_temporal").final < 0

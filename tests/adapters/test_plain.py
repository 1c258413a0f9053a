"""Any object with predict and learn can be driven."""

from __future__ import annotations

import re
import signal
from dataclasses import replace

import numpy as np
import pytest

from streamgauge.adapters import adapt
from streamgauge.errors import LearnerError, UnknownModelError
from streamgauge.types import NONE, Feature, Schema

CLASSES = Schema((Feature("a"), Feature("b")), classes=("no", "yes"))
REAL = Schema((Feature("a"), Feature("b")))


class Diary:
    """Gives scripted predictions and records its input."""

    def __init__(self, *predictions):
        self.predictions = list(predictions)
        self.seen = []

    def predict(self, x):
        self.seen.append(("predict", x))
        return self.predictions.pop(0) if self.predictions else None

    def learn(self, x, y, weight=1.0):
        self.seen.append(("learn", x, y, weight))


def rows(count):
    return np.arange(2.0 * count).reshape(count, 2)


def codes(*labels):
    return np.array(labels, dtype=np.int32)


def test_it_predicts_before_it_learns_and_never_learns_a_missing_label():
    learner = adapt(Diary(1, 0, None), CLASSES)
    made = learner.test_then_train(0, rows(3), codes(0, NONE, 1), np.array([1.0, 1.0, 2.0]))
    assert made.tolist() == [1, 0, NONE]
    seen = learner.model.seen
    assert [entry[0] for entry in seen] == ["predict", "learn", "predict", "predict", "learn"]
    assert [entry[1].tolist() for entry in seen] == [[0, 1], [0, 1], [2, 3], [4, 5], [4, 5]]
    assert [entry[2:] for entry in seen if entry[0] == "learn"] == [(0, 1.0), (1, 2.0)]
    assert all(type(entry[2]) is int for entry in seen if entry[0] == "learn")


def test_rows_are_read_only_and_not_reused():
    class Vandal(Diary):
        def learn(self, x, y):
            x[0] = 99

    learner = adapt(Diary(), CLASSES)
    table = rows(3)
    learner.test_then_train(0, table, codes(0, 0, 0), None)
    kept = [entry[1] for entry in learner.model.seen if entry[0] == "predict"]
    assert [x.tolist() for x in kept] == rows(3).tolist()
    with pytest.raises(LearnerError, match=r"learn failed at item 0.*read-only"):
        adapt(Vandal(), CLASSES).test_then_train(0, table, codes(0, 0, 0), None)
    np.testing.assert_array_equal(table, rows(3))
    assert table.flags.writeable


@pytest.mark.parametrize(
    ("made", "code"),
    [(1, 1), (True, 1), (np.int64(1), 1), (np.uint8(0), 0), (1.0, 1), (-1, NONE), (None, NONE)],
)
def test_a_class_code_may_be_any_kind_of_whole_number(made, code):
    assert adapt(Diary(made), CLASSES).predict(rows(1)).tolist() == [code]


@pytest.mark.parametrize("made", [2, -2, 0.5, float("nan"), "yes", np.array([1]), [1]])
def test_an_invalid_class_code_is_an_error_that_names_it(made):
    with pytest.raises(LearnerError) as caught:
        adapt(Diary(0, made), CLASSES).predict(rows(3), first=10)
    assert f"DataError: prediction must be a class code (0, 1) or None, got {made!r}" in str(
        caught.value
    )
    assert caught.value.item == 11
    assert caught.value.predictions.tolist() == [0]


def test_real_predictions_may_be_any_number_and_none_is_nan():
    learner = adapt(Diary(1, 2.5, np.float32(0.5), None, True), REAL)
    labels = np.array([1.0, np.nan, 3.0, 4.0, 5.0])
    made = learner.test_then_train(0, rows(5), labels, None)
    np.testing.assert_array_equal(made, [1, 2.5, 0.5, np.nan, 1])
    assert [entry[2] for entry in learner.model.seen if entry[0] == "learn"] == [1, 3, 4, 5]
    with pytest.raises(LearnerError, match=r"predict failed at item 0.*TypeError"):
        adapt(Diary("much"), REAL).predict(rows(1))


def test_many_rows_go_in_one_call_if_the_object_has_one():
    class Many(Diary):
        calls = ()

        def predict_many(self, x):
            self.calls += (("predict", len(x)),)
            return np.zeros(len(x), dtype=int)

        def learn_many(self, x, y, weight=None):
            self.calls += (("learn", y.tolist(), None if weight is None else weight.tolist()),)

    learner = adapt(Many(), CLASSES)
    assert learner.predict(rows(4)).tolist() == [0] * 4
    learner.learn(rows(3), codes(1, NONE, 0), np.ones(3))
    learner.learn(rows(2), codes(1, 0), np.array([1.0, 2.0]))
    assert learner.model.calls == (
        ("predict", 4),
        ("learn", [1, 0], None),
        ("learn", [1, 0], [1, 2]),
    )


class Scripted(Diary):
    """Gives scripted predictions of many rows."""

    def __init__(self, many):
        super().__init__()
        self.many = many

    def predict_many(self, x):
        return self.many


NO_CODES = {
    "2": np.array([0, 2]),
    "-2": [-2, 0],
    "0.5": np.array([0.5, 1]),
    "nan": [0, np.nan],
    "1e+30": [1e30, 0],
    "1099511627776": [2**40, 0],
    "'yes'": np.array(["yes", "no"], object),
    "'no'": np.array(["no", "yes"]),
    "[1]": np.array([None, [1]], object),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("named", NO_CODES)
def test_an_invalid_prediction_of_many_rows_is_named(named):
    words = f"prediction must be a class code (0, 1) or None, got {named}"
    with pytest.raises(LearnerError, match=re.escape(words)) as caught:
        adapt(Scripted(NO_CODES[named]), CLASSES).predict(rows(2), first=5)
    assert "predict_many failed at item 5" in str(caught.value)


def test_the_wrong_number_of_predictions_is_an_error():
    with pytest.raises(LearnerError, match="predictions must be 2 values, one per row, got shape"):
        adapt(Scripted(np.zeros(3)), CLASSES).predict(rows(2))


@pytest.mark.parametrize(
    "many", [[None, 1], np.array([None, 1], object), [-1, 1.0], np.array([-1, 1], np.int8)]
)
def test_none_among_many_predictions_abstains(many):
    assert adapt(Scripted(many), CLASSES).predict(rows(2)).tolist() == [NONE, 1]


def test_many_real_predictions_are_numbers_or_none():
    np.testing.assert_array_equal(adapt(Scripted([None, 2]), REAL).predict(rows(2)), [np.nan, 2.0])
    with pytest.raises(LearnerError, match="prediction must be a number or None, got 'much'"):
        adapt(Scripted(["much", 1]), REAL).predict(rows(2))


@pytest.mark.parametrize("classes", [(-1, 1), (-1.0, 1.0)])
def test_minus_one_does_not_abstain_if_it_is_a_class(classes):
    schema = replace(CLASSES, classes=classes)
    for learner in (Diary(-1), Scripted([-1, 1])):
        with pytest.raises(LearnerError, match=r"class code \(0, 1\) or None, got -1"):
            adapt(learner, schema).predict(rows(2))


def test_scores_are_computed_beside_the_prediction():
    class Sure(Diary):
        def scores(self, x):
            return [0.25, 0.75] if x[0] else None

    out = np.empty((2, 2))
    learner = adapt(Sure(0, 0), CLASSES)
    assert learner.has_scores
    assert learner.test_then_train(0, rows(2), codes(0, 1), None, out).tolist() == [0, 0]
    np.testing.assert_array_equal(out, [[np.nan, np.nan], [0.25, 0.75]])
    np.testing.assert_array_equal(learner.scores(rows(2)), out)
    assert not adapt(Diary(), CLASSES).has_scores


def test_scores_must_be_one_per_class():
    class Short(Diary):
        def scores(self, x):
            return [1.0]

    with pytest.raises(LearnerError, match=r"scores failed .* must be 2 numbers.* got 1"):
        adapt(Short(), CLASSES).scores(rows(1))


def test_fresh_is_the_objects_own_if_it_has_one_and_a_deep_copy_otherwise():
    class Seeded(Diary):
        def __init__(self, seed=None):
            super().__init__()
            self.seed = seed

        def fresh(self, seed):
            return Seeded(seed)

    assert adapt(Seeded(), CLASSES).fresh(7).model.seed == 7
    model = Diary(1, 1, 1)
    learner = adapt(model, CLASSES)
    learner.test_then_train(0, rows(2), codes(0, 1), None)
    assert model.seen == []
    assert learner.fresh(3).model.seen == []
    assert learner.fresh(3).predict(rows(1)).tolist() == [1]


def test_an_object_declares_whether_it_takes_missing_cells():
    class Tolerant(Diary):
        takes_missing = True

    assert adapt(Tolerant(), CLASSES).takes_missing
    assert not adapt(Diary(), CLASSES).takes_missing


def test_a_learner_is_left_as_it_is():
    learner = adapt(Diary(), CLASSES)
    assert adapt(learner, CLASSES) is learner


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (object(), "or an object with predict and learn"),
        (3, "or an object with predict and learn"),
        ("naive_bayes", "or an object with predict and learn"),
        (Diary, r"the class .*\.Diary; give an object of it"),
    ],
)
def test_an_object_without_an_adapter_is_refused(model, words):
    with pytest.raises(UnknownModelError, match=words):
        adapt(model, CLASSES)


def test_no_rows_give_no_predictions():
    learner = adapt(Diary(), CLASSES)
    nothing = np.empty((0, 2))
    assert learner.test_then_train(0, nothing, codes(), None).tolist() == []
    assert learner.predict(nothing).dtype == np.int32
    assert adapt(Diary(), REAL).predict(nothing).dtype == np.float64


def test_rows_need_not_be_contiguous():
    strided = np.arange(12.0).reshape(3, 4)[:, ::2]
    learner = adapt(Diary(), CLASSES)
    learner.predict(strided)
    assert [entry[1].tolist() for entry in learner.model.seen] == [[0, 2], [4, 6], [8, 10]]


def test_ctrl_c_stops_a_model_written_in_c():
    class Native:
        def __init__(self):
            self.seen = []
            self.predict = self.seen.append  # compiled: it never looks for signals itself
            self.learn = max

        def fresh(self, seed):
            return self

    model = Native()
    endless = np.zeros((3_000_000, 2))
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        with pytest.raises(KeyboardInterrupt):
            adapt(model, REAL).predict(endless)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(model.seen) < len(endless)

"""`sg.run(stream, model)` just works, whatever library the model is from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pytest
from river import dummy, linear_model, naive_bayes, preprocessing, tree
from sklearn.linear_model import SGDClassifier

import streamgauge as sg
from streamgauge.errors import DataError, LearnerError
from streamgauge.protocols import Chunks, Prequential
from streamgauge.protocols.timetable import expand
from streamgauge.types import NEVER, NONE, Arrivals, Batch, Feature, Schema, Timetable

SCHEMA = Schema(
    (Feature("a"), Feature("b"), Feature("colour", ("red", "blue"))), classes=("no", "yes")
)


@dataclass(frozen=True)
class Given:
    """A stream of given columns."""

    x: np.ndarray
    label: np.ndarray
    label_time: np.ndarray | None = None
    schema: Schema = SCHEMA
    name: str = "given"

    @property
    def length(self):
        return len(self.label)

    def batches(self, size=8192, seed=0):
        for low in range(0, len(self.label), size):
            rows = slice(low, low + size)
            late = None if self.label_time is None else self.label_time[rows]
            yield Batch(low, self.x[rows], self.label[rows], label_time=late)


@dataclass(frozen=True)
class WrittenOut:
    """Another protocol's orders, one by one instead of as patterns."""

    inner: object
    folds: int = 1

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        for chunk in self.inner.timetable(arrivals, seed):
            yield expand(chunk)


def given(count=400, missing=True):
    rng = np.random.default_rng(4)
    x = np.column_stack([rng.normal(size=(count, 2)), rng.integers(2, size=count)])
    label = (x[:, 0] + x[:, 2] > 0.5).astype(np.int32)
    if missing:
        label[::9] = NONE
    return Given(x, label)


def numbered(count):
    """The first cell is the item's number; all labels are the same."""
    x = np.column_stack([np.arange(count), np.zeros((count, 2))]).astype(float)
    return Given(x, np.ones(count, dtype=np.int32))


class Mine:
    """Of no library."""

    last = None

    def predict(self, x):
        return self.last

    def learn(self, x, y):
        self.last = y


class Fails(Mine):
    """Cannot stand the n-th item."""

    def __init__(self, n, verb):
        self.n, self.verb = n, verb

    def predict(self, x):
        if self.verb == "predict" and x[0] == self.n:
            raise ValueError("enough")
        return super().predict(x)

    def learn(self, x, y):
        if self.verb == "learn" and x[0] == self.n:
            raise ValueError("enough")
        super().learn(x, y)


MODELS = {
    "river": tree.HoeffdingTreeClassifier(grace_period=20, nominal_attributes=["colour"]),
    "river pipeline": preprocessing.OneHotEncoder() | naive_bayes.BernoulliNB(),
    "sklearn": SGDClassifier(random_state=0),
    "mine": Mine(),
}


def made(log):
    return np.concatenate([part.prediction for part in log.predictions()])


@pytest.mark.parametrize("name", MODELS)
def test_a_model_is_run_as_it_is(name):
    log = sg.run(given(), MODELS[name])
    predictions = made(log)
    assert len(predictions) == 400
    assert log.complete
    first_label = int(np.flatnonzero(given().label != NONE)[0])
    assert (predictions[: first_label + 1] == NONE).all()


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("protocol", [Prequential(), Chunks(size=64)], ids=["one by one", "chunks"])
def test_orders_written_out_give_the_same_log(name, protocol):
    pattern = sg.run(given(), MODELS[name], protocol)
    orders = sg.run(given(), MODELS[name], WrittenOut(protocol))
    np.testing.assert_array_equal(made(pattern), made(orders))


def test_scores_are_recorded_on_request():
    log = sg.run(given(), MODELS["river pipeline"], scores=True)
    scores = np.concatenate([part.scores for part in log.predictions()])
    assert scores.shape == (400, 2)
    np.testing.assert_allclose(scores[10:].sum(axis=1), 1)


def test_the_log_holds_the_library_and_the_notes():
    model = preprocessing.StandardScaler() | linear_model.LogisticRegression()
    numbers = Schema(SCHEMA.features[:2], classes=("no", "yes"))
    stream = Given(given().x[:, :2].copy(), given().label, schema=numbers)
    log = sg.run(stream, model)
    assert "river" in log.about
    assert "'no' as False, 'yes' as True" in log.about["learner_notes"]


def test_the_trained_learner_can_be_kept_and_the_users_model_is_unchanged():
    model = dummy.PriorClassifier()
    _, learner = sg.run(given(), model, keep_learner=True)
    assert learner.model.counts.total() == (given().label != NONE).sum()
    assert not model.counts


@pytest.mark.parametrize("protocol", [Prequential(), WrittenOut(Prequential()), Chunks(size=1000)])
@pytest.mark.parametrize("verb", ["predict", "learn"])
def test_a_failure_names_method_and_item_for_any_protocol(verb, protocol):
    with pytest.raises(LearnerError, match=rf"{verb} failed at item 4,321 \(fold 0\): ") as caught:
        sg.run(numbered(6000), Fails(4321, verb), protocol)
    assert (caught.value.item, caught.value.fold) == (4321, 0)
    assert not caught.value.log.complete


@pytest.mark.parametrize(("verb", "kept"), [("predict", 4321), ("learn", 4322)])
def test_a_failure_keeps_every_prediction_before_it(verb, kept):
    with pytest.raises(LearnerError) as caught:
        sg.run(numbered(6000), Fails(4321, verb))
    assert made(caught.value.log).tolist() == [NONE] + [1] * (kept - 1)


def test_a_missing_cell_is_refused_unless_the_model_takes_it():
    stream = given()
    stream.x[7, 1] = np.nan
    with pytest.raises(DataError, match="'b' in item 7"):
        sg.run(stream, tree.HoeffdingTreeClassifier())
    assert len(made(sg.run(stream, dummy.NoChangeClassifier()))) == 400


def test_a_label_that_never_arrives_is_not_learned_even_if_the_stream_has_it():
    stream = given(missing=False)
    late = np.arange(400)
    late[::2] = NEVER
    half = Given(stream.x, stream.label, late)
    label = stream.label.copy()
    label[::2] = NONE
    for protocol in (Prequential(), WrittenOut(Prequential()), Chunks(size=50)):
        hidden = sg.run(half, Mine(), protocol)
        np.testing.assert_array_equal(
            made(hidden), made(sg.run(Given(stream.x, label), Mine(), protocol))
        )

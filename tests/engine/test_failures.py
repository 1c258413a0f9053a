"""What is kept when a model fails, and which timetables are refused."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from itertools import product
from typing import ClassVar

import numpy as np
import pytest

from engine.test_same_log import (
    ArrayCountingLearner,
    CountingLearner,
    Given,
    WrittenOut,
    random_stream,
    tables,
)
from streamgauge import learners, streams
from streamgauge.engine import run
from streamgauge.engine.interpreter import Interpreter
from streamgauge.errors import DataError, LearnerError, TimetableError
from streamgauge.protocols import Chunks, Delayed, Prequential, Reevaluating
from streamgauge.protocols.timetable import expand
from streamgauge.types import Batch, Event, Events, Feature, Op, Orders, Pattern, Schema, Updates


class Fails(CountingLearner):
    """Fails when it learns for the seventh time."""

    learned = 0

    def learn(self, x, y, weight=1.0):
        self.learned += 1
        if self.learned == 7:
            raise ValueError("enough")
        super().learn(x, y, weight)


class FailsOfArrays(Fails, ArrayCountingLearner):
    pass


def stream(n=30, delay=None):
    rng = np.random.default_rng(0)
    given = streams.from_arrays(rng.normal(size=(n, 2)), rng.integers(0, 3, n), classes=[0, 1, 2])
    return given if delay is None else streams.delay(given, delay)


@pytest.mark.parametrize("model", [Fails(), FailsOfArrays()], ids=["driven", "arrays"])
@pytest.mark.parametrize(
    "protocol",
    [Delayed(), Delayed(folds=3, split="cross"), Reevaluating(2, folds=2, split="bootstrap")],
    ids=repr,
)
def test_a_model_that_fails_leaves_a_log_and_names_item_and_fold(model, protocol):
    for spelled in (protocol, WrittenOut(protocol)):
        with pytest.raises(LearnerError, match=r"failed at item \d+.*enough") as failed:
            run(stream(delay=4), model, spelled)
        log = failed.value.log
        assert not log.complete
        assert sum(len(part) for part in log.predictions()) > 0
        learned = np.concatenate([part.item for part in log.training()])
        own = np.concatenate([part.fold for part in log.training()]) == failed.value.fold
        assert failed.value.item not in learned[own].tolist()


@pytest.mark.parametrize("protocol", [Prequential(), Chunks(size=4)], ids=repr)
@pytest.mark.parametrize("model", [Fails(), FailsOfArrays()], ids=["driven", "arrays"])
def test_every_form_of_a_timetable_keeps_the_same_rows_at_a_failure(model, protocol):
    logs, errors = [], []
    for spelled in (protocol, WrittenOut(protocol)):
        with pytest.raises(LearnerError) as failed:
            run(stream(), model, spelled)
        logs.append(tables(failed.value.log))
        errors.append((str(failed.value), failed.value.item, failed.value.fold))
    assert errors[0] == errors[1]
    assert logs[0].keys() == logs[1].keys()
    for key, column in logs[0].items():
        np.testing.assert_array_equal(column, logs[1][key], err_msg=key)


@dataclass
class FailsAt(CountingLearner):
    """Fails at its n-th call of a verb."""

    verb: str = "learn"
    left: int = 0

    def predict(self, x):
        self._count("predict")
        return super().predict(x)

    def learn(self, x, y, weight=1.0):
        self._count("learn")
        super().learn(x, y, weight)

    def _count(self, verb):
        if verb == self.verb:
            self.left -= 1
            if self.left == 0:
                raise ValueError("enough")


@dataclass
class Exits(CountingLearner):
    """Exits at its seventh call of a verb."""

    verb: str = "learn"
    left: int = 7

    def predict(self, x):
        self._count("predict")
        return super().predict(x)

    def scores(self, x):
        self._count("scores")
        return super().scores(x)

    def learn(self, x, y, weight=1.0):
        self._count("learn")
        super().learn(x, y, weight)

    def _count(self, verb):
        if verb == self.verb:
            self.left -= 1
            if self.left == 0:
                sys.exit(0)


class ExitsOfArrays(Exits, ArrayCountingLearner):
    def predict_many(self, rows):
        for _ in rows:
            self._count("predict")
        return super().predict_many(rows)


@pytest.mark.parametrize("model", [Exits, ExitsOfArrays])
@pytest.mark.parametrize("verb", ["predict", "scores", "learn"])
@pytest.mark.parametrize("protocol", [Prequential(), Chunks(4), Delayed(folds=2)], ids=repr)
def test_a_model_that_exits_fails_and_leaves_a_log(model, verb, protocol):
    for spelled in (protocol, WrittenOut(protocol)):
        with pytest.raises(LearnerError, match=r"failed at item \d+.*SystemExit: 0") as failed:
            run(stream(40), model(verb=verb), spelled, scores=True)
        assert isinstance(failed.value.cause, SystemExit)
        assert not failed.value.log.complete


ALONE, TOGETHER = Prequential(ignore_delays=True), Chunks(4, 3, ignore_delays=True)


# A chunk is predicted in one call: of one that fails, nothing is kept.
@pytest.mark.parametrize(
    ("protocol", "verb"), [(ALONE, "learn"), (ALONE, "predict"), (TOGETHER, "learn")], ids=str
)
@pytest.mark.parametrize("scores", [False, True])
def test_wherever_a_model_fails_earlier_rows_are_kept(protocol, verb, scores):
    """Of streams with weights, times and missing labels: every column, in every spelling."""
    failures = 0
    for seed, nth in product(range(10), (1, 2, 3, 8, 17)):
        schema, batch = random_stream(seed, False)
        whole = run(Given(schema, batch), FailsAt(), protocol, scores=scores)
        logs = []
        for spelled in (protocol, WrittenOut(protocol)):
            try:
                run(Given(schema, batch), FailsAt(verb=verb, left=nth), spelled, scores=scores)
            except LearnerError as failed:
                logs.append((str(failed), tables(failed.log), failed.log))
        assert len(logs) in (0, 2)
        if not logs:
            continue
        failures += 1
        assert logs[0][0] == logs[1][0]
        assert logs[0][1].keys() == logs[1][1].keys()
        full = tables(whole)
        for key, column in logs[0][1].items():
            np.testing.assert_array_equal(column, logs[1][1][key], err_msg=key)
            if column is not None and key != "alarms":
                np.testing.assert_array_equal(column, full[key][: len(column)], err_msg=key)
    assert failures > 20


@dataclass(frozen=True)
class Given1:
    """A protocol that yields given chunks."""

    chunks: tuple
    folds: int = 1

    def timetable(self, arrivals, seed=0):
        list(arrivals)
        yield from self.chunks


def orders(*rows, keep_from=0):
    op, item, fold = (np.array([row[i] for row in rows]) for i in range(3))
    n = len(rows)
    return Orders(
        op.astype(np.uint8), item.astype(np.uint64), fold.astype(np.uint16),
        np.zeros(n, np.uint32), np.zeros(n, np.uint8), np.ones(n), item.astype(np.int64), keep_from,
    )  # fmt: skip


def events(*rows):
    what, item = (np.array([row[i] for row in rows]) for i in range(2))
    none = np.empty(0, np.uint64)
    return Events(
        what.astype(np.uint8), item.astype(np.uint64), item.astype(np.int64),
        0, False, False, 0, none, none, none,
    )  # fmt: skip


PREDICT, REVEAL, LEARN = Op.PREDICT, Op.REVEAL, Op.LEARN
ARRIVAL, LABEL = Event.ARRIVAL, Event.LABEL
WRONG = {
    "have arrived": [orders((PREDICT, 99, 0))],
    "not released": [orders((PREDICT, 0, 0), keep_from=1), orders((LEARN, 0, 0))],
    "fold must be below 1": [orders((PREDICT, 0, 7))],
    "items must arrive in order": [events((ARRIVAL, 1), (ARRIVAL, 0))],
    "got both": [events((ARRIVAL, 0)), orders((LEARN, 0, 0))],
    "an update must be in the stream": [orders((Op.UPDATE, 0, 0))],
    "one whose label is pending": [events((ARRIVAL, 0), (LABEL, 0), (LABEL, 0))],
    "items must be used in order": [Pattern("learn", 3, 5)],
}


@pytest.mark.parametrize("words", WRONG)
def test_an_impossible_timetable_is_refused(words):
    with pytest.raises(TimetableError, match=words):
        run(stream(6), learners.NaiveBayes(), Given1(tuple(WRONG[words])))


def test_a_missing_label_is_refused_in_every_form_of_a_timetable():
    schema, batch = random_stream(1, False)
    bare = Batch(0, batch.x, np.full(len(batch), -1, np.int32))
    for chunk in (
        orders((PREDICT, 0, 0), (REVEAL, 0, 0)),
        orders((LEARN, 0, 0)),
        events((ARRIVAL, 0), (LABEL, 0)),
    ):
        with pytest.raises(TimetableError, match="one with a label"):
            run(Given(schema, bare), learners.NaiveBayes(), Given1((chunk,)))


def test_an_empty_pattern_has_no_effect():
    log = run(stream(3), learners.NaiveBayes(), Given1((Pattern("predict_then_learn", 0, 0),)))
    assert not sum(len(part) for part in log.predictions())


@pytest.mark.parametrize("protocol", [Prequential(ignore_delays=True), Delayed()], ids=repr)
@pytest.mark.parametrize("written_out", [False, True])
def test_updates_that_no_order_uses_are_forgotten(protocol, written_out, monkeypatch):
    seen = []
    kept = Interpreter.execute

    def execute(self, chunk, *more):
        kept(self, expand(chunk) if written_out else chunk, *more)
        seen.append(len(self.item_queue._updates))

    monkeypatch.setattr(Interpreter, "execute", execute)
    schema, batch = random_stream(3, False)
    n = len(batch)
    late = Updates(np.arange(n, dtype=np.uint64), np.full(n, 10**6), np.zeros((n, 3)))
    prompt = replace(batch, time=None, label_time=None, label=np.zeros(n, np.int32), updates=late)
    run(Given(schema, prompt, by=5), learners.NaiveBayes(), protocol)
    assert len(seen) > 3
    assert max(seen) == 0


@pytest.mark.parametrize(
    "learner", [learners.NaiveBayes(), CountingLearner(), ArrayCountingLearner()], ids=repr
)
@pytest.mark.parametrize("protocol", [Prequential(), Chunks(3), Delayed()], ids=repr)
def test_columns_may_be_views_with_gaps(learner, protocol):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(40, 6)), rng.integers(0, 3, 40).astype(np.int32)
    weight = rng.integers(1, 3, 40).astype(float)
    schema, _ = random_stream(0, False)
    gaps = Batch(0, x[::2, ::2], y[::2], weight=weight[::2])
    dense = Batch(0, x[::2, ::2].copy(), y[::2].copy(), weight=weight[::2].copy())
    one, other = (tables(run(Given(schema, b), learner, protocol)) for b in (gaps, dense))
    for key, column in one.items():
        np.testing.assert_array_equal(column, other[key], err_msg=key)


@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf, 1e101])
@pytest.mark.parametrize("protocol", [Prequential(), Chunks(3), Delayed(folds=2)], ids=repr)
def test_an_invalid_weight_is_refused_with_its_item(wrong, protocol):
    weight = np.array([1.0, 1.0, wrong, 1.0])
    given = streams.from_arrays(np.zeros((4, 1)), np.array([0, 1, 0, 1]), weight=weight)
    with pytest.raises(DataError, match="item 2, weight must be from 0 to 1e"):
        run(given, learners.NaiveBayes(), protocol)
    order = replace(orders((PREDICT, 0, 0), (LEARN, 0, 0)), weight=np.array([1.0, wrong]))
    with pytest.raises(TimetableError, match="weight must be from 0 to 1e"):
        run(stream(3), learners.NaiveBayes(), Given1((order,)))


@dataclass
class Writes:
    """A learner that writes into whatever it is given."""

    takes_missing = True
    has_scores = numbered = tracks_items = has_alarms = has_selections = measured = False
    one_by_one = None
    about: ClassVar = {}

    def predict(self, rows, first=0):
        return np.zeros(len(rows), np.int32)

    def learn(self, rows, labels, weights=None):
        rows[:], labels[:] = 0, 0

    def test_then_train(self, first, rows, labels, weights=None, scores=None):
        self.learn(rows, labels)
        return self.predict(rows)

    def fresh(self, seed):
        return Writes()


@pytest.mark.parametrize("protocol", [Prequential(), Chunks(3)], ids=repr)
def test_a_learner_cannot_write_into_the_stream(protocol):
    x, y = np.ones((6, 2)), np.ones(6, int)
    with pytest.raises(LearnerError, match="read-only"):
        run(streams.from_arrays(x, y, classes=[0, 1]), Writes(), protocol)
    assert (x == 1).all()
    assert (y == 1).all()


class Predictions(Writes):
    """A learner whose predictions are no predictions."""

    made = None

    def predict(self, rows, first=0):
        return self.made

    def test_then_train(self, first, rows, labels, weights=None, scores=None):
        return self.made

    def learn(self, rows, labels, weights=None):
        pass

    def fresh(self, seed):
        return self


@pytest.mark.parametrize(
    "made", [None, 0, np.zeros(1, np.int32), np.zeros(6), np.zeros((6, 1), np.int32)], ids=repr
)
@pytest.mark.parametrize("protocol", [Prequential(), Chunks(6), Delayed()], ids=repr)
def test_predictions_of_another_shape_or_type_are_refused(made, protocol):
    if isinstance(protocol, Delayed) and np.shape(made) == (1,):
        return  # it is called item by item
    model = Predictions()
    model.made = made
    with pytest.raises(LearnerError, match=r"predictions must be \d values of int32"):
        run(streams.from_arrays(np.ones((6, 2)), np.ones(6, int), classes=[0, 1]), model, protocol)


class Says(Predictions):
    """A learner that predicts one code at first, and another when it has learned."""

    def __init__(self, first, then):
        self.now, self.then = first, then

    def predict(self, rows, first=0):
        made = np.zeros(len(rows), np.int32)
        made[-1] = self.now
        return made

    def test_then_train(self, first, rows, labels, weights=None, scores=None):
        made = self.predict(rows)
        self.learn(rows, labels)
        return made

    def learn(self, rows, labels, weights=None):
        self.now = self.then


@pytest.mark.parametrize(
    "protocol", [Prequential(), Chunks(6), Chunks(1), Delayed(), Reevaluating(1)], ids=repr
)
def test_an_invalid_class_code_is_refused_when_it_is_predicted(protocol):
    late = isinstance(protocol, Delayed | Reevaluating)
    times = {"label_time": np.arange(6) + 3} if late else {}
    stream = streams.from_arrays(np.ones((6, 2)), np.ones(6, int), classes=[0, 1], **times)
    for legal in (-1, 0, 1):
        run(stream, Says(legal, legal), protocol)
    for code in (2, -2, 2**31 - 1, -(2**31)):
        with pytest.raises(LearnerError, match=rf"codes from 0 to 1, or -1 .*got {code} in row"):
            run(stream, Says(code, code), protocol)
        if late:  # only when an item is predicted again, or a later one
            with pytest.raises(LearnerError, match=rf"got {code} in row"):
                run(stream, Says(0, code), protocol)


@pytest.mark.parametrize("weight", [[1.0, -1.0], [1.0, np.nan], [1.0, 1e200]])
def test_weights_of_a_stream_of_the_users_own_are_checked(weight) -> None:
    class Mine:
        name, length, drifts = "mine", 2, ()
        schema = Schema((Feature("x"),), "y", ("a", "b"))

        def batches(self, size=8192, seed=0):
            yield Batch(0, np.zeros((2, 1)), np.zeros(2, np.int32), weight=np.array(weight))

    with pytest.raises(DataError, match="mine: item 1, weight must be from 0 to 1e"):
        run(Mine(), learners.NaiveBayes())

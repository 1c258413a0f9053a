"""Late labels of models that are called item by item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from streamgauge import streams
from streamgauge.adapters import bind
from streamgauge.delays import Never, Uniform
from streamgauge.engine import run
from streamgauge.errors import LearnerError
from streamgauge.log.about import name_of
from streamgauge.names import make
from streamgauge.protocols import Delayed, Reevaluating


def tables(log):
    found = {}
    for name in ("predictions", "labels", "training"):
        parts = [part for part in getattr(log, name)() if len(part)]
        for key in parts[0].__dataclass_fields__ if parts else ():
            columns = [getattr(part, key) for part in parts]
            found[f"{name}.{key}"] = None if columns[0] is None else np.concatenate(columns)
    return found


def same(a, b):
    a, b = tables(a), tables(b)
    assert a.keys() == b.keys()
    for key, column in a.items():
        np.testing.assert_array_equal(column, b[key], err_msg=key)


@dataclass
class WithoutDriver:
    """The same learner without its driver: it gets the orders written out."""

    inner: Any
    name: str
    takes_missing: bool = True
    has_scores: bool = False
    numbered = False
    tracks_items = has_alarms = has_selections = measured = False
    one_by_one = None
    about: ClassVar = {}

    def predict(self, rows, first=0):
        return self.inner.predict(rows, first)

    def learn(self, rows, labels, weights=None):
        self.inner.learn(rows, labels, weights)

    def test_then_train(self, *columns):
        return self.inner.test_then_train(*columns)

    def fresh(self, seed):
        return WithoutDriver(self.inner.fresh(seed), self.name)


@dataclass(frozen=True)
class Cut:
    """A stream in batches of one size, whatever size is requested; weights from 0 to 3, or none."""

    inner: Any
    by: int
    weighted: bool
    name: str = "cut"

    @property
    def schema(self):
        return self.inner.schema

    @property
    def length(self):
        return self.inner.length

    def batches(self, size=8192, seed=0):
        for batch in self.inner.batches(self.by, seed):
            items = np.arange(batch.first, batch.first + len(batch))
            yield type(batch)(
                batch.first,
                batch.x,
                batch.label,
                batch.time,
                batch.label_time,
                (items % 4).astype(float) if self.weighted else None,
                batch.updates,
            )


def changing(real: bool):
    """Labels of some never come, and features change while items wait."""
    source = streams.Friedman(seed=1) if real else streams.SEA(seed=1)
    late = streams.delay(streams.take(source, 300), Never(0.1, Uniform(0, 60)))
    rng = np.random.default_rng(4)
    item = np.sort(rng.choice(300, 150))
    after = item + rng.integers(1, 40, 150)
    order = np.lexsort((after, item))
    width = len(late.schema.features)
    return streams.update(late, item[order], after[order], rng.random((150, width)) * 10)


MODELS = [
    ("river:tree.HoeffdingTreeClassifier(grace_period=50)", False, True),
    ("river:preprocessing.StandardScaler()|linear_model.LogisticRegression()", False, True),
    ("river:neighbors.KNNClassifier(n_neighbors=3)", False, False),
    ("river:tree.HoeffdingTreeRegressor(grace_period=50)", True, False),
    ("naive_bayes", False, True),
    ("fimtdd", True, True),
]


@pytest.mark.parametrize(("name", "real", "weighted"), MODELS)
@pytest.mark.parametrize("protocol", [Delayed(), Reevaluating(7), Reevaluating(1, tail="drop")])
def test_the_log_is_the_same_item_by_item_and_by_orders_in_any_batches(
    name, real, weighted, protocol
):
    stream = changing(real)
    learner = make("learner", name)
    reference = run(Cut(stream, 1000, weighted), learner, protocol, seed=5)
    for by in (1, 7):
        same(reference, run(Cut(stream, by, weighted), learner, protocol, seed=5))
    inner = bind(learner, stream.schema, 0)
    ordered = WithoutDriver(inner, getattr(inner, "name", None) or name_of(learner))
    same(reference, run(Cut(stream, 7, weighted), ordered, protocol, seed=5))


@pytest.mark.capymoa
def test_an_instance_of_capymoa_is_made_once_while_its_item_is_pending():
    kind = pytest.importorskip("capymoa.classifier").NaiveBayes
    stream = Cut(changing(False), 64, True)
    log = run(stream, kind, Reevaluating(7), seed=5)
    inner = bind(kind, stream.schema, 0)
    same(log, run(stream, WithoutDriver(inner, inner.name), Reevaluating(7), seed=5))
    assert inner.one_by_one is not None


class Watches:
    """Notes what it is shown."""

    def __init__(self):
        self.shown, self.learned = [], []

    def predict(self, x):
        self.shown.append(x)
        return float(x[0])

    def learn(self, x, y):
        self.learned.append(x)


def test_a_row_is_made_once_while_its_item_is_pending_and_again_when_it_changes():
    base = streams.from_arrays(np.arange(6.0)[:, None], np.zeros(6), task="regression")
    stream = streams.update(streams.delay(base, 3), [1], [3], [[10.0]])
    _, learner = run(stream, Watches(), Reevaluating(every=1), keep_learner=True)
    has_alarms = learner.model
    rows = {id(x): x for x in has_alarms.shown}
    assert sorted(float(x[0]) for x in rows.values()) == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 10.0]
    assert len(has_alarms.shown) > len(rows)
    assert [float(x[0]) for x in has_alarms.learned] == [0.0, 10.0, 2.0, 3.0, 4.0, 5.0]
    assert all(id(x) in rows for x in has_alarms.learned)
    with pytest.raises(ValueError, match="read-only"):
        has_alarms.shown[0][0] = 7.0


class Breaks:
    def __init__(self, verb, after):
        self.verb, self.left = verb, after

    def _count(self, verb):
        self.left -= verb == self.verb
        if self.left < 0:
            raise ValueError("enough")

    def predict(self, x):
        self._count("predict")
        return 0

    def learn(self, x, y):
        self._count("learn")


def test_a_model_that_fails_while_it_learns_keeps_the_label():
    stream = streams.delay(streams.take(streams.SEA(), 100), 10)
    words = r"Breaks\(.*\): learn failed at item 20 \(fold 0\): ValueError: enough"
    with pytest.raises(LearnerError, match=words) as caught:
        run(stream, Breaks("learn", 20), Reevaluating(5))
    found = tables(caught.value.log)
    assert found["labels.item"].tolist() == list(range(21))
    assert found["training.item"].tolist() == list(range(20))
    assert found["predictions.item"].max() == 29


def test_predictions_before_a_failure_in_predicting_are_kept():
    stream = streams.delay(streams.take(streams.SEA(), 100), 10)
    with pytest.raises(LearnerError, match=r"predict failed at item 5 \(fold 0\)") as caught:
        run(stream, Breaks("predict", 5), Reevaluating(5))
    assert tables(caught.value.log)["predictions.item"].tolist() == [0, 1, 2, 3, 4]
    assert not caught.value.log.complete


def test_a_prediction_that_is_no_class_is_refused_with_the_item():
    class Odd:
        learned = 0

        def predict(self, x):
            return 7 if self.learned == 4 else 0

        def learn(self, x, y):
            self.learned += 1

    stream = streams.delay(streams.take(streams.SEA(), 50), 10)
    with pytest.raises(LearnerError, match=r"at item 13 .*prediction must be a class code .*got 7"):
        run(stream, Odd(), Delayed())


def test_ctrl_c_goes_through():
    class Stops:
        predicted = 0

        def predict(self, x):
            self.predicted += 1
            if self.predicted == 50:
                raise KeyboardInterrupt
            return 0

        def learn(self, x, y):
            pass

    stream = streams.delay(streams.take(streams.SEA(), 100), 10)
    with pytest.raises(KeyboardInterrupt):
        run(stream, Stops(), Reevaluating())

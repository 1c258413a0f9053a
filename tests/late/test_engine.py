"""Late labels carried out: the same log however it is driven, and nothing more than it needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
import pytest

from streamgauge import detectors, late, learners, streams
from streamgauge.adapters import bind
from streamgauge.engine import run
from streamgauge.errors import LearnerError, LogError, ParameterError, TimetableError
from streamgauge.log import read_log
from streamgauge.log.about import name_of
from streamgauge.measures._compute import measure
from streamgauge.names import find, known
from streamgauge.protocols import Delayed, Prequential, Reevaluating
from streamgauge.testing import check_timetable
from streamgauge.types import NEVER, Batch, Feature, Kind, Schema

OFTEN = learners.Resetting(learners.PriorRandom(), detectors.RandomAlarms(0.2, warm_start=5))
AROUND = learners.TemporallyAugmented(learners.TemporalCorrection(OFTEN))
EVERY = [*(find("learner", name)() for name in known("learner")), OFTEN, AROUND]


@dataclass(frozen=True)
class Timed:
    """A stream of given columns, cut into batches of one size whatever size is requested."""

    schema: Schema
    x: np.ndarray
    label: np.ndarray
    out: np.ndarray | None = None
    weight: np.ndarray | None = None
    by: int = 10**9
    name: str = "timed"

    @property
    def length(self):
        return len(self.label)

    def batches(self, size=8192, seed=0):
        for low in range(0, len(self.label), self.by):
            rows = slice(low, low + self.by)
            out, weight = (None if c is None else c[rows] for c in (self.out, self.weight))
            time = np.arange(low, min(low + self.by, len(self.label)))
            yield Batch(low, self.x[rows], self.label[rows], time, out, weight)


def columns(task: str, rows: int = 500, missing: float = 0.05):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(rows, 4))
    x[:, 3] = rng.integers(0, 3, rows)
    x[rng.random((rows, 4)) < 0.03] = np.nan
    features = (Feature("a"), Feature("b"), Feature("c"), Feature("d", ("x", "y", "z")))
    unknown = rng.random(rows) < missing
    if task == "classification":
        label = (np.nan_to_num(x[:, 0] + x[:, 1]) > 0).astype(np.int32) + (x[:, 3] == 2)
        return (
            Schema(features, classes=("u", "v", "w")),
            x,
            np.where(unknown, -1, label).astype("i4"),
        )
    return Schema(features), x, np.where(unknown, np.nan, np.nan_to_num(x[:, 0] - x[:, 2]))


def delays(rows: int) -> np.ndarray:
    rng = np.random.default_rng(5)
    out = np.arange(rows) + rng.integers(0, 60, rows)
    out[rng.random(rows) < 0.05] = NEVER
    return out


def tables(log):
    found = {}
    for name in ("predictions", "labels", "training"):
        parts = [p for p in getattr(log, name)() if len(p)]
        for key in parts[0].__dataclass_fields__ if parts else ():
            held = [getattr(p, key) for p in parts]
            found[f"{name}.{key}"] = None if held[0] is None else np.concatenate(held)
    return found


def same(a, b):
    a, b = tables(a), tables(b)
    assert a.keys() == b.keys()
    for key, column in a.items():
        if column is None:
            assert b[key] is None
        else:
            np.testing.assert_array_equal(column, b[key], err_msg=key)


@dataclass
class FromPython:
    """A native learner behind a face that only Python knows."""

    inner: Any
    name: str = "from_python"
    predicted_again: list = field(default_factory=list)
    takes_missing: bool = True
    has_scores: bool = False
    numbered = True
    tracks_items = has_alarms = has_selections = measured = False
    one_by_one = None
    about: ClassVar = {}

    def predict(self, rows, first=0, items=None):
        self.predicted_again.append(len(rows))
        return self.inner.predict(rows, first, items)

    def learn(self, rows, labels, weights=None):
        self.inner.learn(rows, labels, weights)

    def test_then_train(self, *columns):
        return self.inner.test_then_train(*columns)

    def fresh(self, seed):
        return FromPython(self.inner.fresh(seed), self.name, self.predicted_again)


@pytest.mark.parametrize("learner", EVERY, ids=lambda s: type(s).__name__)
def test_zero_latency_is_test_then_train_bit_for_bit(learner):
    schema, x, label = columns(learner.task, missing=0.0)
    weight = np.random.default_rng(1).integers(0, 4, len(label)).astype(float)
    stream = Timed(schema, x, label, weight=weight)
    reference = run(stream, learner, Prequential(), seed=4)
    for protocol in (Delayed(), Reevaluating(every=3), Reevaluating(1, first_at_zero=False)):
        same(reference, run(stream, learner, protocol, seed=4))
    again = run(stream, learner, Reevaluating(), seed=4)
    for b in (0, 25, 51):
        for name in ("accuracy", "kappa_temporal") if schema.classes else ("mae", "r2"):
            found = measure(late.at_bin(again, b), name, every=100)
            np.testing.assert_array_equal(found.value, measure(reference, name, every=100).value)


@pytest.mark.parametrize(
    "name",
    [
        "river:tree.HoeffdingTreeClassifier(grace_period=50)",
        "river:forest.ARFClassifier(n_models=3)",
        "river:preprocessing.StandardScaler()|linear_model.LogisticRegression()",
        "river:dummy.PriorClassifier()",
        "sklearn:linear_model.SGDClassifier(loss='log_loss')",
    ],
)
def test_zero_latency_is_test_then_train_for_models_of_other_libraries(name):
    model = import_module("streamgauge.names").make("learner", name)
    stream = streams.take(streams.SEA(), 300)
    same(run(stream, model, seed=2), run(stream, model, Reevaluating(), seed=2))


@pytest.mark.parametrize(
    "learner",
    [one for one in EVERY if type(one.bind(columns(one.task)[0])).__name__ == "NativeLearner"],
    ids=lambda s: type(s).__name__,
)
@pytest.mark.parametrize("protocol", [Delayed(), Reevaluating(7), Reevaluating(1, tail="drop")])
def test_the_log_is_the_same_native_and_from_python_in_any_batches(learner, protocol):
    schema, x, label = columns(learner.task, 300)
    weight = np.random.default_rng(1).integers(0, 4, len(label)).astype(float)
    stream = Timed(schema, x, label, delays(len(label)), weight)
    reference = run(stream, learner, protocol, seed=5)
    for by in (1, 7, 64):
        cut = Timed(schema, x, label, delays(len(label)), weight, by)
        same(reference, run(cut, learner, protocol, seed=5))
    driven = FromPython(bind(learner, schema, 0), name_of(learner))  # seeds hang on the name
    same(reference, run(stream, driven, protocol, seed=5))


@pytest.mark.parametrize("leaf", ["majority", "nb", "nb_adaptive"])
def test_the_cache_of_a_tree_for_pending_items_is_exact(leaf):
    """Predicting each time or only if the leaf has changed gives the same log."""
    learner = learners.HoeffdingTree(grace_period=20, delta=0.01, leaf_prediction=leaf)
    schema, x, label = columns("classification", 3000)
    stream = Timed(schema, x, label, delays(len(label)))
    log, learned = run(stream, learner, Reevaluating(every=4), keep_learner=True)
    assert learned.vitals()["splits"] >= 3
    driven = FromPython(bind(learner, schema, 0), name_of(learner))
    same(log, run(stream, driven, Reevaluating(every=4)))


def test_a_python_learner_gets_one_call_per_label():
    schema, x, label = columns("classification", 300)
    stream = Timed(schema, x, np.maximum(label, 0), np.arange(300) + 100)
    driven = FromPython(bind(learners.NaiveBayes(), schema))
    run(stream, driven, Reevaluating(every=1))
    labels, arrivals = 300, 201  # the first hundred come in one call, then one between two labels
    assert len(driven.predicted_again) <= labels + arrivals
    assert sum(driven.predicted_again) > 20_000


def test_memory_is_proportional_to_pending_items():
    core = import_module("streamgauge._core")
    learner = learners.NaiveBayes().bind(Schema((Feature("a"),), classes=(0, 1)))
    flight = core.NativeInterpreter([learner], 2, False)
    sizes = []
    for step in range(200):
        item = np.arange(100 * step, 100 * step + 100, dtype=np.uint64)
        old = item - np.uint64(100) if step else item[:0]
        what = np.concatenate([np.ones(len(old)), np.zeros(100)]).astype(np.uint8)
        both = np.concatenate([old, item])
        rows, labels = np.zeros((100, 1)), np.zeros(100, np.int32)
        time, first = both.astype(np.int64), 100 * step
        flight.events(what, both, time, 10, True, True, first, rows, labels)
        sizes.append(flight.memory())
    assert len(flight) == 100
    assert max(sizes) < 2 * sizes[5]


def test_the_log_keeps_only_changes_of_predictions():
    stream = streams.delay(streams.take(streams.SEA(), 3000), 500)
    log = run(stream, learners.NaiveBayes(), Reevaluating(every=5))
    made = np.concatenate([s.kind for s in log.predictions()])
    assert (made == Kind.FIRST).sum() == 3000
    assert late.costs(log).repeated[-1] > 250_000
    assert len(made) < 6000
    for rows in late.prediction_history(log):
        inner = np.ones(len(rows.prediction), bool)
        inner[rows.starts[:-1]] = False
        at = np.flatnonzero(inner)
        assert (rows.prediction[at] != rows.prediction[at - 1]).all()


def test_a_log_read_from_disk_gives_the_same_results(tmp_path):
    stream = streams.delay(streams.take(streams.SEA(), 2000), 300)
    held = run(stream, learners.NaiveBayes(), Reevaluating(every=5))
    run(stream, learners.NaiveBayes(), Reevaluating(every=5), folder=tmp_path / "log")
    kept = read_log(tmp_path / "log")
    same(held, kept)
    for binning in ("longest", "grzenda"):
        a, b = (late.bins(log, "kappa", 20, binning=binning) for log in (held, kept))
        np.testing.assert_array_equal(a.value, b.value)
    assert late.item_changes(held).changes.tolist() == late.item_changes(kept).changes.tolist()


def test_the_tail_is_flushed_or_dropped():
    schema, x, label = columns("classification", 100)
    stream = Timed(schema, x, np.maximum(label, 0), np.arange(100) + 30)
    for protocol in (Delayed, Reevaluating):
        assert run(stream, learners.NaiveBayes(), protocol()).label_count() == 100
        dropped = run(stream, learners.NaiveBayes(), protocol(tail="drop"))
        assert dropped.label_count() == 70
        assert len(np.unique(np.concatenate([s.item for s in dropped.predictions()]))) == 100


def test_the_log_holds_both_times():
    stream = streams.delay(streams.take(streams.SEA(), 50), 7)
    log = run(stream, learners.NaiveBayes(), Delayed())
    made, true = next(log.predictions()), next(log.labels())
    assert (made.time == made.item).all()
    assert (true.time == true.item.astype(np.int64) + 7).all()
    at = measure(log, "accuracy", every=10).at
    assert at[0] == 10  # labels come in the order of items: those of the first ten are known
    assert measure(log, "accuracy", every=10, clock="predicted").at[0] == 10


def test_scores_are_kept_with_the_first_and_with_every_change():
    stream = streams.delay(streams.take(streams.SEA(), 300), 20)
    log = run(stream, learners.NaiveBayes(), Reevaluating(), scores=True)
    assert np.isfinite(measure(log, "auc").final)
    with pytest.raises(ParameterError, match="bins: measure must use predictions"):
        late.bins(log, "auc")


def test_predictions_before_a_failure_are_kept():
    class Breaks:
        seen = 0

        def predict(self, x):
            if self.seen > 20:
                raise ValueError("enough")
            return 0

        def learn(self, x, y):
            self.seen += 1

    stream = streams.delay(streams.take(streams.SEA(), 100), 10)
    with pytest.raises(LearnerError, match=r"item \d+ \(fold 0\): ValueError: enough") as caught:
        run(stream, Breaks(), Reevaluating())
    assert caught.value.log.label_count() == 21
    assert not caught.value.log.complete


def test_reading_needs_a_log_of_reevaluating():
    log = run(streams.take(streams.SEA(), 50), learners.NaiveBayes())
    for read in (late.bins, late.item_changes, late.costs, lambda x: late.at_bin(x, 0)):
        with pytest.raises(
            LogError, match="log must be of protocol reevaluating, got one of prequential"
        ):
            read(log)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Reevaluating(every=0), "Reevaluating: every must be at least 1, got 0"),
        (lambda: Reevaluating(every=1.5), "Reevaluating: every must be a whole number, got 1.5"),
        (lambda: Reevaluating(ties="first"), "ties must be 'labels_first' or 'items_first'"),
        (lambda: Delayed(tail="wait"), "Delayed: tail must be 'flush' or 'drop', got 'wait'"),
    ],
)
def test_bad_parameters_fail_at_construction(make, words):
    with pytest.raises(ParameterError, match=words):
        make()


def test_a_label_before_its_item_is_refused_by_number():
    schema, x, label = columns("classification", 10)
    out = np.arange(10) + 2
    out[6] = 3
    with pytest.raises(
        TimetableError, match="got one at 3 for item 6, which arrives 3 items later"
    ):
        run(Timed(schema, x, np.maximum(label, 0), out), learners.NaiveBayes(), Delayed())


def test_predicting_does_not_train_a_river_pipeline():
    """`learn_during_predict` lets scalers learn from rows that are only predicted."""
    river = import_module("streamgauge.names")
    name = "river:preprocessing.StandardScaler()|linear_model.LogisticRegression()"
    model = river.make("learner", name)
    stream = streams.delay(streams.take(streams.SEA(), 300), 50)
    reference = run(stream, model, Reevaluating(every=3))
    with import_module("river.compose").learn_during_predict():
        same(reference, run(stream, model, Reevaluating(every=3)))
        learner = bind(model, stream.schema)
        rows = next(stream.batches()).x
        learner.learn(rows[:20], next(stream.batches()).label[:20])
        before = learner.predict(rows).tolist(), learner.scores(rows).tolist()
        learner.predict(1e6 * rows)
        assert (learner.predict(rows).tolist(), learner.scores(rows).tolist()) == before


@pytest.mark.parametrize("split", ["cross", "split", "bootstrap"])
def test_folds_share_the_items_and_the_log_is_the_same_native_or_not(split):
    schema, x, label = columns("classification", 300)
    protocol = Reevaluating(5, folds=4, split=split)
    stream = Timed(schema, x, label, delays(len(label)))
    learner = learners.HoeffdingTree(grace_period=20)
    log = run(stream, learner, protocol, seed=5)
    driven = FromPython(bind(learner, schema, 0), name_of(learner))
    cut = Timed(schema, x, label, delays(len(label)), by=7)
    for other in (run(stream, driven, protocol, seed=5), run(cut, learner, protocol, seed=5)):
        same(log, other)
    check_timetable(protocol, np.arange(300), delays(300))
    made = np.concatenate([s.item[s.kind == Kind.FIRST] for s in log.predictions()])
    learned = np.concatenate([t.item for t in log.training()])
    predicted = np.bincount(made.astype(np.int64), minlength=300)
    learned = np.bincount(learned.astype(np.int64), minlength=300)
    known = np.isin(np.arange(300), np.concatenate([t.item for t in log.labels()]))
    assert (predicted[known] + learned[known] == 4).all()
    if split != "bootstrap":
        assert set(predicted) == {1 if split == "cross" else 3}
    whole = late.bins(log, "accuracy", 10).definition["items"]
    per_fold = [late.bins(log, "accuracy", 10, fold=f).definition["items"] for f in range(4)]
    assert int(whole) == sum(map(int, per_fold)) == predicted[known].sum()

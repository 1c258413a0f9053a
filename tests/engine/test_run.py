"""The engine: same orders, same log; a failing model loses nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pytest

from samples.examples import examples
from samples.learners import EVERY
from streamgauge import detectors, learners, streams
from streamgauge.engine import run
from streamgauge.engine._run import processors
from streamgauge.errors import DataError, LearnerError, ParameterError
from streamgauge.names import find, known
from streamgauge.protocols import Chunks, Delayed, KFold, OneFold, Prequential, Reevaluating
from streamgauge.protocols.timetable import expand
from streamgauge.types import NEVER, Arrivals, Batch, Feature, Op, Orders, Schema, Timetable

ROWS = 3000


@dataclass(frozen=True)
class Cut:
    """A stream of given columns, cut into batches of one size whatever size is requested."""

    schema: Schema
    x: np.ndarray
    label: np.ndarray
    by: int = 10**9
    weight: np.ndarray | None = None
    name: str = "cut"

    @property
    def length(self):
        return len(self.label)

    def batches(self, size=8192, seed=0):
        for low in range(0, len(self.label), self.by):
            rows = slice(low, low + self.by)
            weight = None if self.weight is None else self.weight[rows]
            yield Batch(low, self.x[rows], self.label[rows], weight=weight)


@dataclass(frozen=True)
class WrittenOut:
    """Another protocol's orders, written out one by one instead of as patterns."""

    inner: object
    folds: int = 1

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        for chunk in self.inner.timetable(arrivals, seed):
            yield expand(chunk)


@dataclass(frozen=True)
class Folds:
    """Every fold predicts every item; all folds but i % folds learn item i."""

    folds: int = 3

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        for chunk in arrivals:
            op, item, fold, weight = [], [], [], []
            for i in range(chunk.first, chunk.first + chunk.count):
                out = chunk.label_time
                known = int(out is None or out[i - chunk.first] != NEVER)
                predicted = list(range(self.folds))
                learned = [f for f in predicted if known and f != i % self.folds]
                revealed = [0] * known
                op += (
                    [Op.PREDICT] * len(predicted) + [Op.REVEAL] * known + [Op.LEARN] * len(learned)
                )
                item += [i] * (len(predicted) + known + len(learned))
                fold += [*predicted, *revealed, *learned]
                weight += [1.0] * (len(predicted) + known) + [float(i % 3)] * len(learned)
            n = len(op)
            yield Orders(
                np.array(op, np.uint8),
                np.array(item, np.uint64),
                np.array(fold, np.uint16),
                np.zeros(n, np.uint32),
                np.zeros(n, np.uint8),
                np.array(weight),
                np.array(item, np.int64),
                chunk.first + chunk.count,
            )


def columns(task: str, rows: int = ROWS, missing: bool = False):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(rows, 4))
    x[:, 3] = rng.integers(0, 3, rows)
    if missing:
        x[rng.random((rows, 4)) < 0.05] = np.nan
    features = (Feature("a"), Feature("b"), Feature("c"), Feature("d", ("x", "y", "z")))
    unknown = rng.random(rows) < 0.1
    if task == "classification":
        label = (np.nan_to_num(x[:, 0] + x[:, 1]) > 0).astype(np.int32) + (x[:, 3] == 2)
        label = np.where(unknown, -1, label).astype(np.int32)
        return Schema(features, classes=("u", "v", "w")), x, label
    real = np.where(unknown, np.nan, np.nan_to_num(x[:, 0] - x[:, 2]))
    return Schema(features, classes=None), x, real


def tables(log):
    out = {}
    for name in ("predictions", "labels", "training"):
        parts = list(getattr(log, name)())
        keys = list(parts[0].__dataclass_fields__) if parts else []
        for key in keys:
            held = [getattr(p, key) for p in parts if len(p)]
            out[f"{name}.{key}"] = None if not held or held[0] is None else np.concatenate(held)
    made = log.alarms()
    out["alarms.item"], out["alarms.fold"] = made.item, made.fold
    out["alarms.detector"], out["alarms.kind"] = np.array(made.detector), np.array(made.kind)
    return out


def same(a, b):
    a, b = tables(a), tables(b)
    assert a.keys() == b.keys()
    for key, column in a.items():
        other = b[key]
        if column is None or other is None:
            assert column is other or (column is None and not len(other)), key
            continue
        np.testing.assert_array_equal(column, other, err_msg=key)


OFTEN = learners.Resetting(learners.PriorRandom(), detectors.RandomAlarms(0.2, warm_start=5))
INSIDE = learners.Resetting(learners.TemporallyAugmented(learners.Resetting()), OFTEN.detector)
AROUND = learners.TemporallyAugmented(learners.TemporalCorrection(OFTEN))
NATIVE = [*(find("learner", name)() for name in known("learner")), OFTEN, INSIDE, AROUND]
"""As they come; and with small numbers, so that a short stream reaches all they do."""
NATIVE += [s for s in EVERY if s not in NATIVE and s != learners.Persistent(first="b")]


@pytest.mark.parametrize("learner", NATIVE, ids=repr)
@pytest.mark.parametrize(
    "protocol", [Prequential(), Prequential(pretrain=50), Chunks(size=64), Folds()], ids=repr
)
def test_same_orders_same_log(learner, protocol):
    """Driven in Rust by patterns, or item by item by written-out orders, in any chunks."""
    schema, x, label = columns(learner.task, examples(600), missing=True)
    weight = np.random.default_rng(1).integers(0, 4, len(label)).astype(float)
    reference = run(Cut(schema, x, label, weight=weight), learner, protocol, seed=5)
    for by in (1, 7, 1024):
        same(reference, run(Cut(schema, x, label, by, weight), learner, protocol, seed=5))
    if not isinstance(protocol, Folds):
        for by in (7, 1024):
            again = WrittenOut(protocol)
            same(reference, run(Cut(schema, x, label, by, weight), learner, again, seed=5))


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_two_runs_in_threads_give_the_logs_of_one_thread(task):
    schema, x, label = columns(task, 1000, missing=True)
    stream = Cut(schema, x, label, 500)
    specs = [s for s in NATIVE if s.task == task]
    one = [run(stream, learner, seed=3) for learner in specs]
    with ThreadPoolExecutor(2) as pool:
        two = list(pool.map(lambda learner: run(stream, learner, seed=3), specs))
    for a, b in zip(one, two, strict=True):
        same(a, b)


@pytest.mark.parametrize("learner", NATIVE, ids=repr)
def test_folds_on_any_number_of_threads_give_the_same_log(learner):
    schema, x, label = columns(learner.task, examples(400), missing=True)
    stream = Cut(schema, x, label, 60)
    for protocol in (
        Delayed(folds=4),
        Delayed(folds=3, split="split"),
        Reevaluating(every=20, folds=2, split="bootstrap"),
    ):
        late = stream if isinstance(protocol, Delayed) else streams.delay(stream, 30)
        one = run(late, learner, protocol, seed=3, threads=1)
        for threads in (2, 7, None):
            same(one, run(late, learner, protocol, seed=3, threads=threads))


def test_the_number_of_threads_is_at_least_one():
    schema, x, label = columns("classification", 20)
    with pytest.raises(ParameterError, match="threads must be at least 1, got 0"):
        run(Cut(schema, x, label), learners.Persistent(), threads=0)


def test_a_run_records_its_resources():
    schema, x, label = columns("classification", 2000)
    resources = run(Cut(schema, x, label), learners.HoeffdingTree()).resources
    assert resources.keys() - {"energy_joules"} == {
        "items",
        "seconds",
        "cpu_seconds",
        "read_seconds",
        "log_seconds",
        "predict_seconds_per_item",
        "learn_seconds_per_item",
        "timed_items",
        "learner_bytes",
        "resident_bytes",
    }
    assert 2000 < resources["learner_bytes"] < 100_000 < resources["resident_bytes"]


class Last:
    """A model of no known library."""

    def __init__(self, fails_at=None):
        self.prediction, self.learned, self.fails_at = None, 0, fails_at

    def predict(self, x):
        return self.prediction

    def learn(self, x, y):
        if self.learned == self.fails_at:
            raise RuntimeError("out of ideas")
        self.learned += 1
        self.prediction = y


def test_a_foreign_model_gives_the_log_of_the_native_one():
    schema, x, label = columns("classification")
    stream = Cut(schema, x, label)
    same(run(stream, Last()), run(stream, learners.Persistent()))


def test_rows_before_a_failure_under_written_out_orders_are_kept():
    schema, x, label = columns("classification")
    label = np.abs(label)
    with pytest.raises(LearnerError, match="item 321") as e:
        run(Cut(schema, x, label), Last(fails_at=321), WrittenOut(Prequential()))
    assert sum(len(s) for s in e.value.log.predictions()) == 322
    assert sum(len(t) for t in e.value.log.training()) == 321


@pytest.mark.parametrize("on_disk", [False, True])
def test_a_failure_names_the_item_and_keeps_the_rows(tmp_path, on_disk):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(6000, 2)), rng.integers(0, 2, 6000).astype(np.int32)
    stream = Cut(Schema((Feature("a"), Feature("b")), classes=(0, 1)), x, y)
    folder = tmp_path / "log" if on_disk else None
    with pytest.raises(
        LearnerError, match=r"Last\(.*\): learn failed at item 4,321 .*out of ideas"
    ) as e:
        run(stream, Last(fails_at=4321), folder=folder)
    log = e.value.log
    assert e.value.item == 4321
    assert not log.complete
    pairs = list(log.labelled_predictions())
    label = np.concatenate([p.label for p in pairs])
    assert len(label) >= 4321
    np.testing.assert_array_equal(label, y[: len(label)])


def test_the_users_model_is_never_changed():
    schema, x, label = columns("classification")
    model = Last()
    run(Cut(schema, x, label), model)
    assert model.learned == 0
    _, kept = run(Cut(schema, x, label), learners.NaiveBayes(), keep_learner=True)
    assert (kept.predict(x[:5]) >= 0).all()


def test_scores_are_recorded_only_on_request():
    schema, x, label = columns("classification")
    stream = Cut(schema, x, label)
    plain, scored = (
        run(stream, learners.NaiveBayes()),
        run(stream, learners.NaiveBayes(), scores=True),
    )
    assert all(p.scores is None for p in plain.labelled_predictions())
    sheet = np.concatenate([p.scores for p in scored.labelled_predictions()])
    assert sheet.shape[1] == 3
    scored = ~np.isnan(sheet[:, 0])
    np.testing.assert_allclose(sheet[scored].sum(1), 1)
    with pytest.raises(ParameterError, match="scores must be False"):
        run(stream, Last(), scores=True)


def test_missing_values_are_refused_for_a_learner_that_cannot_take_them():
    schema, x, label = columns("classification", missing=True)
    with pytest.raises(
        DataError, match=r"got a missing '.' in item \d+; read the stream with impute"
    ):
        run(Cut(schema, x, label), Last())


def test_an_empty_stream_gives_an_empty_log():
    schema, x, label = columns("classification", 0)
    log = run(Cut(schema, x, label), learners.NaiveBayes())
    assert log.complete
    assert not list(log.labelled_predictions())


def test_progress_counts_every_item():
    calls = []
    schema, x, label = columns("classification")
    run(Cut(schema, x, label), learners.NaiveBayes(), progress=lambda n, of: calls.append((n, of)))
    assert calls[-1] == (ROWS, ROWS)


def test_seeds_depend_on_names_not_on_order():
    stream = streams.from_arrays(np.zeros((500, 1)), np.arange(500) % 3)
    one = run(stream, learners.PriorRandom(), seed=1)
    run(stream, learners.NaiveBayes(), seed=9)
    same(one, run(stream, learners.PriorRandom(), seed=1))
    other = np.concatenate(
        [s.prediction for s in run(stream, learners.PriorRandom(), seed=2).predictions()]
    )
    assert (other != np.concatenate([s.prediction for s in one.predictions()])).any()


def test_processors_are_those_that_this_process_may_use(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0: {1, 4, 7}}[pid], raising=False)
    assert processors() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert processors() == 5
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert processors() == 1


@pytest.mark.parametrize("name", ["naive_bayes", "nb", "resetting", "no_change"])
def test_a_name_or_alias_of_another_learner_is_refused(name):
    with pytest.raises(ParameterError, match=f"name must not be that of another .* got '{name}'"):
        run("sea(items=9)", learners.MajorityClass(), name=name)
    for own in ("majority_class", "majority", "mc", "mine"):
        assert run("sea(items=9)", learners.MajorityClass(), name=own).about["learner"] == own


def test_signals_and_selections_of_folds_are_logged_over_many_steps():
    """The first step of a learner that is not native has 64 items."""
    learner = "resetting(nb, random_alarms(p=0.2, warm_start=5))"
    log = run("sea(items=400)", learner, "k_fold(k=3)")
    for fold in range(3):
        alone = run("sea(items=400)", learner, OneFold(KFold(3), fold))
        rows = log.alarms()
        assert rows.item[rows.fold == fold].tolist() == alone.alarms().item.tolist()
        assert len(alone.alarms().item) > 10
    pairs = list(zip(rows.item.tolist(), rows.fold.tolist(), strict=True))
    assert pairs == sorted(pairs)

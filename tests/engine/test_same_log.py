"""Same timetable, same log: patterns, events and written-out orders give the same rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from samples.examples import examples
from streamgauge import detectors, learners
from streamgauge.engine import run
from streamgauge.log import Log, one_fold
from streamgauge.log.labelled_predictions import previous_labels
from streamgauge.log.rows import FoldRows
from streamgauge.protocols import (
    Chunks,
    Delayed,
    Holdout,
    Interleaved,
    KFold,
    OneFold,
    PeriodicHoldout,
    Prequential,
    Reevaluating,
)
from streamgauge.protocols.timetable import expand
from streamgauge.types import NEVER, Arrivals, Batch, Feature, Schema, Timetable, Updates


@dataclass(frozen=True)
class Given:
    """A stream of one batch, cut into batches of one size whatever size is requested."""

    schema: Schema
    batch: Batch
    by: int = 10**9
    name: str = "given"

    @property
    def length(self):
        return len(self.batch)

    def batches(self, size=8192, seed=0):
        for low in range(0, len(self.batch), self.by):
            yield self.batch.slice(low, low + self.by)


@dataclass(frozen=True)
class WrittenOut:
    """Another protocol's orders, written out one by one."""

    inner: object

    @property
    def folds(self):
        return self.inner.folds

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        for chunk in self.inner.timetable(arrivals, seed):
            yield expand(chunk)


@dataclass
class CountingLearner:
    """A model of one's own: predicts by counts of labels near a row's first cell."""

    reals: bool = False
    counts: dict = field(default_factory=dict)
    calls: list = field(default_factory=list)

    def predict(self, x):
        return self._of(x)

    def learn(self, x, y, weight=1.0):
        cell = self.counts.setdefault(self._key(x), np.zeros(4))
        if self.reals:
            cell[:2] += weight * y, weight
        else:
            cell[y] += weight

    def scores(self, x):
        cell = self.counts.get(self._key(x), np.zeros(4))[:3]
        return cell / max(cell.sum(), 1.0)

    def _of(self, x):
        cell = self.counts.get(self._key(x))
        if cell is None or not cell.any():
            return None
        return cell[0] / max(cell[1], 1e-9) if self.reals else int(cell[:3].argmax())

    def _key(self, x):
        return int(np.floor(2 * np.nan_to_num(x[0])))


class ArrayCountingLearner(CountingLearner):
    """The same model, called with arrays."""

    def predict_many(self, rows):
        none = np.nan if self.reals else -1
        made = [none if (p := self._of(x)) is None else p for x in rows]
        return np.array(made, dtype=float if self.reals else int)

    def learn_many(self, rows, labels, weight=None):
        weights = np.ones(len(rows)) if weight is None else weight
        for x, y, w in zip(rows, labels.tolist(), weights.tolist(), strict=True):
            self.learn(x, y, w)


def random_stream(seed: int, reals: bool, least: int = 0) -> tuple[Schema, Batch]:
    """Ties, late and missing labels, weights, updates; any of them may be absent."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(least, 40))
    x = rng.normal(size=(n, 3))
    x[:, 2] = rng.integers(0, 3, n)
    features = (Feature("a"), Feature("b"), Feature("c", ("u", "v", "w")))
    schema = Schema(features, classes=None if reals else ("k", "l", "m"))
    label = rng.normal(size=n) if reals else rng.integers(0, 3, n).astype(np.int32)
    time = np.cumsum(rng.integers(0, 3, n)) if rng.random() < 0.7 else None
    start = np.arange(n) if time is None else time
    label_time = None
    if rng.random() < 0.8:
        label_time = start + rng.integers(0, 12, n) * (rng.random(n) < 0.8)
        label_time[rng.random(n) < 0.1] = NEVER
    if rng.random() < 0.4:
        gone = rng.random(n) < 0.15
        label = np.where(gone, np.nan if reals else -1, label).astype(label.dtype)
        label_time = None if label_time is None else np.where(gone, NEVER, label_time)
    weight = rng.integers(0, 4, n).astype(float) if rng.random() < 0.5 else None
    updates = None
    if rng.random() < 0.7 and n:
        item = np.sort(rng.integers(0, n, 2 * n))
        when = start[item] + rng.integers(1, 12, 2 * n)
        order = np.lexsort((item, when))
        updates = Updates(item[order].astype(np.uint64), when[order], rng.normal(size=(2 * n, 3)))
        updates.x[:, 2] = rng.integers(0, 3, 2 * n)
    return schema, Batch(0, x, label, time, label_time, weight, updates)


def tables(log: Log) -> dict[str, np.ndarray | None]:
    """Every column of every table, whole."""
    out = {}
    for name in ("predictions", "labels", "training"):
        parts = [part for part in getattr(log, name)() if len(part)]
        for key in parts[0].__dataclass_fields__ if parts else ():
            held = [getattr(part, key) for part in parts]
            out[f"{name}.{key}"] = None if held[0] is None else np.concatenate(held)
    alarms = log.alarms()
    return {**out, "alarms": np.array([*alarms.item, *alarms.fold], np.int64)}


def same(a: Log, b: Log, about: object) -> None:
    one, other = tables(a), tables(b)
    assert one.keys() == other.keys(), about
    for key, column in one.items():
        np.testing.assert_array_equal(column, other[key], err_msg=f"{key}, {about}")


LATE = [
    {"ties": "labels_first"},
    {"ties": "items_first", "tail": "drop"},
    {"folds": 3, "split": "cross"},
    {"folds": 2, "split": "split", "ties": "items_first"},
    {"folds": 3, "split": "bootstrap"},
]
PROTOCOLS = [
    Prequential(ignore_delays=True),
    Prequential(pretrain=5, ignore_delays=True),
    Chunks(size=4, pretrain=3, ignore_delays=True),
    *(Delayed(**how) for how in LATE),
    *(Reevaluating(every=1 + i % 3, first_at_zero=i % 2 == 0, **how) for i, how in enumerate(LATE)),
]
TREE = learners.HoeffdingTree(grace_period=3, delta=0.4)
RESETTING = learners.Resetting(learners.NaiveBayes(), detectors.RandomAlarms(0.2, warm_start=3))
CLASSIFIERS = {
    "native": learners.NaiveBayes(),
    "native tree": TREE,
    "native without rows": learners.Persistent(),
    "native by item": learners.PriorRandom(),
    "driven": CountingLearner(),
    "arrays": ArrayCountingLearner(),
    "arrays, remembers": learners.TemporallyAugmented(learners.NaiveBayes(), order=2),
    "arrays, remembers predictions": learners.TemporallyAugmented(
        CountingLearner(), late="prediction"
    ),
    "arrays, watches": RESETTING,
}
REGRESSORS = {
    "native": learners.LinearRegression(),
    "driven": CountingLearner(reals=True),
    "arrays": ArrayCountingLearner(reals=True),
}
CASES = [(name, learner, False) for name, learner in CLASSIFIERS.items()]
CASES += [(f"{name}, reals", learner, True) for name, learner in REGRESSORS.items()]


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=repr)
@pytest.mark.parametrize(("name", "learner", "reals"), CASES, ids=[c[0] for c in CASES])
def test_every_form_of_a_timetable_gives_the_same_rows(name, learner, reals, protocol):
    for seed in range(examples(12)):
        schema, batch = random_stream(seed, reals)
        scores = not reals and seed % 2 == 0
        how = {"seed": seed, "scores": scores}
        short = run(Given(schema, batch), learner, protocol, **how)
        for by in (1, 7, 3, 10**9)[: examples(8)]:
            cut = Given(schema, batch, by)
            about = (name, seed, by)
            same(short, run(cut, learner, protocol, **how), about)
            same(short, run(cut, learner, WrittenOut(protocol), **how), about)


MORE = [
    Prequential(pretrain=5, ignore_delays=True, folds=3, split="bootstrap"),
    KFold(2, "split", variant="moa", ignore_delays=True),
    Chunks(size=4, pretrain=3, ignore_delays=True, folds=3, split="cross"),
    Holdout(4, 5, ignore_delays=True),
    PeriodicHoldout(4, 5, 3, ignore_delays=True),
    PeriodicHoldout(3, 4, 2, ignore_delays=True, folds=3, split="bootstrap"),
    Interleaved(6, 4, ignore_delays=True),
    Interleaved(6, 4, ignore_delays=True, folds=2, split="cross"),
]


@pytest.mark.parametrize("protocol", MORE, ids=repr)
@pytest.mark.parametrize(("name", "learner", "reals"), CASES, ids=[c[0] for c in CASES])
def test_every_form_of_folds_and_holdouts_gives_the_same_rows(name, learner, reals, protocol):
    for seed in (1, 2):
        schema, batch = random_stream(seed, reals, least=30)
        how = {"seed": seed, "scores": not reals and seed == 2}
        short = run(Given(schema, batch), learner, protocol, **how)
        cut = Given(schema, batch, by=7)
        same(short, run(cut, learner, protocol, **how), (name, seed))
        same(short, run(cut, learner, WrittenOut(protocol), **how), (name, seed))


@pytest.mark.parametrize("variant", ["default", "moa"])
@pytest.mark.parametrize("split", ["cross", "split", "bootstrap"])
@pytest.mark.parametrize(("name", "learner", "reals"), CASES, ids=[c[0] for c in CASES])
def test_folds_of_items_with_labels_are_short_rows(name, learner, reals, split, variant):
    """With and without times and weights, samples of vitals in between."""
    for seed in (1, 2, 3, 5):
        schema, batch = random_stream(seed, reals, least=30)
        label = np.nan_to_num(batch.label) if reals else np.maximum(batch.label, 0)
        stream = Given(schema, replace(batch, label=label, label_time=None), by=11)
        protocol = KFold(3, split, variant=variant)
        long = run(stream, learner, WrittenOut(protocol), seed=seed)
        for every in (0, 4):
            short = run(stream, learner, protocol, seed=seed, vitals_every=every)
            same(short, long, (name, seed, every))
            assert short.label_count() == len(label)
            native = name.startswith("native")
            assert all(isinstance(rows, FoldRows) == native for rows in short.tables.rows)
        for fold in (*range(3), None):
            same(one_fold(short, fold), one_fold(long, fold), (name, seed, fold))
            for one, other in zip(paired(short, fold), paired(long, fold), strict=True):
                np.testing.assert_array_equal(one, other)


def paired(log: Log, fold: int | None) -> list[np.ndarray]:
    """Items, times, labels, predictions, weights and previous labels of the pairs, whole."""
    parts = [
        (
            pairs.items,
            pairs.items if pairs.time is None else pairs.time,
            pairs.label,
            pairs.prediction,
            np.ones(len(pairs)) if pairs.weight is None else pairs.weight,
            previous,
        )
        for pairs, previous in previous_labels(log.labelled_predictions(fold))
    ]
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


ALL_FOLDS = [p for p in (*PROTOCOLS[-1:], *MORE) if p.folds > 1]


@pytest.mark.parametrize("protocol", ALL_FOLDS, ids=repr)
@pytest.mark.parametrize(("name", "learner", "reals"), CASES, ids=[c[0] for c in CASES])
def test_folds_of_one_run_are_runs_of_one_fold(name, learner, reals, protocol):
    """Bit for bit, on one thread and on two."""
    schema, batch = random_stream(3, reals, least=30)
    stream = Given(schema, batch)
    whole = run(stream, learner, protocol, seed=4, threads=2)
    same(whole, run(stream, learner, protocol, seed=4, threads=1), name)
    for fold in range(protocol.folds):
        alone = run(stream, learner, OneFold(protocol, fold), seed=4, threads=1)
        same(one_fold(whole, fold), alone, (name, fold))


@pytest.mark.parametrize("reals", [False, True])
def test_a_model_called_by_item_or_with_arrays_gives_the_same_log(reals):
    for seed in range(examples(12)):
        schema, batch = random_stream(seed, reals)
        for protocol in PROTOCOLS:
            how = {"seed": seed, "scores": not reals}
            one = run(Given(schema, batch), CountingLearner(reals=reals), protocol, **how)
            many = run(Given(schema, batch), ArrayCountingLearner(reals=reals), protocol, **how)
            same(one, many, (seed, protocol))


def test_without_delays_all_protocols_by_item_are_prequential():
    for seed in range(6):
        schema, batch = random_stream(seed, False)
        label = np.maximum(batch.label, 0)
        prompt = replace(batch, label=label, label_time=None, updates=None)
        for learner in CLASSIFIERS.values():
            plain = run(Given(schema, prompt), learner, Prequential())
            for protocol in (Delayed(), Reevaluating(every=2)):
                same(plain, run(Given(schema, prompt), learner, protocol), (seed, learner))


def test_updates_reach_learners_through_written_out_orders():
    """Before: a second interpreter ignored updates, and wrote rows that were no changes."""
    schema = Schema((Feature("a"),), classes=("k", "l"))
    x = np.array([[0.0], [5.0], [0.0], [0.0]])
    label = np.array([0, 1, 1, 0], np.int32)
    late = np.array([0, 1, 6, 5])
    updates = Updates(np.array([2], np.uint64), np.array([4]), np.array([[5.0]]))
    batch = Batch(0, x, label, None, late, None, updates)
    protocol = WrittenOut(Reevaluating(every=1))
    log = run(Given(schema, batch), CountingLearner(), protocol)
    rows = [
        (s.item[i], s.prediction[i])
        for s in log.predictions()
        for i in range(len(s))
        if s.item[i] == 2
    ]
    assert rows == [(2, 0), (2, 1)], "row 2 changes from a cell of class 0 to one of class 1"

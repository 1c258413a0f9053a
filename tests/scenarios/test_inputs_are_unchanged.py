"""No run changes its inputs: the user's arrays and tables are identical to the bit after it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.linear_model import SGDClassifier, SGDRegressor

import streamgauge as sg
from streamgauge import streams
from streamgauge.names import make
from streamgauge.streams import from_arrays, from_events, open_stream

N = 40


def columns(task, seed=0):
    """Make features, labels, times, label times and weights; some are missing."""
    rng = np.random.default_rng(seed)
    x = rng.random((N, 3))
    y = rng.integers(0, 3, N).astype(float) if task == "classification" else rng.random(N)
    y[rng.random(N) < 0.1] = np.nan
    time = np.arange(N) * 10
    late = rng.integers(0, 200, N)
    return x, y, time, np.where(rng.random(N) < 0.2, np.nan, time + late), rng.random(N)


def arrays(task, late, dtype=np.float64):
    x, y, time, known, weight = columns(task)
    own = [np.ascontiguousarray(x, dtype), y, time, known, weight]
    options = {"time": own[2], "label_time": own[3]} if late else {}
    return from_arrays(own[0], own[1], task=task, weight=own[4], **options), own


def whole_labels(task, late):
    """Make labels that need no conversion, which are passed on without a copy."""
    x, y, time, known, weight = columns(task)
    y = np.nan_to_num(y) if task == "regression" else np.nan_to_num(y).astype(np.int32)
    own = [x, y, time, known, weight]
    options = {"time": time, "label_time": known} if late else {}
    return from_arrays(x, y, task=task, weight=weight, **options), own


def frame(task, late):
    x, y, time, known, weight = columns(task)
    table = pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "w": weight, "t": time, "k": known, "y": y})
    return _opened(table, task, late), [table]


def polars(task, late):
    table = pl.from_pandas(frame(task, late)[1][0])
    return _opened(table, task, late), [table]


def arrow(task, late):
    table = pa.Table.from_pandas(frame(task, late)[1][0])
    return _opened(table, task, late), [table]


def _opened(table, task, late):
    options = {"time": "t", "label_time": "k"} if late else {"drop": ["t", "k"]}
    return open_stream(table, target="y", weight="w", task=task, **options)


def events(task, late):
    """Make arrivals each followed by its label; or all arrivals, some updates, all labels."""
    _, y, *_ = columns(task)
    item = np.repeat(np.arange(N), 2)
    label = np.where(np.arange(2 * N) % 2 == 1, np.repeat(y, 2), np.nan)
    if late:
        item = np.concatenate([np.arange(N), np.arange(0, N, 3), np.arange(N)])
        label = np.concatenate([np.full(N + len(range(0, N, 3)), np.nan), y])
    rows = np.random.default_rng(1).random((len(item), 3))
    time = np.arange(len(item)) * 7 if late else item * 7
    own = [item, rows, label, time]
    known = ~np.isnan(y[item]) | (np.arange(len(item)) < N if late else np.arange(2 * N) % 2 == 0)
    given = [column[known] for column in own]
    return from_events(*given, task=task), given


SOURCES = {
    "arrays": arrays,
    "arrays of float32": lambda task, late: arrays(task, late, np.float32),
    "arrays of whole labels": whole_labels,
    "pandas": frame,
    "polars": polars,
    "arrow": arrow,
    "events": events,
}

PROTOCOLS = {
    "prequential": (False, sg.protocols.Prequential()),
    "prequential, delays ignored": (True, sg.protocols.Prequential(pretrain=5, ignore_delays=True)),
    "chunks": (False, sg.protocols.Chunks(7)),
    "chunks, delays ignored": (True, sg.protocols.Chunks(7, ignore_delays=True)),
    "delayed": (True, sg.protocols.Delayed()),
    "delayed folds": (True, sg.protocols.Delayed(folds=2)),
    "reevaluating": (True, sg.protocols.Reevaluating(every=2)),
    "reevaluating folds": (True, sg.protocols.Reevaluating(every=3, folds=2, split="bootstrap")),
}
"""Name -> whether the stream has delayed labels, and the protocol."""


class WritingModel:
    """A Python model that writes into its arguments."""

    def predict(self, x):
        overwrite(x)
        return 0

    def learn(self, x, y, weight=1.0):
        overwrite(x)

    def fresh(self, seed=0):
        return WritingModel()


def overwrite(*arrays):
    for array in arrays:
        if isinstance(array, np.ndarray) and array.flags.writeable:
            array[...] = 0


class WritingClassifier(SGDClassifier):
    """A scikit-learn classifier that writes into its arguments."""

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        super().partial_fit(X, y, classes, sample_weight)
        overwrite(X, y, sample_weight)
        return self

    def predict(self, X):
        found = super().predict(X)
        overwrite(X)
        return found


class WritingRegressor(SGDRegressor):
    """A scikit-learn regressor that writes into its arguments."""

    def partial_fit(self, X, y, sample_weight=None):
        super().partial_fit(X, y, sample_weight)
        overwrite(X, y, sample_weight)
        return self

    def predict(self, X):
        found = super().predict(X)
        overwrite(X)
        return found


def native(task):
    names = {"classification": "naive_bayes", "regression": "recursive_least_squares"}
    return make("learner", names[task])


def with_arrays(task):
    return WritingClassifier() if task == "classification" else WritingRegressor()


LEARNERS = {
    "native": native,
    "item by item": lambda task: WritingModel(),
    "with arrays": with_arrays,
}

COMBINED = {
    "as it is": lambda s: s,
    "take": lambda s: streams.take(s, 30),
    "skip": lambda s: streams.skip(s, 10),
    "delay": lambda s: streams.delay(s, 5),
    "impute": streams.impute,
    "shuffle": streams.shuffle,
    "shuffle_within_class": lambda s: (
        streams.shuffle_within_class(s) if s.schema.classes else streams.shuffle(s)
    ),
    "concatenate": lambda s: streams.concatenate(streams.take(s, 20), streams.skip(s, 20)),
    "mix": lambda s: streams.mix(s, s, width=20),
    "drift": lambda s: streams.drift(s, streams.skip(s, 10), at=12, width=6),
    "relabel": lambda s: streams.relabel(s, "invert"),
    "split_on": lambda s: streams.split_on(s, s.schema.names[0], at=0.5)[1],
    "update": lambda s: streams.update(
        s,
        np.arange(0, 30, 3),
        times(s)[np.arange(0, 30, 3)] + 3,
        np.full((10, len(s.schema.features)), 0.5),
    ),
    "revise": lambda s: (
        streams.revise(s, after=s.schema.names[0], columns={s.schema.names[1]: s.schema.names[-1]})
        if len(s.schema.names) > 2
        else s
    ),
}


def times(stream):
    return np.concatenate([batch.times for batch in stream.batches()])


def content(thing):
    """Return all bytes of an array or a table."""
    if isinstance(thing, np.ndarray):
        return thing.dtype.str, thing.shape, thing.tobytes()
    if isinstance(thing, pa.Table):
        chunks = [c for column in thing.columns for c in column.chunks]
        buffers = [b.to_pybytes() for chunk in chunks for b in chunk.buffers() if b is not None]
        return str(thing.schema), buffers
    table = thing.to_pandas() if isinstance(thing, pl.DataFrame) else thing
    return list(table.columns), [table[name].to_numpy().tobytes() for name in table.columns]


def assert_unchanged(own, work):
    """Call `work` and check that the user's arrays and tables are unchanged."""
    before = [content(thing) for thing in own]
    work()
    assert [content(thing) for thing in own] == before


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("source", SOURCES)
def test_no_run_changes_its_inputs(source, protocol, learner):
    late, plan = PROTOCOLS[protocol]
    for task in ("classification", "regression"):
        stream, own = SOURCES[source](task, late)
        assert_unchanged(own, lambda s=stream, t=task: sg.run(s, LEARNERS[learner](t), plan))


@pytest.mark.parametrize("how", COMBINED)
@pytest.mark.parametrize("source", ["arrays", "arrays of whole labels", "events"])
def test_no_combinator_changes_its_inputs(source, how):
    for task in ("classification", "regression"):
        for late, plan in (PROTOCOLS["chunks, delays ignored"], PROTOCOLS["reevaluating"]):
            stream, own = SOURCES[source](task, late)

            def work(stream=stream, task=task, plan=plan):
                combined = COMBINED[how](stream)
                for size in (1, 7, 1000):
                    for _ in combined.batches(size):
                        pass
                sg.run(combined, native(task), plan)

            assert_unchanged(own, work)


def test_features_are_passed_on_without_a_copy():
    """Otherwise the tests above would be trivial."""
    stream, own = arrays("regression", late=False)
    assert all(np.shares_memory(batch.x, own[0]) for batch in stream.batches(7))
    stream, own = whole_labels("regression", late=True)
    for batch in stream.batches(7):
        assert np.shares_memory(batch.label, own[1])
        assert np.shares_memory(batch.weight, own[4])


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_log_does_not_change_with_the_arrays_it_was_made_from(protocol):
    """A user may overwrite an array after a run."""
    late, plan = PROTOCOLS[protocol]
    for task in ("classification", "regression"):
        stream, own = whole_labels(task, late)
        log = sg.run(stream, native(task), plan)

        def rows(log=log):
            return [
                content(getattr(part, name))
                for table in (log.predictions(), log.labels(), log.training())
                for part in table
                for name in part.__dataclass_fields__
                if getattr(part, name) is not None
            ]

        before = rows()
        for array in own:
            array[...] = 0
        assert rows() == before

"""Weights of items reach every measure that is defined with weights."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from measures.test_recounts import RECOUNTS, close_kappa
from oracles import measures as oracle
from streamgauge import learners, streams
from streamgauge.late import at_bin
from streamgauge.log import Log, one_fold, read_log
from streamgauge.names import make
from streamgauge.protocols import Chunks, Delayed, Prequential, Reevaluating
from streamgauge.protocols.timetable import expand
from streamgauge.report.baselines import baselines

N = 120
RNG = np.random.default_rng(5)
WEIGHT = RNG.choice([0.0, 0.25, 1.0, 3.0, 1e4], N)
LATE = np.arange(N) + RNG.integers(0, 9, N)
CODES = RNG.integers(0, 3, N)
REALS = RNG.normal(size=N).round(2)
X = np.column_stack([RNG.normal(size=N), CODES + RNG.normal(size=N)])


@dataclass(frozen=True)
class InOrders:
    """A protocol whose events are expanded to orders."""

    protocol: Any

    @property
    def folds(self) -> int:
        return int(self.protocol.folds)

    def timetable(self, arrivals: Any, seed: int = 0) -> Any:
        return map(expand, self.protocol.timetable(arrivals, seed))


PROTOCOLS = [
    Prequential(pretrain=3, ignore_delays=True),
    Chunks(7, ignore_delays=True),
    Delayed(),
    InOrders(Delayed(ties="items_first")),
    Delayed(folds=3, split="cross"),
    Reevaluating(3),
]
"""In each, an item is predicted for the first time at most once."""


def stream(real: bool, weight: Any = WEIGHT) -> Any:
    late = np.where(np.arange(N) % 10 == 4, np.nan, LATE)  # some labels never arrive
    task = {} if real else {"classes": (0, 1, 2)}
    return streams.from_arrays(
        X, REALS if real else CODES, label_time=late, weight=weight,
        task="regression" if real else "classification", **task,
    )  # fmt: skip


def run(real: bool, protocol: Any, **more: Any) -> Log:
    learner = learners.LinearRegression() if real else learners.NaiveBayes()
    log: Log = sg.run(stream(real), learner, protocol, scores=not real, **more)
    return log


def recounted(log: Log, real: bool) -> list[oracle.Row]:
    """Rows in the order labels became known, from the tables of the log and the stream."""
    first: dict[int, Any] = {}
    for part in log.predictions():
        for row in np.flatnonzero(part.turn == 0).tolist():
            prediction = part.prediction[row].item()
            none = prediction != prediction if real else prediction < 0
            scores = None if part.scores is None else tuple(part.scores[row].tolist())
            first[int(part.item[row])] = (None if none else prediction, scores)
    label = {}
    for true in log.labels():
        label.update(zip(true.item.tolist(), true.label.tolist(), strict=True))
    items, ordered = [i for i in label if i in first], sorted(label)
    previous = {b: label[a] for a, b in pairwise(ordered)}
    return oracle.prepared(
        [label[i] for i in items],
        [first[i][0] for i in items],
        None if real else 3,
        [float(WEIGHT[i]) for i in items],
        [previous.get(i) for i in items],
        None if real else [first[i][1] for i in items],
    )


def weighable(task: str) -> list[str]:
    found = [m for m in RECOUNTS if make("measure", m).task == task]
    return [m for m in found if make("measure", m).weighable()]


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("protocol", PROTOCOLS, ids=str)
def test_every_weighted_measure_of_a_run_is_recounted(
    protocol: Any, real: bool, tmp_path: Path
) -> None:
    names = weighable("regression" if real else "classification")
    in_memory = run(real, protocol)
    run(real, protocol, folder=tmp_path / "log")
    rows = recounted(in_memory, real)
    predicted = [r for r in rows if r.prediction is not None]
    for log in (in_memory, read_log(tmp_path / "log")):
        for name, curve in zip(names, sg.measure(log, names, weighted=True), strict=True):
            assert curve.definition["weighted"] == "yes"
            recount: Any = RECOUNTS[name]
            counted = predicted if real or name in oracle.SCORED else rows
            expected = recount(counted) if real else recount(counted, 3)
            assert close_kappa(name, curve.final, expected), name


@pytest.mark.parametrize("protocol", [*PROTOCOLS, Delayed(folds=2, split="bootstrap")], ids=str)
def test_every_source_of_pairs_has_the_weights(protocol: Any, tmp_path: Path) -> None:
    log = run(False, protocol, folder=tmp_path / "log")
    logs = [log, read_log(tmp_path / "log"), one_fold(log, 0), *baselines(log).values()]
    if log.about.get("predicts_last") == "True":
        logs.append(at_bin(log, 2, 4))
    for one in logs:
        pairs = list(one.labelled_predictions())
        assert pairs
        for part in pairs:
            np.testing.assert_array_equal(part.weight, WEIGHT[part.items.astype(int)])


def test_without_weights_every_item_has_weight_1() -> None:
    for protocol in (Prequential(ignore_delays=True), Delayed()):
        log = sg.run(stream(False, None), learners.NaiveBayes(), protocol)
        for name in weighable("classification")[:8]:
            weighted = sg.measure(log, name, weighted=True)
            np.testing.assert_array_equal(weighted.value, sg.measure(log, name).value)


def test_a_segment_without_weights_beside_one_with_weights_has_weight_1() -> None:
    light, heavy = (stream(False, w) for w in (None, WEIGHT))
    both = streams.concatenate(light, heavy)
    log = sg.run(both, learners.NaiveBayes(), Delayed())
    for part in log.labelled_predictions():
        items = part.items.astype(int)
        expected = np.where(items < N, 1.0, WEIGHT[items % N])
        found = np.ones(len(part)) if part.weight is None else part.weight
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("order", [(0, 1, 0), (1, 0, 1), (0, 0, 1), (1, 0, 0)])
def test_weights_of_some_items_are_read_back(order, tmp_path, monkeypatch):
    """Logs on disk store weights only if the stream has some."""
    rng = np.random.default_rng(5)
    parts = []
    for nth, weighted in enumerate(order):
        x, y = rng.normal(size=(40 + nth, 2)), rng.integers(0, 2, 40 + nth)
        weight = rng.integers(1, 9, len(y)).astype(float) if weighted else None
        parts.append(sg.streams.from_arrays(x, y, weight=weight, classes=[0, 1]))
    stream = sg.streams.concatenate(*parts)
    in_memory = sg.run(stream, sg.learners.NaiveBayes(), Delayed())
    expected = np.concatenate(
        [np.ones(len(t)) if t.weight is None else t.weight for t in in_memory.labels()]
    )
    for size in (3, 7, 65_536):
        monkeypatch.setattr("streamgauge.log._read_log.BATCH_ROWS", size)
        folder = tmp_path / str(size)
        sg.run(stream, sg.learners.NaiveBayes(), Delayed(), folder=folder)
        read = list(sg.read_log(folder).labels())
        found = [np.ones(len(t)) if t.weight is None else t.weight for t in read]
        np.testing.assert_array_equal(np.concatenate(found), expected)
        assert any(order) == (folder / "weights.parquet").is_file()


def test_pairs_of_plain_rows_in_memory_have_the_weights() -> None:
    weight = np.arange(1.0, 7.0)
    label = np.array([0, 1, 0, 1, 1, 0])
    stream = streams.from_arrays(np.zeros((6, 1)), label, weight=weight, classes=[0, 1])
    log = sg.run(stream, learners.Persistent(first=0))
    assert (
        np.concatenate([p.weight for p in log.labelled_predictions()]).tolist() == weight.tolist()
    )
    expected = weight[[0, 4]].sum() / weight.sum()
    assert sg.measure(log, "accuracy", weighted=True).final == pytest.approx(expected)

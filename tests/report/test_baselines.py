"""Derived baselines equal the logs of baselines that are run."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import streamgauge as sg
from oracles import baselines as slow
from report.example_logs import independent, sticky
from samples.examples import examples
from streamgauge import delays, late, streams
from streamgauge.errors import DiskError
from streamgauge.late import _event_sequence
from streamgauge.log import Log, from_columns, one_fold, read_log
from streamgauge.log._folder_writer import FolderWriter
from streamgauge.log.card import read_card, write_card
from streamgauge.protocols import Chunks, Delayed, Prequential, Reevaluating
from streamgauge.protocols.timetable import expand
from streamgauge.report import build
from streamgauge.report.baselines import BASELINES, baselines
from streamgauge.seeds import child
from streamgauge.types import NEVER, Arrivals, Op, Schema, missing

SEED = 3
LATE = [
    {"ties": ties, "tail": tail, "folds": folds, "split": split}
    for ties in ("labels_first", "items_first")
    for tail in ("flush", "drop")
    for folds, split in ((1, None), (2, "cross"), (3, "split"), (1, "bootstrap"), (2, "bootstrap"))
]


@st.composite
def protocols(draw: st.DrawFn) -> Any:
    kind = draw(st.sampled_from(["prequential", "chunks", "delayed", "reevaluating"]))
    if kind == "prequential":
        return Prequential(ignore_delays=True)
    if kind == "chunks":
        return Chunks(draw(st.integers(1, 5)), ignore_delays=True)
    options = draw(st.sampled_from(LATE))
    if kind == "delayed":
        return Delayed(**options)
    return Reevaluating(draw(st.integers(1, 4)), draw(st.booleans()), **options)


@st.composite
def event_streams(draw: st.DrawFn, classes: int | None) -> dict[str, Any]:
    """Items and labels with many ties; some labels without delay, some missing; some weights."""
    steps = draw(st.lists(st.sampled_from([0, 0, 1, 3]), max_size=14))
    time = np.cumsum(steps).astype(np.int64)
    n = len(time)
    delays = draw(st.lists(st.sampled_from([0, 0, 1, 2, 5, NEVER]), min_size=n, max_size=n))
    some = st.integers(0, classes - 1) if classes else st.sampled_from([-1.5, 0.0, 0.1, 7.0])
    label = draw(st.lists(some, min_size=n, max_size=n))
    weighed = st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=n, max_size=n)
    return {
        "time": time,
        "label_time": np.array(
            [NEVER if w == NEVER else t + w for t, w in zip(time, delays, strict=True)], np.int64
        ),
        "label": np.array(label, np.int64 if classes else np.float64),
        "weight": draw(st.none() | weighed),
    }


def stream_of(made: dict[str, Any], classes: int | None) -> Any:
    n = len(made["time"])
    never = made["label_time"] == NEVER
    task = {"classes": tuple(range(classes)), "task": "classification"} if classes else {}
    return streams.from_arrays(
        np.zeros((n, 1)),
        made["label"],
        **(task or {"task": "regression"}),
        time=made["time"],
        label_time=np.where(never, np.nan, made["label_time"]),
        weight=None if made["weight"] is None else np.array(made["weight"]),
    )


def columns(table: Any) -> dict[str, Any]:
    """A table of a log as lists, regardless of batches."""
    found: dict[str, list[Any]] = {}
    for part in table:
        for field in fields(part):
            column = getattr(part, field.name)
            if isinstance(column, np.ndarray):
                found.setdefault(field.name, []).extend(column.tolist())
    # as text NaN equals NaN; a table without rows may have no batch
    return {name: repr(column) for name, column in found.items() if column}


def same_logs(derived: Log, ran: Log, classes: int | None) -> None:
    for table in ("predictions", "labels", "training"):
        assert columns(getattr(derived, table)()) == columns(getattr(ran, table)()), table
    for column in ("items", "label", "prediction"):
        a, b = (
            [
                value
                for pairs in log.labelled_predictions()
                for value in getattr(pairs, column).tolist()
            ]
            for log in (derived, ran)
        )
        assert repr(a) == repr(b), column
    names = ["accuracy", "kappa", "kappa_temporal"] if classes else ["mae", "rmse", "r2"]
    for a, b in zip(*(sg.measure(log, names, every=1) for log in (derived, ran)), strict=True):
        np.testing.assert_array_equal(a.value, b.value)
        np.testing.assert_array_equal(a.at, b.at)
    if ran.about.get("predicts_last") == "True":
        for binning in ("longest", "grzenda"):
            a, b = (late.bins(log, names[0], 3, binning=binning) for log in (derived, ran))
            np.testing.assert_array_equal(a.value, b.value)
        assert late.costs(derived).repeated.tolist() == late.costs(ran).repeated.tolist()


def of_folds(log: Log) -> list[Log]:
    folds = {int(f) for part in log.predictions() for f in part.fold}
    return [log, *(one_fold(log, f) for f in sorted(folds))]


@pytest.mark.parametrize("classes", [1, 3, None])
@given(data=st.data(), protocol=protocols(), rows=st.sampled_from([1, 4, 65_536]))
@settings(
    max_examples=examples(150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_a_derived_baseline_equals_the_log_of_a_run(
    classes: int | None, data: st.DataObject, protocol: Any, rows: int, monkeypatch: Any
) -> None:
    stream = stream_of(data.draw(event_streams(classes)), classes)
    log = sg.run(stream, other_than_baselines(classes), protocol, seed=SEED)
    monkeypatch.setattr(_event_sequence, "ROWS", rows)
    for name, learner in BASELINES["regression" if classes is None else "classification"].items():
        ran = sg.run(stream, learner, protocol, seed=SEED)
        for part, whole in zip(of_folds(log), of_folds(ran), strict=True):
            same_logs(baselines(part)[name], whole, classes)


@pytest.mark.parametrize("classes", [3, None])
@given(data=st.data(), protocol=protocols())
@settings(max_examples=examples(150), deadline=None)
def test_a_derived_baseline_equals_orders_executed_one_by_one(
    classes: int | None, data: st.DataObject, protocol: Any
) -> None:
    made = data.draw(event_streams(classes))
    log = sg.run(stream_of(made, classes), other_than_baselines(classes), protocol, seed=SEED)
    arrivals = [Arrivals(0, len(made["time"]), made["time"], made["label_time"])]
    plan: list[tuple[Any, ...]] = []
    for chunk in map(expand, protocol.timetable(arrivals, child(SEED, "protocol", "arrays"))):
        verbs = [Op(op).name.lower() for op in chunk.op.tolist()]
        rest = (c.tolist() for c in (chunk.item, chunk.fold, chunk.turn, chunk.weight))
        plan += zip(verbs, *rest, strict=True)
    weights = made["weight"] or [1.0] * len(made["time"])
    for name, derived in baselines(log).items():
        expected = slow.predictions(name, plan, made["label"].tolist(), weights)
        found = rows_of(derived)
        if name == "target_mean":  # whether two means differ depends on rounding
            found, expected = ([r for r in rows if r[2] == 0] for rows in (found, expected))
        else:
            expected = slow.changes(expected)
        assert [row[:3] for row in found] == [row[:3] for row in expected]
        assert [row[3] for row in found] == pytest.approx([row[3] for row in expected])


def rows_of(log: Log) -> list[tuple[Any, ...]]:
    """(item, fold, turn, prediction) of each prediction; None: it abstained."""
    found = []
    for part in log.predictions():
        columns = (
            part.item,
            part.fold,
            part.turn,
            np.where(missing(part.prediction), None, part.prediction),
        )
        found += zip(*(c.tolist() for c in columns), strict=True)
    return found


def other_than_baselines(classes: int | None) -> Any:
    return sg.learners.NaiveBayes() if classes else sg.learners.LinearRegression()


@pytest.mark.parametrize(
    "protocol",
    [
        Prequential(ignore_delays=True),
        Chunks(7, ignore_delays=True),
        Delayed(folds=3, split="bootstrap", ties="items_first"),
        Reevaluating(3, folds=2),
    ],
)
def test_a_derived_baseline_of_a_log_in_a_folder_equals_a_run(
    protocol: Any, tmp_path: Path
) -> None:
    stream = streams.delay(streams.take(streams.SEA(), 400), delays.Uniform(0, 60))
    sg.run(stream, sg.learners.NaiveBayes(), protocol, folder=tmp_path / "log")
    for name, learner in BASELINES["classification"].items():
        ran = sg.run(stream, learner, protocol)
        same_logs(baselines(read_log(tmp_path / "log"))[name], ran, 2)


def test_with_delays_the_persistent_baseline_predicts_the_last_known_label() -> None:
    label = sticky(6000, 0.95)
    stream = streams.delay(streams.from_arrays(np.zeros((6000, 1)), label), 1000)
    log = sg.run(stream, sg.learners.NaiveBayes(), Delayed())
    known = np.concatenate([np.full(1000, -1), label[:-1000]])
    table = build([log]).sections[0].table
    at = table.column("learner").index("persistent")
    assert table.column("accuracy")[at] == pytest.approx((known == label).mean())
    assert (
        sg.measure(log, "p_per").final > 0.9
    )  # the previous label in stream order is more informative


@dataclass(frozen=True)
class Undeclared:
    """Test-then-train protocol without metadata about itself."""

    folds: ClassVar[int] = 1

    def timetable(self, arrivals: Any, seed: int = 0) -> Any:
        return Prequential().timetable(arrivals, seed)


def test_baselines_are_not_derived_without_an_order_and_the_report_states_it() -> None:
    stream = streams.take(streams.SEA(), 300)
    delayed = streams.delay(stream, 20)
    repeated = sg.run(delayed, sg.learners.NaiveBayes(), Reevaluating())
    logs = [
        sg.run(stream, sg.learners.NaiveBayes(), Prequential(pretrain=10)),
        sg.run(stream, sg.learners.NaiveBayes(), Chunks(50, pretrain=10)),
        sg.run(stream, sg.learners.NaiveBayes(), Undeclared()),
        late.at_bin(repeated, 3),
    ]
    for log in logs:
        assert baselines(log) == {}
        page = build([log])
        assert page.sections[0].table.column("learner") == ["naive_bayes"]
        (text,) = [d.text for d in page.definitions if d.term == "baselines"]
        assert "must be run by the same protocol" in text
    assert not [d for d in build([repeated]).definitions if d.term == "baselines"]
    ran = [
        sg.run(stream, x, Undeclared())
        for x in (*BASELINES["classification"].values(), sg.learners.NaiveBayes())
    ]
    assert not [d for d in build(ran).definitions if d.term == "baselines"]


def test_a_log_from_columns_counts_as_test_then_train() -> None:
    label = np.array([1, 1, 0, -1, 0, 1], np.int32)
    log = from_columns(Schema((), classes=("no", "yes")), label, np.zeros(6, np.int32))
    predicted = {name: [r[3] for r in rows_of(derived)] for name, derived in baselines(log).items()}
    assert predicted == {
        "persistent": [None, 1, 1, 0, 0, 0],
        "majority_class": [None, 1, 1, 1, 1, 0],
    }


def test_a_learner_is_compared_with_baselines_of_its_own_protocol_only() -> None:
    label = sticky(4000, 0.95)
    stream = streams.delay(streams.from_arrays(np.zeros((4000, 1)), label), 500)
    without_delay = sg.run(stream, sg.learners.NaiveBayes(), Prequential(ignore_delays=True))
    delayed = sg.run(stream, sg.learners.NaiveBayes(), Delayed())
    page = build([without_delay, delayed])
    table = page.sections[0].table
    differences = dict(zip(table.column("learner"), table.column("vs_persistent"), strict=True))
    assert differences["naive_bayes, protocol prequential(ignore_delays=True)"] < -0.1
    assert np.isnan(differences["naive_bayes, protocol delayed"])
    (found,) = [f for f in page.findings if f.rule == "below_persistent"]
    assert found.evidence.column("learner") == [
        "naive_bayes, protocol prequential(ignore_delays=True)"
    ]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_learner_is_compared_with_baselines_on_its_own_labels_only(order: Any) -> None:
    """Two seeds of a generated stream, and two streams of one name, have different labels."""
    sea = streams.take(streams.SEA(), 300)
    one, other = (
        streams.from_arrays(np.zeros((300, 1)), independent(300, shares))
        for shares in ((0.9, 0.1), (0.5, 0.5))
    )
    for pair in ([(sea, 37), (sea, 20)], [(one, 0), (other, 0)]):
        runs = [pair[i] for i in order]
        logs = [sg.run(s, sg.learners.NaiveBayes(), seed=n) for s, n in runs]
        logs[1] = replace(logs[1], about={**logs[1].about, "name": "naive_bayes 2"})
        table = build(logs).sections[0]
        columns = (table.table.column(c) for c in ("learner", "accuracy", "vs_persistent"))
        learners = [row for row in zip(*columns, strict=True) if row[0].startswith("naive_bayes")]
        ((_, accuracy, difference),) = [row for row in learners if not np.isnan(row[2])]
        assert len(learners) == 2
        mine, last = (
            sg.measure(sg.run(runs[0][0], learner, seed=runs[0][1]), "accuracy").final
            for learner in (sg.learners.NaiveBayes(), sg.learners.Persistent())
        )
        assert accuracy == mine
        # exactly that of the two numbers, in the digits that the subtraction leaves
        assert difference == round(mine - last, 13)


class Truncated:
    """File that drops all batches after a number of batches of all tables together."""

    def __init__(self, writer: Any, left: list[int]) -> None:
        self.writer, self.left = writer, left

    def write(self, batch: Any) -> int:
        self.left[0] -= 1
        return self.writer.write(batch) if self.left[0] >= 0 else len(batch)


@pytest.mark.parametrize(
    "protocol", [Prequential(), Chunks(8), Delayed(), Reevaluating(2)], ids=str
)
def test_baselines_of_an_incomplete_log_equal_the_beginning_of_the_complete_ones(
    protocol: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = streams.take(streams.SEA(), 60)
    if isinstance(protocol, Delayed | Reevaluating):
        stream = streams.delay(stream, 9)
    monkeypatch.setattr("streamgauge.engine.interpreter.FIRST_STEP_NATIVE", 8)
    monkeypatch.setattr("streamgauge.engine._run.MAX_BATCH_ITEMS", 8)
    monkeypatch.setattr("streamgauge.engine._run.MAX_PREDICTIONS_PER_CALL", 8)
    whole = baselines(sg.run(stream, sg.learners.NaiveBayes(), protocol))
    flush, lengths = FolderWriter._flush, set()
    for kept in range(24):
        left = [kept]

        def truncated(self: Any, writers: Any, rows: Any, left: list[int] = left) -> None:
            flush(self, {name: Truncated(w, left) for name, w in writers.items()}, rows)

        monkeypatch.setattr(FolderWriter, "_flush", truncated)
        folder = tmp_path / str(kept)
        with suppress(DiskError):  # rows are missing: the log is not complete
            sg.run(stream, sg.learners.NaiveBayes(), protocol, folder=folder)
        monkeypatch.setattr(FolderWriter, "_flush", flush)
        if not read_log(folder).complete:  # as it was before its process could close it
            write_card(folder, replace(read_card(folder), status="running", tables={}))
        for name, found in baselines(read_log(tmp_path / str(kept))).items():
            a, b = (
                [
                    pair
                    for p in log.labelled_predictions()
                    for pair in zip(p.items, p.prediction, strict=True)
                ]
                for log in (found, whole[name])
            )
            assert a == b[: len(a)]
            lengths.add(len(a))
    assert len(lengths) > 3

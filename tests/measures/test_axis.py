"""Positions of the points of a curve: never decreasing, in the unit that the curve states."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from samples.examples import examples
from streamgauge.cli import main
from streamgauge.errors import TimetableError
from streamgauge.plots import learning_curve
from streamgauge.protocols import Delayed, Prequential, Reevaluating

ROWS = 300


def late_stream(clock: str = "us", rows: int = ROWS) -> sg.streams.Arrays:
    """A stream whose labels arrive up to fifty items late, each with another delay."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=(rows, 2))
    time = np.arange(rows) * 60_000_000
    label_time = time + rng.integers(0, 50, rows) * 60_000_000 + 1
    if clock == "us":
        time, label_time = (c.astype("datetime64[us]") for c in (time, label_time))
    label = (x[:, 0] > 0).astype(int)
    return sg.streams.from_arrays(x, label, time=time, label_time=label_time)


@pytest.mark.parametrize("clock", ["us", "item"])
@pytest.mark.parametrize("protocol", [Delayed(), Delayed(folds=3, split="split"), Reevaluating()])
def test_points_after_late_labels_are_counted_in_labels_and_never_decrease(clock, protocol):
    log = sg.run(late_stream(clock), sg.learners.NaiveBayes(), protocol)
    for window in ("whole", "sliding(20)", "tumbling(7)"):
        curve = sg.measure(log, "accuracy", window, every=3)
        assert curve.axis == "labels"
        assert (np.diff(curve.at) >= 0).all()
        assert curve.at[-1] == ROWS
        by_item = sg.measure(log, "accuracy", window, every=3, clock="predicted")
        assert by_item.axis == "items"
        assert (np.diff(by_item.at) >= 0).all()
        assert by_item.at[-1] == ROWS
    if protocol.folds == 1:
        assert sg.measure(log, "accuracy", every=3).at.tolist() == list(range(3, ROWS + 1, 3))


@pytest.mark.parametrize("delay", [0, 25])
def test_labels_in_the_order_of_items_are_counted_in_items(delay):
    stream = sg.streams.delay(sg.streams.take(sg.streams.SEA(), ROWS), delay)
    protocol = Delayed() if delay else Prequential()
    log = sg.run(stream, sg.learners.NaiveBayes(), protocol)
    curve = sg.measure(log, "accuracy", every=7)
    assert curve.axis == "items"
    assert curve.at.tolist() == [*range(7, ROWS, 7), ROWS]


@given(st.lists(st.booleans(), min_size=1, max_size=30), st.integers(1, 5))
@settings(max_examples=examples(100), deadline=None)
def test_items_without_a_label_count_in_positions(known, every):
    label = np.where(known, 1, -1).astype(np.int32)
    log = sg.log.from_columns(sg.types.Schema((), classes=(0, 1)), label, label)
    curve = sg.measure(log, "accuracy", every=every)
    positions = [i + 1 for i, is_known in enumerate(known) if is_known]
    due = [n for n in range(1, len(positions) + 1) if n % every == 0 or n == len(positions)]
    assert curve.at.tolist() == [positions[n - 1] for n in due]


def printed(capsys, *line: str) -> str:
    main(list(line))
    return capsys.readouterr().out


def test_plots_tables_json_and_the_report_name_the_axis(tmp_path, capsys):
    logs = [
        sg.run(late_stream(), model, Delayed(), folder=tmp_path / str(nth))
        for nth, model in enumerate([sg.learners.NaiveBayes(), sg.learners.MajorityClass()])
    ]
    curve = sg.measure(logs[0], "accuracy", every=50)
    assert sg.plot(curve).axes[0].get_xlabel() == "labels"
    assert {line.axis for line in learning_curve.data(curve)} == {"labels"}
    folder = str(tmp_path / "0")
    output = printed(capsys, "measure", folder, "-m", "accuracy", "--every", "50", "--curve")
    head, *rows = (line.split("\t") for line in output.splitlines())
    assert head == ["measure", "window", "labels", "value"]
    assert [int(row[2]) for row in rows] == list(range(50, ROWS + 1, 50))
    output = printed(capsys, "measure", folder, "--curve", "--json")
    assert {entry["axis"] for entry in json.loads(output)} == {"labels"}
    verdict = sg.compare(*logs)
    assert verdict.axis == "labels"
    assert f"since label {verdict.so_far.since:,}" in verdict.to_text()
    for made in verdict.curves:
        assert (np.diff(made.at) >= 0).all()
        assert made.axis == "labels"
    page = tmp_path / "page.json"
    sg.write_report(page, logs)
    panels = json.loads(page.read_text())["sections"][0]["panels"]
    assert {panel["axis"] for panel in panels} == {"labels"}
    for panel in panels:
        for lines in panel["windows"].values():
            assert all((np.diff(line["at"]) >= 0).all() for line in lines)


def test_costs_and_bins_state_their_axis():
    log = sg.run(late_stream(), sg.learners.NaiveBayes(), Reevaluating())
    assert {curve.axis for curve in sg.late.costs(log).curves()} == {"events"}
    assert sg.late.bins(log, n_bins=3).curve(2).axis == "labels"


@pytest.mark.parametrize(
    ("clock", "words"),
    [("us", r"arrives [\d.]+ minutes after item"), ("item", r"arrives [\d,.e+]+ items after item")],
)
def test_a_late_label_is_refused_in_units_of_time_by_the_protocol(clock, words):
    with pytest.raises(TimetableError, match=rf"Prequential: .*{words} \d+; take Delayed\(\)"):
        sg.run(late_stream(clock), sg.learners.NaiveBayes(), Prequential())


def test_drifts_and_alarms_are_marked_where_their_labels_are(tmp_path):
    rows = 2000
    drift = sg.types.Drift(1000, 1000, 1000)
    rng = np.random.default_rng(1)
    x, time = rng.normal(size=(rows, 1)), np.arange(rows)
    label = (x[:, 0] > 0).astype(int)
    label[1000:] = 1 - label[1000:]
    late = time + rng.integers(100, 300, rows)
    stream = sg.streams.from_arrays(x, label, time=time, label_time=late, drifts=(drift,))
    learner = sg.learners.Resetting(sg.learners.NaiveBayes(), sg.detectors.DDM())
    log = sg.run(stream, learner, Delayed())
    sg.write_report(tmp_path / "page.json", [log])
    section = json.loads((tmp_path / "page.json").read_text())["sections"][0]
    assert section["drifts"][0]["start"] == int((late < 1000).sum())
    (alarms,) = section["alarms"].values()
    order = np.lexsort((np.arange(rows), late))
    assert alarms == sorted(int(np.flatnonzero(order == i)[0]) for i in log.alarms().alarms)


def test_alarms_minus_a_drift_may_be_negative():
    alarms = sg.log.Alarms.of([(90, "ddm", "alarm"), (120, "ddm", "alarm"), (80, "ddm", "warning")])
    assert (alarms.alarms - np.int64(100)).tolist() == [-10, 20]
    assert (alarms.alarms - 100).tolist() == [-10, 20]
    assert (alarms.warnings - 100).tolist() == [-20]

"""Estimates of cost from trials: the arithmetic, and what `plan` says."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import curve_fit

from oracles.schedules import makespan as slow_makespan
from streamgauge.cli import main
from streamgauge.cli.plan import byte_count, duration
from streamgauge.experiments import Spec, _estimate, cells, run_experiment
from streamgauge.experiments._estimate import (
    Estimate,
    Trial,
    costs,
    estimates,
    extrapolated,
    makespan,
)

SIZES = (8, 32, 128, 512)


@given(st.floats(0, 10), st.floats(1e-6, 1), st.floats(1.11, 2), st.integers(513, 10**7))
def test_a_power_is_found_again(fixed, slope, power, items):
    trials = [Trial(n, fixed + slope * n**power, 0) for n in SIZES]
    seconds, growth = extrapolated(trials, items)
    assert growth == pytest.approx(power, rel=1e-3)
    assert seconds == pytest.approx(fixed + slope * items**power, rel=0.02)


def test_it_agrees_with_a_fit_by_scipy():
    trials = [Trial(n, 0.5 + 0.01 * n**1.4, 0) for n in SIZES]

    def curve(n, a, b, p):
        return a + b * n**p

    fitted, _ = curve_fit(curve, SIZES, [one.seconds for one in trials], p0=(0.4, 0.02, 1.2))
    assert extrapolated(trials, 100_000)[0] == pytest.approx(curve(100_000, *fitted), rel=1e-3)


def test_growth_is_that_of_both_of_the_last_steps():
    full = [Trial(n, s, 0) for n, s in zip(SIZES, (0.0, 1.0, 17.0, 81.0), strict=True)]
    # the rises are 16 times, then 4 times as large
    assert extrapolated(full, 2048) == (pytest.approx(81 + 64 * 1536 / 384), 1.0)
    beyond = [Trial(n, float(n) ** 4, 0) for n in SIZES]
    assert extrapolated(beyond, 2048)[1] == 2.0
    warm = [Trial(n, math.sqrt(n), 0) for n in SIZES]
    assert extrapolated(warm, 2048)[1] == 1.0


def test_few_trials_and_a_clock_that_stands_still_give_a_line():
    assert extrapolated([Trial(8, 2.0, 0)], 80) == (20.0, 1.0)
    assert extrapolated([Trial(8, 2.0, 0), Trial(32, 5.0, 0)], 56) == (8.0, 1.0)
    assert extrapolated([Trial(8, 2.0, 0), Trial(32, 2.0, 0)], 64) == (4.0, 1.0)


@given(st.lists(st.integers(0, 9), max_size=12), st.integers(1, 4))
def test_the_makespan_is_that_of_a_slow_count(seconds, workers):
    assert makespan(seconds, workers) == slow_makespan(seconds, workers)


def test_what_is_unknown_is_not_in_the_sum():
    known = Estimate(2.0, 10.0, 100.0, 1.0, 8)
    unsized = Estimate(1.0, 10.0, math.nan, 1.0, 8)
    found = costs([known, Estimate(why="unknown"), unsized])
    assert (found.cells, found.seconds, found.bytes) == (2, 3.0, 100.0)
    assert costs([]).cells == 0


def test_repetitions_share_a_trial_and_short_streams_are_tried_whole():
    spec = Spec(streams=["sea(items=100)"], learners=["nb"], repetitions=3)
    found = list(estimates(list(cells(spec)), 10.0, imports=False))
    assert found[0] is found[1] is found[2]
    assert found[0].items == 100
    assert found[0].seconds > 0
    assert found[0].items_per_second > 0
    assert found[0].bytes > 100


def test_the_size_of_a_log_is_right(tmp_path):
    spec = Spec(streams=["sea(items=200000)"], learners=["majority_class"], scores=True)
    (found,) = estimates(list(cells(spec)), 10.0, imports=False)
    run_experiment(spec, tmp_path)
    actual = sum(path.stat().st_size for path in tmp_path.rglob("*.parquet"))
    assert found.bytes == pytest.approx(actual, rel=0.5)


def test_without_time_nothing_is_tried(monkeypatch):
    spec = Spec(streams=["sea(items=100)"], learners=["nb"])
    monkeypatch.setattr(_estimate, "_trials", None)
    (found,) = estimates(list(cells(spec)), 0.0, imports=False)
    assert math.isnan(found.seconds)
    assert found.why == "the time of the trials was over before"


OWN = """
import time
import streamgauge as sg

class Slow:
    def predict(self, x): return None
    def learn(self, x, y): time.sleep(0.02)

class Fails:
    def predict(self, x): return None
    def learn(self, x, y): raise OSError("no more")

class Unknown:
    name, length = "unknown", None
    schema = sg.streams.take(sg.streams.SEA(), 5).schema
    def batches(self, size=8192, seed=0):
        yield from sg.streams.take(sg.streams.SEA(), 10**7).batches(size, seed)
"""


@pytest.fixture
def own(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("estimated_code.py").write_text(OWN)
    Path("e.toml").write_text(
        'streams = ["sea(items=5000)", "estimated_code:Unknown()"]\n'
        'learners = ["nb", "estimated_code:Slow()", "estimated_code:Fails()"]\n'
    )
    return tmp_path / "e.toml"


def test_slow_failing_and_foreign_learners_and_streams_without_length(own, capsys):
    main(["plan", str(own), "--json"])
    found = [cell["estimate"] for cell in json.loads(capsys.readouterr().out)["cells"]]
    assert found[0]["seconds"] > 0
    assert all("would import estimated_code:" in one["why"] for one in found[1:])
    main(["plan", str(own), "--json", "--allow-import"])
    plan = json.loads(capsys.readouterr().out)
    native, slow, fails, unknown = (cell["estimate"] for cell in plan["cells"][:4])
    assert native["items"] >= 8
    assert 0 < slow["items"] < 500  # of 5,000, which would take 100 seconds
    assert slow["seconds"] > 5000 * 0.02 / 2  # the time in which it sleeps counts, too
    assert fails["seconds"] is None
    assert "learn failed at item 0" in fails["why"]
    assert unknown["why"] == "the length of the stream is unknown"
    assert unknown["items_per_second"] > 0
    assert plan["estimate"]["cells"] == 2
    main(["plan", str(own), "--allow-import"])
    lines = capsys.readouterr().out.splitlines()
    assert "about" in lines[1]
    assert "cost unknown, its trial failed" in lines[3]
    assert "cost unknown, the length of the stream is unknown (" in lines[4]
    assert lines[7].startswith("estimate for 2 of 6 cells: ")


def test_no_cell_of_a_received_folder_is_tried_without_leave(own, capsys, monkeypatch):
    Path("d.csv").write_text("a,y\n" + "1,u\n2,v\n" * 20)
    streams = ["sea(items=50)", {"file": "d.csv", "target": "y"}]
    run_experiment(Spec(streams=streams, learners=["nb"]), "run")
    main(["plan", "run", "--json", "--allow-import"])
    plan = json.loads(capsys.readouterr().out)
    assert ["estimate" in cell for cell in plan["cells"]] == [True, False]  # files are not opened
    monkeypatch.setattr(_estimate, "run_cell", None)
    main(["plan", "run", "--json"])
    plan = json.loads(capsys.readouterr().out)
    assert plan["estimate"] is None
    assert not any("estimate" in cell for cell in plan["cells"])
    main(["plan", "run", "--json", "--allow-import", "--trial", "0"])
    assert json.loads(capsys.readouterr().out)["estimate"] is None


@pytest.mark.parametrize("value", ["-1", "nan", "x", "inf"])
def test_wrong_times_are_refused(own, capsys, value):
    with pytest.raises(SystemExit) as left:
        main(["plan", str(own), "--trial", value])
    assert left.value.code == 2
    assert "--trial" in capsys.readouterr().err


def test_durations_and_sizes_have_units():
    assert duration(119.0) == "119 s"
    assert duration(120.0) == "2.0 min"
    assert duration(7200.0) == "2.0 h"
    assert duration(86_400.0) == "1.0 d"
    assert byte_count(150e6) == "150 MB"
    assert byte_count(999e3) == "999 kB"


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["nb", "hoeffding_tree", "knn"])
def test_the_estimate_of_a_native_cell_is_right_within_a_factor(tmp_path, learner):
    spec = Spec(streams=["sea(items=1000000)"], learners=[learner])
    (found,) = estimates(list(cells(spec)), 10.0, imports=False)
    (log,) = run_experiment(spec, tmp_path)
    actual = log.resources["cpu_seconds"]
    assert abs(np.log2(found.seconds / actual)) < 2, (found, actual)

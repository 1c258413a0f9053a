"""The cells of a grid on executors: same results, and one that fails costs that cell only."""

import os
import signal
import socket
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from streamgauge.checksums import file_checksum
from streamgauge.errors import CellError, ParameterError
from streamgauge.experiments import Spec, cells, read_events, run_experiment
from streamgauge.experiments._small_grid import is_small
from torture import grids

HERE = Path(__file__).parent
SMALL = Spec(
    streams=["sea(items=400)", "delay(stagger(items=300), 20)"],
    learners=["nb", "resetting(nb, ddm)", "river:dummy.PriorClassifier()"],
    protocols=["reevaluating(every=7)"],
)
GRID = Spec.model_validate(tomllib.loads(grids.SPEC.format(items=400)))
"""60 cells: native, resetting and river learners; labels at once and late."""


@pytest.fixture(autouse=True)
def own_learners(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))


def tables(folder):
    """The checksum of each table of each cell."""
    return {
        str(path.relative_to(folder)): file_checksum(path)
        for path in sorted(folder.glob("cells/*/*.parquet"))
    }


def spec_of(*learners):
    return Spec(streams=["sea(items=300)"], learners=["nb", *learners])


def finished(folder):
    return [event["cell"] for event in read_events(folder) if event["event"] == "finish"]


@pytest.mark.parametrize(
    "executor",
    ["processes(workers=2)", "processes(workers=1, fresh=True)", "threads", "threads(workers=3)"],
)
def test_processes_and_threads_give_the_tables_of_a_serial_run(tmp_path, executor):
    run_experiment(SMALL, tmp_path / "serial", executor="serial")
    run_experiment(SMALL, tmp_path / "other", executor=executor)
    assert tables(tmp_path / "other") == tables(tmp_path / "serial")
    assert len(finished(tmp_path / "other")) == 6
    assert {path.name for path in (tmp_path / "other").iterdir()} == {
        "cells",
        "events.jsonl",
        "experiment.json",
    }


@pytest.fixture(scope="module")
def of_serial_run(tmp_path_factory):
    """The tables of the grid of 60 cells."""
    folder = tmp_path_factory.mktemp("grid") / "run"
    run_experiment(GRID, folder, executor="serial")
    found = tables(folder)
    assert len({path.split("/")[1] for path in found}) == 60
    assert len(found) >= 60 * 3
    return found


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["processes(workers=2)", "ray(workers=2)", "dask(workers=2)"])
def test_executors_give_the_tables_of_a_serial_run(tmp_path, of_serial_run, executor):
    run_experiment(GRID, tmp_path, executor=executor)
    assert tables(tmp_path) == of_serial_run


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["ray(workers=2)", "dask(workers=2)"])
def test_a_cluster_runs_a_cell_again_whose_worker_dies(tmp_path, monkeypatch, executor):
    monkeypatch.setenv("PYTHONPATH", str(HERE), prepend=os.pathsep)
    spec = spec_of(f"own_learners:KillingOnce({str(tmp_path / 'mark')!r})", "persistent")
    logs = run_experiment(spec, tmp_path / "run", executor=executor)
    assert [log.complete for log in logs] == [True] * 3
    died = [event for event in read_events(tmp_path / "run") if event["event"] == "die"]
    assert len(died) == 1
    assert len(finished(tmp_path / "run")) == 3


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["ray(workers=2)", "dask(workers=2)"])
@pytest.mark.parametrize(
    ("learner", "why"), [("Exiting", "its (process|worker) ended"), ("Interrupting", "Interrupt")]
)
def test_a_cluster_loses_the_cell_of_a_worker_that_exits(
    tmp_path, monkeypatch, executor, learner, why
):
    monkeypatch.setenv("PYTHONPATH", str(HERE), prepend=os.pathsep)
    spec = spec_of(f"own_learners:{learner}", "persistent")
    with pytest.raises(CellError, match=f"^1 of 3 cells failed.*{why}"):
        run_experiment(spec, tmp_path / "run", executor=executor, retries=0)
    assert len(finished(tmp_path / "run")) == 2


@pytest.mark.slow
def test_a_running_ray_cluster_gives_the_tables_of_a_serial_run(
    tmp_path, of_serial_run, monkeypatch
):
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    ray = [sys.executable, "-m", "ray.scripts.scripts"]
    start = ["start", "--head", "--port=6399", "--num-cpus=2", "--include-dashboard=false"]
    subprocess.run([*ray, *start], check=True, capture_output=True)
    try:
        run_experiment(GRID, tmp_path, executor="ray(address='127.0.0.1:6399')")
    finally:
        subprocess.run([*ray, "stop", "--force"], check=True, capture_output=True)
    assert tables(tmp_path) == of_serial_run


@pytest.mark.parametrize(
    ("learner", "limits", "why"),
    [
        ("Hanging", {"time_limit": 5.0}, "it took longer than 5 s and was stopped"),
        (
            "Hungry",
            {"memory_limit": 10**9},
            "it took 1,... MB of memory, more than 1,000 MB and was",
        ),
        ("Killing", {"retries": 1}, "its process was ended by signal 9"),
        ("Exiting", {"retries": 0}, r"its process exited \(0\)"),
        ("Interrupting", {}, r"own_learners:Interrupting.act .*: failed: KeyboardInterrupt"),
        ("Failing", {}, r"learn failed at item 49 \(fold 0\): ValueError: no more"),
    ],
)
def test_a_cell_that_fails_costs_that_cell_only(tmp_path, learner, limits, why):
    spec = spec_of(f"own_learners:{learner}", "persistent")
    with pytest.raises(CellError, match=f"^1 of 3 cells failed, the others are finished: .*{why}"):
        run_experiment(spec, tmp_path / "run", executor="processes(workers=2)", **limits)
    assert len(finished(tmp_path / "run")) == 2
    assert not (tmp_path / "run" / "attempts").exists()


def test_an_interrupt_that_a_learner_raises_costs_its_cell_only(tmp_path):
    spec = spec_of("own_learners:Interrupting", "persistent")
    with pytest.raises(CellError, match=r"^1 of 3 cells failed.*failed: KeyboardInterrupt"):
        run_experiment(spec, tmp_path / "run", executor="serial")
    assert len(finished(tmp_path / "run")) == 2


def test_an_interrupt_of_the_user_ends_the_run(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        run_experiment(spec_of("own_learners:Interrupted", "persistent"), tmp_path / "run")
    assert len(finished(tmp_path / "run")) == 1


def test_a_second_run_tries_failed_cells_again_and_no_others(tmp_path):
    for _ in range(2):
        with pytest.raises(CellError):
            run_experiment(spec_of("own_learners:Failing"), tmp_path / "run")
        assert len(finished(tmp_path / "run")) == 1


def test_a_cell_whose_process_dies_is_run_again(tmp_path):
    spec = spec_of(f"own_learners:KillingOnce({str(tmp_path / 'mark')!r})", "persistent")
    logs = run_experiment(spec, tmp_path / "run", executor="processes(workers=1)")
    assert [log.complete for log in logs] == [True] * 3
    events = [event["event"] for event in read_events(tmp_path / "run")]
    assert events.count("die") == 1
    assert events.count("finish") == 3


KILLED = """
import os, own_learners
from streamgauge.executors import Processes
if __name__ == "__main__":
    list(Processes(workers=1).run(own_learners.kill, [os.getpid()], lambda: None))
"""


def test_a_run_that_is_killed_leaves_no_warning(tmp_path):
    (tmp_path / "killed.py").write_text(KILLED)
    found = subprocess.run(
        [sys.executable, tmp_path / "killed.py"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": f"{HERE}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"},
        timeout=120,
        check=False,
    )
    assert found.returncode == -signal.SIGKILL
    assert found.stderr == ""


def test_peak_memory_is_that_of_the_cell(tmp_path):
    spec = spec_of("persistent")
    logs = run_experiment(spec, tmp_path / "run", executor="processes(workers=1)", peak_memory=True)
    assert all(log.resources["peak_bytes"] > 10**7 for log in logs)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        (
            {"executor": "serial", "time_limit": 3},
            "must have an executor with processes",
        ),
        (
            {"executor": "serial", "peak_memory": True},
            "must have an executor with processes",
        ),
        ({"time_limit": 0}, "time_limit must be above 0, got 0"),
        ({"time_limit": float("nan")}, "time_limit must be above 0, got nan"),
        ({"memory_limit": -5}, "memory_limit must be above 0, got -5"),
        ({"retries": -1}, "retries must be at least 0, got -1"),
        ({"executor": "processes(workers=0)"}, "workers must be at least 1, got 0"),
        ({"executor": "ray(address='x', workers=2)"}, "workers must be left out for a running"),
        ({"executor": "dask(address='x', workers=2)"}, "workers must be left out for a running"),
    ],
)
def test_impossible_executions_are_refused_before_anything_runs(tmp_path, changes, why):
    with pytest.raises(ParameterError, match=why):
        run_experiment(spec_of(), tmp_path / "run", **changes)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("scheme", ["ray(address='{}')", "dask(address='tcp://{}')"])
def test_a_cluster_that_nobody_runs_is_refused_at_once(tmp_path, scheme):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
        why = f"^(Ray|Dask): .*{address} must be a cluster that can be reached, got .*refused"
        with pytest.raises(ParameterError, match=why):
            run_experiment(spec_of(), tmp_path / "run", executor=scheme.format(address))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("address", ["127.0.0.1:0x", "127.0.0.1:99999"])
def test_an_address_that_is_none_is_refused(tmp_path, address):
    with pytest.raises(ParameterError, match=r"^Ray: address must be a host and a port, got"):
        run_experiment(spec_of(), tmp_path / "run", executor=f"ray(address={address!r})")


@pytest.mark.parametrize(
    ("stream", "learner", "small"),
    [
        ("sea(items=1000)", "nb", True),
        ("sea(items=400000)", "nb", False),
        ("sea(items=20000)", "own_learners:Failing", False),
        ("sea", "nb", False),
        ("csv('none.csv', target='y')", "nb", False),
    ],
)
def test_a_small_grid_needs_no_processes(tmp_path, stream, learner, small):
    (cell,) = cells(Spec(streams=["sea(items=10)"], learners=["nb"]))
    assert is_small([replace(cell, stream=stream, learner=learner, folder=tmp_path)]) is small
    many = [replace(cell, stream="sea(items=100000)")] * 4
    assert is_small(many[:3])
    assert not is_small(many)

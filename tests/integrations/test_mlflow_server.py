"""Runs sent to a real MLflow server, which `make test-all` installs and the test starts."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

import streamgauge as sg
from streamgauge.errors import ParameterError
from streamgauge.experiments import Spec, cells, run_experiment
from streamgauge.experiments._run_experiment import read_experiment
from streamgauge.integrations import to_mlflow
from streamgauge.integrations.mlflow import CELL_TAG, SENT_TAG

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

SERVER = Path(__file__).parents[2] / "target" / "mlflow" / "bin" / "mlflow"
STARTS_WITHIN = 300
"""Seconds; the server imports much, and the machine may be busy."""

SPEC = Spec(
    title="a title with 50 % & more",
    streams=["sea(items=2000)"],
    learners=["nb", "majority", {"name": "deep", "learner": "ht(grace_period=50)"}],
    repetitions=2,
    measures=["kappa", "kappa_temporal"],
    windows=["sliding(100)"],
)


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("sent") / "run"
    run_experiment(SPEC, folder)
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[str]:
    place = tmp_path_factory.mktemp("server")
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    line = [
        *(str(SERVER), "server", "--host", "127.0.0.1", "--port", str(port), "--workers", "1"),
        *("--backend-store-uri", f"sqlite:///{place}/runs.db"),
        *("--artifacts-destination", str(place / "artifacts")),
    ]
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    with (place / "server.log").open("w") as log:
        process = subprocess.Popen(
            line,
            env={**clean, "MLFLOW_DISABLE_TELEMETRY": "true"},
            cwd=place,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        wait_for(address, process, place / "server.log")
        yield address
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # it has started workers
        process.wait()


def wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < until and process.poll() is None:
        try:
            with urlopen(f"{address}/health", timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.5)
    raise AssertionError(f"the server has not started: {log.read_text()[-2000:]}")


@pytest.fixture(scope="module")
def client(server) -> Any:
    return import_module("mlflow").MlflowClient(tracking_uri=server)


def runs_of(client: Any, experiment: str) -> dict[str, Any]:
    """Cell -> run, for all runs of an experiment; each cell once."""
    identifier = client.get_experiment_by_name(experiment).experiment_id
    found = client.search_runs([identifier])
    assert len({one.data.tags[CELL_TAG] for one in found}) == len(found)
    return {one.data.tags[CELL_TAG]: one for one in found}


def test_every_cell_is_a_run_with_its_values(run, server, client):
    sent = to_mlflow(run, server, points=30)
    assert [one.outcome for one in sent] == ["created"] * 6
    runs = runs_of(client, SPEC.title)
    experiment, logs = read_experiment(run)
    for cell, log in zip(cells(experiment), logs, strict=True):
        one = runs[cell.id]
        assert one.info.status == "FINISHED"
        assert one.info.run_name == cell.title
        assert (
            one.data.params.items()
            >= {
                "stream": "sea(items=2000)",
                "learner": cell.learner,
                "protocol": "prequential",
                "seed": str(cell.seed),
                "repetition": str(cell.repetition),
                "streamgauge": sg.__version__,
            }.items()
        )
        for name in ("accuracy", "kappa", "kappa_temporal"):
            for window, key in (("whole", "whole"), ("sliding(100)", "sliding 100")):
                curve = sg.measure(log, name, window)
                history = client.get_metric_history(one.info.run_id, f"{name}/{key}")
                made = {point.step: point.value for point in history}
                assert len(made) == len(history) <= 30
                at = dict(zip(curve.at.tolist(), curve.value.tolist(), strict=True))
                assert made == {step: at[step] for step in made}
                if curve.final == curve.final:
                    assert one.data.metrics[f"{name}/{key}"] == curve.final


def test_sending_again_duplicates_nothing(run, server, client):
    first = to_mlflow(run, server, experiment="again", points=30)
    again = to_mlflow(run, server, experiment="again", points=30)
    assert [one.outcome for one in again] == ["unchanged"] * 6
    assert [one.run for one in again] == [one.run for one in first]
    more = to_mlflow(run, server, experiment="again", points=50, artifacts=True)
    assert [one.outcome for one in more] == ["updated"] * 6
    assert [one.run for one in more] == [one.run for one in first]
    runs = runs_of(client, "again")
    assert len(runs) == 6
    for one in runs.values():
        for key in one.data.metrics:
            steps = [point.step for point in client.get_metric_history(one.info.run_id, key)]
            assert len(set(steps)) == len(steps), key
        files = {file.path for file in client.list_artifacts(one.info.run_id)}
        assert files == {"log.json", "cell.json"}


def test_a_run_that_was_not_finished_is_completed(run, server, client):
    """As an export that was killed has left it: the run, some parameters and no values."""
    identifier = client.create_experiment("half")
    experiment, _ = read_experiment(run)
    cell = next(cells(experiment))
    half = client.create_run(identifier, tags={CELL_TAG: cell.id})
    client.log_param(half.info.run_id, "seed", str(cell.seed))
    sent = to_mlflow(run, server, experiment="half")
    assert [one.outcome for one in sent] == ["updated"] + ["created"] * 5
    one = runs_of(client, "half")[cell.id]
    assert one.info.run_id == half.info.run_id
    assert (one.info.status, one.data.params["learner"]) == ("FINISHED", cell.learner)
    assert SENT_TAG in one.data.tags


def test_a_server_that_is_not_mlflow_is_refused(run):
    class Other(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(404)
            self.end_headers()

        do_HEAD = do_POST = do_GET  # noqa: N815 (the names of the base class)

        def log_message(self, *_: object) -> None:
            pass

    other = HTTPServer(("127.0.0.1", 0), Other)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    began = time.monotonic()
    with pytest.raises(ParameterError, match="server must be an MLflow server that accepts runs"):
        to_mlflow(run, f"http://127.0.0.1:{other.server_port}")
    other.shutdown()
    assert time.monotonic() - began < 120

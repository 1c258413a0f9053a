"""What is sent to MLflow, and what is refused before. The server is in test_mlflow_server."""

from __future__ import annotations

import json
import shutil
import socket
import time
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.checksums import sealed
from streamgauge.cli import main
from streamgauge.errors import LogError, MissingExtraError, ParameterError
from streamgauge.experiments import Spec, cells, run_experiment
from streamgauge.experiments._run_experiment import read_experiment
from streamgauge.integrations import mlflow, to_mlflow
from streamgauge.integrations.mlflow import record_of

SPEC = Spec(
    title="sent",
    streams=["sea(items=300)"],
    learners=["nb", "river:naive_bayes.GaussianNB()"],
    repetitions=2,
    measures=["kappa_temporal", "fbeta(beta=2.0)"],
    windows=["sliding(100)", "tumbling(7)"],
)


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("sent") / "run"
    run_experiment(SPEC, folder)
    return folder


@pytest.fixture(autouse=True)
def installed(monkeypatch) -> None:
    """MLflow counts as installed: everything here happens before it is imported."""
    monkeypatch.setattr(mlflow, "find_spec", lambda name: name)


def closed_port() -> str:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{one.getsockname()[1]}"


def test_a_record_states_the_cell_and_its_curves(run):
    experiment, logs = read_experiment(run)
    for cell, log in zip(cells(experiment), logs, strict=True):
        record = record_of(experiment, cell, log, SPEC.measures, SPEC.windows, 20)
        assert record.params["stream"] == "sea(items=300)"
        assert record.params["seed"] == log.about["seed"]
        assert record.params["repetition"] == str(cell.repetition)
        assert ("river" in record.params) == ("river" in cell.learner)
        assert record.tags == {"streamgauge.cell": cell.id, "mlflow.runName": cell.title}
        keys = {key for key, _, _ in record.points if not key.startswith("resources/")}
        assert keys == {
            f"{name}/{window}"
            for name in ("accuracy", "kappa_temporal", "fbeta beta 2.0")
            for window in ("whole", "sliding 100", "tumbling 7")
        }
        for name in ("accuracy", "kappa_temporal", "fbeta(beta=2.0)"):
            for window in ("whole", "sliding(100)", "tumbling(7)"):
                curve = sg.measure(log, name, window)
                on_curve = dict(zip(curve.at.tolist(), curve.value.tolist(), strict=True))
                key = f"{mlflow._key(name)}/{mlflow._key(window)}"
                made = {step: value for k, step, value in record.points if k == key}
                assert 10 < len(made) <= 20
                assert made.items() <= on_curve.items()
                assert made[300] == curve.final


def test_undefined_values_are_left_out(tmp_path):
    logs = run_experiment(Spec(streams=["sea(items=40)"], learners=["majority"]), tmp_path)
    experiment, _ = read_experiment(tmp_path)
    (cell,) = cells(experiment)
    curve = sg.measure(logs[0], "kappa_temporal", "whole")
    assert sum(value != value for value in curve.value.tolist())
    record = record_of(experiment, cell, logs[0], ["kappa_temporal"], ["whole"], 1000)
    sent = [value for key, _, value in record.points if key == "kappa_temporal/whole"]
    assert sent == [value for value in curve.value.tolist() if value == value]


def test_the_hash_changes_with_what_is_sent(run):
    experiment, logs = read_experiment(run)
    cell, log = next(cells(experiment)), logs[0]
    few, same, many = (
        record_of(experiment, cell, log, ["kappa"], ["whole"], points).hash for points in (5, 5, 6)
    )
    assert few == same != many


def test_one_point_is_the_last_one(run):
    experiment, logs = read_experiment(run)
    record = record_of(experiment, next(cells(experiment)), logs[0], ["kappa"], ["whole"], 1)
    steps = {key: step for key, step, _ in record.points if "/whole" in key}
    assert steps == {"accuracy/whole": 300, "kappa/whole": 300}


def call(capsys, *args: str) -> tuple[int, str, str]:
    code = 0
    try:
        main([*args])
    except SystemExit as stop:
        code = int(stop.code or 0)
    return code, *capsys.readouterr()


def test_a_server_that_is_not_there_is_found_out_at_once(run, capsys):
    began = time.monotonic()
    code, out, err = call(capsys, "mlflow", str(run), server := closed_port())
    assert (code, out) == (2, "")
    assert f"server must be an MLflow server that accepts runs, got '{server}'" in err
    assert err.count("\n") == 1
    assert time.monotonic() - began < mlflow.REACHED_WITHIN


@pytest.mark.parametrize(
    "server",
    ["", "mlruns", "file:///tmp/a", "sqlite:///a.db", "http://", "http:// ", "http://[::1"],
)
def test_an_address_that_is_none_is_refused(run, server):
    with pytest.raises(ParameterError, match="to_mlflow: server must be an "):
        to_mlflow(run, server)


def test_without_mlflow(run, monkeypatch):
    monkeypatch.setattr(mlflow, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'streamgauge\[mlflow\]'"):
        to_mlflow(run, closed_port())


def test_a_folder_without_finished_cells_is_refused(run, tmp_path):
    copy = shutil.copytree(run, tmp_path / "copy")
    for path in copy.glob("cells/*/log.json"):
        card = json.loads(path.read_text())
        card.pop("checksum")
        path.write_text(sealed({**card, "status": "incomplete", "reason": "x"}))
    with pytest.raises(LogError, match="must have at least one finished cell, got none"):
        to_mlflow(copy, closed_port())
    with pytest.raises(ParameterError, match=r"must be a run folder with experiment\.json"):
        to_mlflow(tmp_path, closed_port())


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"measures": ["kapa"]}, "no measure is called 'kapa'"),
        ({"measures": ["mae"]}, "mae: log must be of regression"),
        ({"windows": ["ewma(0.1)"], "measures": ["mcc"]}, "mcc: is not defined in ewma"),
        ({"points": 0}, "to_mlflow: points must be at least 1, got 0"),
    ],
)
def test_mistakes_are_found_before_anything_is_sent(run, given, sentence):
    with pytest.raises((ParameterError, LookupError), match=sentence):
        to_mlflow(run, closed_port(), **given)


def test_names_of_outside_are_refused(run, tmp_path):
    copy = shutil.copytree(run, tmp_path / "copy")
    content = json.loads((copy / "experiment.json").read_text())
    content.pop("checksum")
    (copy / "experiment.json").write_text(sealed({**content, "measures": ["mine:Alerts()"]}))
    with pytest.raises(ParameterError, match="measures must be streamgauge's own in a folder"):
        to_mlflow(copy, closed_port())
    with pytest.raises(ParameterError, match="server must be an MLflow server"):
        to_mlflow(copy, closed_port(), measures=["kappa"])


def test_variables_of_the_user_stay(monkeypatch):
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_TIMEOUT", "7")
    monkeypatch.delenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", raising=False)
    with mlflow._patience():
        assert mlflow.os.environ["MLFLOW_HTTP_REQUEST_TIMEOUT"] == "7"
        assert mlflow.os.environ["MLFLOW_HTTP_REQUEST_MAX_RETRIES"] == "1"
    assert mlflow.os.environ["MLFLOW_HTTP_REQUEST_TIMEOUT"] == "7"
    assert "MLFLOW_HTTP_REQUEST_MAX_RETRIES" not in mlflow.os.environ

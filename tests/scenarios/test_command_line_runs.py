"""Complete runs from the command line, each in its own process."""

from __future__ import annotations

import json
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from streamgauge.cli import main

SPEC = """
title = "two streams"
streams = ["sea(items=400000)", "agrawal(items=300000)"]
learners = ["nb", "persistent"]
"""
TABLES = "predictions", "labels", "training", "vitals"
"""Tables of the log of each of its cells."""

FAILING = """
class Brittle:
    \"\"\"A model whose learn fails at item 4,321.\"\"\"

    def predict(self, x):
        return 0

    def learn(self, x, y):
        self.seen = getattr(self, "seen", 0) + 1
        if self.seen == 4322:
            raise ZeroDivisionError("no more")

    def fresh(self, seed):
        return Brittle()
"""


def started(folder: Path, *words: str, **how) -> subprocess.Popen[str]:
    """Start a command in `folder`."""
    return subprocess.Popen(
        [sys.executable, "-m", "streamgauge", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **how,
    )


def done(folder: Path, *words: str, **how) -> tuple[int, str, str]:
    """Run a command; return exit code, stdout and stderr."""
    with started(folder, *words, **how) as command:
        out, err = command.communicate(timeout=240)
    return command.returncode, out, err


def tables(run: Path) -> dict[str, object]:
    """Return the tables of a run by their paths."""
    return {str(p.relative_to(run)): pq.read_table(p) for p in sorted(run.rglob("*.parquet"))}


def write_csv(path: Path, rows: int = 300) -> Path:
    points = np.random.default_rng(0).random((rows, 2)).tolist()
    lines = [f"{a:.4f},{b:.4f},{'up' if a > b else 'down'}" for a, b in points]
    path.write_text("\n".join(["left,right,way", *lines]) + "\n", encoding="utf-8")
    return path


def strict(text: str) -> object:
    """Parse standard JSON; raise for NaN and Infinity."""

    def refuse(word: str) -> object:
        raise ValueError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


def test_evaluating_a_table_writes_a_self_contained_page(tmp_path):
    write_csv(tmp_path / "with a space ü.csv")
    code, out, err = done(tmp_path, "evaluate", "with a space ü.csv", "--report", "page.html")
    assert code == 0, err
    assert "naive_bayes" in out
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "with a space ü" in page
    assert not re.search(r"""(src|href)=["']?(https?:)?//|@import|url\(\s*["']?http""", page)


def test_a_table_without_a_header_is_read_with_no_header_and_noted_otherwise(tmp_path):
    path = write_csv(tmp_path / "t.csv")
    path.write_text(path.read_text().partition("\n")[2])
    code, out, err = done(tmp_path, "evaluate", "t.csv", "--json")
    assert (code, '"labels": 299' in out) == (0, True), err
    assert any("header=False" in note for note in sg.streams.open_stream(path).schema.notes)
    code, out, err = done(tmp_path, "evaluate", "t.csv", "--no-header", "--json")
    assert (code, '"labels": 300' in out) == (0, True), err


def csv_text(*changes: tuple[str, str], mark: str = "") -> str:
    text = "a,b,y\n1.5,2,u\n2.5,3,v\n3.5,5,u\n0.5,1,v\n"
    for old, new in changes:
        text = text.replace(old, new)
    return mark + text


@pytest.mark.parametrize(
    "text",
    [
        csv_text(mark="\ufeff"),
        csv_text(("\n", "\r\n")),
        csv_text((",", ";")),
        csv_text((",", "\t")),
        csv_text(("\n", "\n\n")),
        csv_text((",", " , ")),
        csv_text(("u", '"u"'), ("a,", '"a",')),
    ],
    ids=["mark", "crlf", "semicolons", "tabs", "blank lines", "blanks", "quotes"],
)
def test_csv_variants_give_the_same_table(tmp_path, text):
    (tmp_path / "t.csv").write_bytes(text.encode())
    stream = sg.streams.open_stream(tmp_path / "t.csv", target="y")
    (batch,) = stream.batches()
    assert stream.schema.names == ("a", "b")
    assert stream.schema.classes == ("u", "v")
    assert batch.x.tolist() == [[1.5, 2], [2.5, 3], [3.5, 5], [0.5, 1]]
    assert batch.label.tolist() == [0, 1, 0, 1]


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> dict[str, object]:
    """Return the tables of an uninterrupted run."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "spec.toml").write_text(SPEC)
    code, _, err = done(folder, "run", "spec.toml", "-q")
    assert code == 0, err
    found = tables(folder / "spec-run")
    assert Counter(Path(name).stem for name in found) == dict.fromkeys(TABLES, 4)
    return found


def killed(folder: Path, seconds: float) -> bool:
    """Start the experiment and kill it; return False if it had finished before."""
    with started(folder, "run", "spec.toml", "-q") as command:
        time.sleep(seconds)
        command.kill()
    return command.returncode == -signal.SIGKILL


def killed_while_it_logs(folder: Path, delay: float) -> None:
    """Start the experiment and kill it shortly after the first write to its log."""
    with started(folder, "run", "spec.toml", "-q") as command:
        deadline = time.monotonic() + 120
        while not any(p.stat().st_size for p in folder.rglob("predictions.arrows")):
            assert time.monotonic() < deadline
            assert command.poll() is None
            time.sleep(0.001)
        time.sleep(delay)
        command.kill()


def test_a_run_killed_while_logging_resumes_to_the_same_result(tmp_path, whole):
    (tmp_path / "spec.toml").write_text(SPEC)
    rng = np.random.default_rng()
    for delay in rng.random(2) * 0.2:
        killed_while_it_logs(tmp_path, float(delay))
        for card in (tmp_path / "spec-run").rglob("log.json"):
            log = sg.read_log(card.parent)
            assert log.complete == (json.loads(card.read_text())["status"] == "complete")
            assert sum(len(pairs) for pairs in log.labelled_predictions()) <= 400_000
    code, _, err = done(tmp_path, "run", "spec.toml", "-q")
    assert code == 0, err
    assert tables(tmp_path / "spec-run") == whole
    assert not list((tmp_path / "spec-run").rglob("*.arrows"))


def test_a_run_killed_after_its_last_card_leaves_no_streams(tmp_path, whole):
    (tmp_path / "spec.toml").write_text(SPEC)
    assert done(tmp_path, "run", "spec.toml", "-q")[0] == 0
    cell = next((tmp_path / "spec-run" / "cells").iterdir())
    (cell / "training.arrows").write_bytes(b"left over")
    assert done(tmp_path, "run", "spec.toml", "-q")[0] == 0
    assert not list((tmp_path / "spec-run").rglob("*.arrows"))
    assert tables(tmp_path / "spec-run") == whole


@pytest.mark.slow
def test_a_run_killed_at_any_time_resumes_to_the_same_result(tmp_path, whole):
    """From the first import to the last rename."""
    (tmp_path / "spec.toml").write_text(SPEC)
    rng = np.random.default_rng()
    kills = sum(killed(tmp_path, float(seconds)) for seconds in rng.random(25) * 3)
    assert kills
    code, _, err = done(tmp_path, "run", "spec.toml", "-q")
    assert code == 0, err
    assert tables(tmp_path / "spec-run") == whole


def test_ctrl_c_keeps_the_log(tmp_path):
    (tmp_path / "spec.toml").write_text(SPEC.replace("400000", "40000000"))
    with started(tmp_path, "run", "spec.toml", "-q", "--executor", "serial") as command:
        deadline = time.monotonic() + 120
        while not any(p.stat().st_size > 10_000 for p in tmp_path.rglob("labels.arrows")):
            assert time.monotonic() < deadline
            assert command.poll() is None
            time.sleep(0.01)
        command.send_signal(signal.SIGINT)
        _, err = command.communicate(timeout=60)
    assert command.returncode == 130
    assert err.strip() == "stopped; what is finished is kept"
    cards = (tmp_path / "spec-run" / "attempts").glob("*/log.json")
    logs = [sg.read_log(card.parent) for card in cards]
    assert not any(log.complete for log in logs)
    assert any(log.label_count() and sg.measure(log, "accuracy").final > 0.5 for log in logs)


@pytest.mark.parametrize("limit", [100, 5_000, 300_000])
def test_a_full_disk_raises_an_error_and_the_log_is_incomplete(tmp_path, limit):
    (tmp_path / "spec.toml").write_text('streams = ["sea(items=100000)"]\nlearners = ["nb"]\n')

    def limit_file_size() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    code, out, err = done(tmp_path, "run", "spec.toml", "-q", preexec_fn=limit_file_size)
    assert code == 2, err
    assert not out
    assert re.fullmatch(r"error: \S+: cannot be written \(File too large\); free .*\n", err)
    cells = list((tmp_path / "spec-run").glob("cells/*"))
    assert bool(cells) == (limit > 100)
    for cell in cells:
        log = sg.read_log(cell)
        assert not log.complete
        assert all(len(pairs) for pairs in log.labelled_predictions())
    assert not list(tmp_path.rglob("*.part"))
    code, _, err = done(tmp_path, "run", "spec.toml", "-q")
    assert code == 0, err


def test_an_error_of_a_model_names_the_item_and_keeps_the_log(tmp_path):
    (tmp_path / "brittle.py").write_text(FAILING)
    (tmp_path / "go.py").write_text(
        "import streamgauge as sg\n"
        "from brittle import Brittle\n"
        "sg.run(sg.streams.SEA(items=10000), Brittle(), folder='log')\n"
    )
    ran = subprocess.run(
        [sys.executable, "go.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    last = ran.stderr.strip().splitlines()[-1]
    assert "LearnerError" in last
    assert "learn failed at item 4,321 (fold 0): ZeroDivisionError: no more" in last
    log = sg.read_log(tmp_path / "log")
    assert not log.complete
    assert sum(len(part) for part in log.predictions()) == 4322, "item 4,321 was predicted"


def test_an_error_of_a_model_in_an_experiment_names_the_item(tmp_path):
    """MultinomialNB of scikit-learn raises for a negative value; item 4,321 has one."""
    x = np.abs(np.random.default_rng(0).normal(size=(5000, 2)))
    x[4321, 0] = -1.0
    lines = [f"{a},{b},{'uv'[int(a > b)]}" for a, b in x.tolist()]
    (tmp_path / "data.csv").write_text("\n".join(["a,b,y", *lines]) + "\n")
    (tmp_path / "spec.toml").write_text(
        'streams = [{file = "data.csv", target = "y"}]\n'
        'learners = ["sklearn:naive_bayes.MultinomialNB()"]\n'
    )
    code, out, err = done(tmp_path, "run", "spec.toml", "-q")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "failed at item 4,321 (fold 0)" in err
    (cell,) = (tmp_path / "spec-run" / "cells").iterdir()
    assert not sg.read_log(cell).complete


def test_a_river_model_by_name_runs_beside_native_learners(tmp_path):
    (tmp_path / "spec.toml").write_text(
        'streams = ["sea(items=2000)"]\n'
        'learners = ["river:tree.HoeffdingTreeClassifier(grace_period=50)", "nb",\n'
        '  "river:preprocessing.StandardScaler() | linear_model.LogisticRegression()"]\n'
    )
    code, out, err = done(tmp_path, "run", "spec.toml")
    assert code == 0, err
    for name in ("river:HoeffdingTreeClassifier", "river:StandardScaler|LogisticRegression"):
        assert name in out
    assert (tmp_path / "spec-run" / "report.html").is_file()


def test_all_json_output_is_standard_json(tmp_path, capsys, monkeypatch):
    """With one class, one row or missing predictions, null replaces NaN."""
    (tmp_path / "one.csv").write_text("a,y\n" + "1,u\n" * 30)
    (tmp_path / "row.csv").write_text("a,y\n1,u\n")
    (tmp_path / "predictions.csv").write_text("y,yhat,p,q\nu,u,0,1\nu,,1,0\nu,u,0.5,0.5\n")
    (tmp_path / "spec.toml").write_text(
        'streams = [{file = "one.csv"}]\nlearners = ["nb"]\nmeasures = ["kappa", "auc", "brier"]\n'
    )
    monkeypatch.chdir(tmp_path)
    for line in (
        "list --json",
        "list measures --json",
        "plan spec.toml --json",
        "run spec.toml --json",
        "report spec-run --json",
        "evaluate one.csv --json -m kappa,kappa_temporal,mcc,auc,log_loss",
        "evaluate row.csv --json",
        "evaluate friedman(items=1) --json",
        "measure predictions.csv --label y --prediction yhat --json --curve",
        "measure predictions.csv --label y --prediction yhat --scores p,q --classes u,v "
        "-m log_loss --json",
    ):
        main(line.split(" "))
        assert strict(capsys.readouterr().out), line


@pytest.mark.parametrize(
    "line", ["plan spec.toml --orders 9999", "list", "list --json", "evaluate sea(items=99) -l nb"]
)
def test_a_closed_output_pipe_is_no_error(tmp_path, line):
    (tmp_path / "spec.toml").write_text(SPEC)
    with started(tmp_path, *line.split(" ")) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.close()
        err = command.stderr.read()
    # only progress, which is printed if it takes long
    lines = [line for line in err.splitlines() if not line.startswith("trials: ")]
    assert (command.returncode, lines) == (0, [])


@pytest.mark.data
def test_accuracy_of_persistent_on_electricity():
    stream = sg.streams.Electricity()
    log = sg.run(stream, sg.learners.Persistent())
    accuracy, majority, temporal = sg.measure(log, ["accuracy", "p_maj", "p_per"])
    assert round(accuracy.final, 4) == 0.8533
    assert round(majority.final, 4) == 0.5755
    assert round(temporal.final, 4) == 0.8533


@pytest.mark.data
def test_accuracy_of_persistent_on_covtype():
    log = sg.run(sg.streams.Covtype(), sg.learners.Persistent())
    assert round(sg.measure(log, "p_per").final, 4) == 0.9506

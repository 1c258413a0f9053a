"""Whole runs as a stranger would start them, each in a process of its own."""

from __future__ import annotations

import json
import re
import resource
import signal
import subprocess
import sys
import time
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

FAILING = """
class Brittle:
    \"\"\"Answers and learns until it does not.\"\"\"

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
    """The command at work in `folder`."""
    return subprocess.Popen(
        [sys.executable, "-m", "streamgauge", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **how,
    )


def done(folder: Path, *words: str, **how) -> tuple[int, str, str]:
    """Exit code and what was printed."""
    with started(folder, *words, **how) as command:
        out, err = command.communicate(timeout=240)
    return command.returncode, out, err


def tables(run: Path) -> dict[str, object]:
    """What the cells of a run hold, by their paths."""
    return {str(p.relative_to(run)): pq.read_table(p) for p in sorted(run.rglob("*.parquet"))}


def write_csv(path: Path, rows: int = 300) -> Path:
    points = np.random.default_rng(0).random((rows, 2)).tolist()
    lines = [f"{a:.4f},{b:.4f},{'up' if a > b else 'down'}" for a, b in points]
    path.write_text("\n".join(["left,right,way", *lines]) + "\n", encoding="utf-8")
    return path


def strict(text: str) -> object:
    """JSON as the standard has it: NaN and Infinity are refused."""

    def refuse(word: str) -> object:
        raise ValueError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


def test_a_table_becomes_a_page_that_needs_nothing_else(tmp_path):
    write_csv(tmp_path / "with a space ü.csv")
    code, out, err = done(tmp_path, "evaluate", "with a space ü.csv", "--report", "page.html")
    assert code == 0, err
    assert "naive_bayes" in out
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "with a space ü" in page
    assert not re.search(r"""(src|href)=["']?(https?:)?//|@import|url\(\s*["']?http""", page)


def test_without_a_header_a_table_is_read_when_told_and_doubted_when_not(tmp_path):
    path = write_csv(tmp_path / "t.csv")
    path.write_text(path.read_text().partition("\n")[2])
    code, out, err = done(tmp_path, "evaluate", "t.csv", "--json")
    assert (code, '"labels": 299' in out) == (0, True), err
    assert any("header=False" in note for note in sg.streams.open_stream(path).schema.notes)
    code, out, err = done(tmp_path, "evaluate", "t.csv", "--no-header", "--json")
    assert (code, '"labels": 300' in out) == (0, True), err


def spelt(*changes: tuple[str, str], mark: str = "") -> str:
    text = "a,b,y\n1.5,2,u\n2.5,3,v\n3.5,5,u\n0.5,1,v\n"
    for old, new in changes:
        text = text.replace(old, new)
    return mark + text


@pytest.mark.parametrize(
    "text",
    [
        spelt(mark="\ufeff"),
        spelt(("\n", "\r\n")),
        spelt((",", ";")),
        spelt((",", "\t")),
        spelt(("\n", "\n\n")),
        spelt((",", " , ")),
        spelt(("u", '"u"'), ("a,", '"a",')),
    ],
    ids=["mark", "crlf", "semicolons", "tabs", "blank lines", "blanks", "quotes"],
)
def test_the_same_table_however_it_is_spelt(tmp_path, text):
    (tmp_path / "t.csv").write_bytes(text.encode())
    stream = sg.streams.open_stream(tmp_path / "t.csv", target="y")
    (batch,) = stream.batches()
    assert stream.schema.names == ("a", "b")
    assert stream.schema.classes == ("u", "v")
    assert batch.x.tolist() == [[1.5, 2], [2.5, 3], [3.5, 5], [0.5, 1]]
    assert batch.label.tolist() == [0, 1, 0, 1]


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> dict[str, object]:
    """What a run of the experiment holds when nobody disturbs it."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "spec.toml").write_text(SPEC)
    code, _, err = done(folder, "run", "spec.toml", "-q")
    assert code == 0, err
    found = tables(folder / "spec-run")
    assert len(found) == 12
    return found


def killed(folder: Path, seconds: float) -> bool:
    """Start the experiment and kill it; False if it was done before."""
    with started(folder, "run", "spec.toml", "-q") as command:
        time.sleep(seconds)
        command.kill()
    return command.returncode == -signal.SIGKILL


def killed_while_it_logs(folder: Path, wait: float) -> None:
    """Start the experiment and kill it a little after its log began to grow."""
    with started(folder, "run", "spec.toml", "-q") as command:
        deadline = time.monotonic() + 120
        while not any(p.stat().st_size for p in folder.rglob("said.arrows")):
            assert time.monotonic() < deadline
            assert command.poll() is None
            time.sleep(0.001)
        time.sleep(wait)
        command.kill()


def test_after_kill_9_the_log_is_read_and_the_run_goes_on_to_the_same_bits(tmp_path, whole):
    (tmp_path / "spec.toml").write_text(SPEC)
    rng = np.random.default_rng()
    for wait in rng.random(2) * 0.2:
        killed_while_it_logs(tmp_path, float(wait))
        for card in (tmp_path / "spec-run" / "cells").glob("*/log.json"):
            log = sg.read_log(card.parent)
            assert log.complete == (json.loads(card.read_text())["status"] == "complete")
            assert sum(len(pairs) for pairs in log.pairs()) <= 400_000
    code, _, err = done(tmp_path, "run", "spec.toml", "-q")
    assert code == 0, err
    assert tables(tmp_path / "spec-run") == whole
    assert not list((tmp_path / "spec-run").rglob("*.arrows"))


@pytest.mark.slow
def test_kill_9_at_any_time_loses_nothing(tmp_path, whole):
    """From the first import to the last rename: whenever it is killed, it can be taken up."""
    (tmp_path / "spec.toml").write_text(SPEC)
    rng = np.random.default_rng()
    kills = sum(killed(tmp_path, float(seconds)) for seconds in rng.random(25) * 3)
    assert kills
    code, _, err = done(tmp_path, "run", "spec.toml", "-q")
    assert code == 0, err
    assert tables(tmp_path / "spec-run") == whole


def test_ctrl_c_keeps_the_log(tmp_path):
    (tmp_path / "spec.toml").write_text(SPEC.replace("400000", "40000000"))
    with started(tmp_path, "run", "spec.toml", "-q") as command:
        deadline = time.monotonic() + 120
        while not any(p.stat().st_size for p in tmp_path.rglob("said.arrows")):
            assert time.monotonic() < deadline
            assert command.poll() is None
            time.sleep(0.01)
        command.send_signal(signal.SIGINT)
        _, err = command.communicate(timeout=60)
    assert command.returncode == 130
    assert err.strip() == "stopped; what was logged so far is kept"
    (cell,) = (tmp_path / "spec-run" / "cells").iterdir()
    log = sg.read_log(cell)
    assert not log.complete
    assert sg.measure(log, "accuracy").final > 0.5


@pytest.mark.parametrize("room", [100, 5_000, 300_000])
def test_a_full_disk_is_one_sentence_and_the_log_says_it_is_cut_off(tmp_path, room):
    (tmp_path / "spec.toml").write_text('streams = ["sea(items=100000)"]\nlearners = ["nb"]\n')

    def little_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    code, out, err = done(tmp_path, "run", "spec.toml", "-q", preexec_fn=little_room)
    assert code == 2, err
    assert not out
    assert re.fullmatch(r"error: \S+: cannot be written \(File too large\); free .*\n", err)
    cells = list((tmp_path / "spec-run").glob("cells/*"))
    assert bool(cells) == (room > 100)
    for cell in cells:
        log = sg.read_log(cell)
        assert not log.complete
        assert all(len(pairs) for pairs in log.pairs())
    assert not list(tmp_path.rglob("*.part"))
    code, _, err = done(tmp_path, "run", "spec.toml", "-q")
    assert code == 0, err


def test_a_model_that_fails_in_item_4321_is_named_and_its_log_kept(tmp_path):
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
    assert sum(len(said) for said in log.said()) == 4322, "it had answered item 4,321"


def test_a_model_that_fails_through_an_experiment_names_the_item(tmp_path):
    """A negative value is more than scikit-learn's MultinomialNB takes; item 4,321 has one."""
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


def test_a_river_model_by_its_name_runs_beside_ours(tmp_path):
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


def test_whatever_prints_json_prints_strict_json(tmp_path, capsys, monkeypatch):
    """One class, one row and missing answers: where NaN would be, there is null."""
    (tmp_path / "one.csv").write_text("a,y\n" + "1,u\n" * 30)
    (tmp_path / "row.csv").write_text("a,y\n1,u\n")
    (tmp_path / "said.csv").write_text("y,yhat,p,q\nu,u,0,1\nu,,1,0\nu,u,0.5,0.5\n")
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
        "measure said.csv --label y --answer yhat --json --curve",
        "measure said.csv --label y --answer yhat --scores p,q --classes u,v -m log_loss --json",
    ):
        main(line.split(" "))
        assert strict(capsys.readouterr().out), line


@pytest.mark.parametrize("line", ["plan spec.toml --orders 9999", "list", "list --json"])
def test_a_reader_who_leaves_early_is_no_error(tmp_path, line):
    (tmp_path / "spec.toml").write_text(SPEC)
    with started(tmp_path, *line.split(" ")) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.close()
        err = command.stderr.read()
    assert (command.returncode, err) == (0, "")


@pytest.mark.data
def test_electricity_repeats_itself():
    stream = sg.streams.Electricity()
    log = sg.run(stream, sg.learners.Persistent())
    accuracy, majority, temporal = sg.measure(log, ["accuracy", "p_maj", "p_per"])
    assert round(accuracy.final, 4) == 0.8533
    assert round(majority.final, 4) == 0.5755
    assert round(temporal.final, 4) == 0.8533


@pytest.mark.data
def test_covtype_repeats_itself_even_more():
    log = sg.run(sg.streams.Covtype(), sg.learners.Persistent())
    assert round(sg.measure(log, "p_per").final, 4) == 0.9506

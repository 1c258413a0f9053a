"""Known limits are refused before work is done: classes, seeds, long names."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.cli import main
from streamgauge.errors import ParameterError, StreamgaugeError
from streamgauge.log import from_columns
from streamgauge.summaries.confusion import MOST_CLASSES
from streamgauge.types import Schema

LONG = "n" * 5000
SEEDS = [2**63, 2**64 - 1, 2**64, 10**20]


def call(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = 0
    try:
        main([*args])
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def many(classes: int) -> sg.streams.Arrays:
    rng = np.random.default_rng(0)
    label = rng.integers(0, classes, 50)
    return sg.streams.from_arrays(rng.random((50, 2)), label, classes=tuple(range(classes)))


@pytest.mark.parametrize("learner", ["nb", "hoeffding_tree", "nearest_neighbours", "persistent"])
def test_the_most_classes_can_be_measured(learner: str) -> None:
    log = sg.run(many(MOST_CLASSES), learner)
    for measure in ("accuracy", "kappa", "f1", "mcc", "kappa_temporal"):
        sg.measure(log, measure, ["whole", "sliding(10)", "fading(0.9)"])


@pytest.mark.parametrize("classes", [MOST_CLASSES + 1, 10_000])
def test_more_classes_are_refused_before_the_run(classes: int) -> None:
    sentence = f"at most 4,095 classes, got {classes:,}; merge rare classes"
    with pytest.raises(ParameterError, match=f"run: .*{sentence}"):
        sg.run(many(classes), "nb")
    schema = Schema((), classes=tuple(range(classes)))
    label = np.zeros(3, np.int32)
    with pytest.raises(ParameterError, match=f"measure: .*{sentence}"):
        sg.measure(from_columns(schema, label, label), "accuracy")


def test_more_classes_are_refused_on_the_command_line(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i % 7},c{i:04d}\n" for i in range(5000))
    Path("many.csv").write_text(f"a,y\n{rows}")
    code, _, err = call(capsys, "evaluate", "many.csv")
    assert code == 2
    assert "at most 4,095 classes, got 5,000" in err


@pytest.mark.parametrize("seed", SEEDS)
def test_a_seed_beyond_64_bits_works_or_is_refused(tmp_path, monkeypatch, capsys, seed) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i % 7},{i % 5},{'uv'[i % 3 == 0]}\n" for i in range(60))
    Path("a.csv").write_text(f"a,b,y\n{rows}")
    Path("e.toml").write_text(
        f'seed = {seed}\nstreams = [{{file = "a.csv"}}]\nlearners = ["arf", "prior_random"]\n'
    )
    for line in (
        "evaluate a.csv -l arf,prior_random",
        "export sea(items=9) b.csv",
        "diagnose a.csv -l nb --shuffles 1",
        "delay-sweep a.csv -l nb --delays 0,5",
        "load-sweep a.csv -l nb --rates 9 --service 1",
        "memory-sweep a.csv -l nb --limits 1MB",
        "run e.toml --out out",
    ):
        own = [] if line.startswith("run") else ["--seed", str(seed)]
        code, _, err = call(capsys, *line.split(" "), *own, "-q")
        assert code in (0, 2), err
        assert "bug" not in err
    assert json.loads(Path("out/experiment.json").read_text())["seed"] == seed


@pytest.mark.parametrize("seed", [-1, *SEEDS, -(10**20)])
def test_a_seed_of_a_learner_or_stream_is_used_or_refused(seed: int) -> None:
    schema = Schema((), classes=("no", "yes"))
    for use in (
        lambda: sg.learners.PriorRandom().bind(schema, seed),
        lambda: next(iter(sg.streams.SEA().batches(4, seed))),
        lambda: sg.streams.SEA(seed=seed, items=4),
        lambda: sg.streams.RandomRBF(model_seed=seed),
        lambda: sg.run(sg.streams.SEA(items=9), "arf", seed=seed),
        lambda: next(iter(sg.streams.shuffle(sg.streams.SEA(items=9), seed=seed).batches(4))),
        lambda: sg.detectors.RandomAlarms().bind(seed),
    ):
        with suppress(StreamgaugeError):
            use()


def test_a_long_name_is_accepted_or_refused_everywhere(tmp_path, monkeypatch, capsys) -> None:
    """Of a column, a class, a learner, a stream and a file: never a bug, never a half report."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i % 7},{i % 5},{('u', LONG)[i % 3 == 0]}\n" for i in range(60))
    Path("a.csv").write_text(f"{LONG},b,y\n{rows}")
    Path("e.toml").write_text(
        f'title = "{LONG}"\nstreams = [{{file = "a.csv", target = "y"}}]\n'
        f'learners = ["nb", "persistent(first=\'{LONG}\')"]\n'
    )
    for line in (
        "evaluate a.csv --report r.html",
        "evaluate a.csv --report r.md",
        "run e.toml --out out --report r2.html",
        "diagnose a.csv --plot d.svg",
    ):
        code, _, err = call(capsys, *line.split(" "))
        assert code == 0, err[-300:]
    assert all(len(cell.name.encode()) <= 255 for cell in Path("out/cells").iterdir())
    for line in (
        f"evaluate {LONG}.csv",
        f"evaluate a.csv --report {LONG}.html",
        f"run {LONG}.toml",
        f"run e.toml --out {LONG}",
        f"report {LONG}",
        f"export a.csv {LONG}.csv",
        f"evaluate a.csv -l {LONG}",
        f"evaluate a.csv --target {LONG}{LONG}",
        f"measure {LONG} --label y --prediction y",
        f"rank {LONG}",
        f"compare {LONG} {LONG}",
        f"bins {LONG}",
        f"detect {LONG}",
    ):
        code, _, err = call(capsys, *line.split(" "))
        assert code == 2, (line[:30], err[-300:])
        assert "bug" not in err


def test_a_long_name_of_a_run_is_accepted_or_refused(tmp_path) -> None:
    stream = sg.streams.from_arrays(np.ones((20, 1)), np.array(["a", LONG] * 10))
    log = sg.run(stream, "nb", folder=tmp_path / "log")
    assert sg.read_log(tmp_path / "log").schema.classes == log.schema.classes
    with suppress(StreamgaugeError):
        sg.write_report(tmp_path / "a.html", sg.run(stream, "nb", name=LONG))

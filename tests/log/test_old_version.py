"""Logs of version 1 of the schema, whose tables had other names, are refused in one sentence."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from streamgauge.cli import main
from streamgauge.errors import LogError
from streamgauge.log import read_log

OLD = {"predictions": "said", "labels": "true", "training": "taught"}

SPEC = """
streams = ["sea(items=300)"]
learners = ["naive_bayes", "majority_class"]
"""

WHY = (
    "log.json: log version must be 4, got 1, whose tables said, true and taught are now called "
    "predictions, labels and training; run again into a new folder"
)


def make_old(folder: Path) -> None:
    """Turn a log into one of version 1: table and column names, and the version of the card."""
    for new, old in OLD.items():
        table = pq.read_table(folder / f"{new}.parquet")
        names = ["answer" if name == "prediction" else name for name in table.column_names]
        pq.write_table(table.rename_columns(names), folder / f"{old}.parquet")
        (folder / f"{new}.parquet").unlink()
    card = json.loads((folder / "log.json").read_text())
    (folder / "log.json").write_text(json.dumps({**card, "version": 1}))


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    """A folder with an old run folder `run`, its specification, and an old log `log`."""
    root = tmp_path_factory.mktemp("old")
    (root / "spec.toml").write_text(SPEC)
    sg.experiments.run_experiment(sg.experiments.read_spec(root / "spec.toml"), root / "run")
    cells = sorted((root / "run" / "cells").iterdir())
    assert len(cells) == 2
    for cell in cells:
        make_old(cell)
    shutil.copytree(cells[0], root / "log")
    return root


def test_reading_an_old_log_is_an_error(old):
    with pytest.raises(LogError, match="log version must be 4, got 1"):
        read_log(old / "log")


@pytest.mark.parametrize(
    "command",
    [
        "run spec.toml --out run",
        "report run",
        "compare run",
        "rank run",
        "bins run",
        "measure run",
        "detect run --detectors ddm",
        "measure log",
        "detect log --detectors ddm",
        "compare log log",
        "rank log",
        "bins log",
    ],
)
def test_every_command_refuses_an_old_folder_in_one_sentence(command, old, capsys, monkeypatch):
    monkeypatch.chdir(old)
    with pytest.raises(SystemExit) as stop:
        main(command.split())
    out, err = capsys.readouterr()
    assert stop.value.code == 2
    assert not out
    (line,) = err.strip().splitlines()
    assert line.endswith(WHY), line

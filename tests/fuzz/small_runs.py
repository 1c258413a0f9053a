"""The valid run folder, cut log and data files that other kinds change; made once per process."""

from __future__ import annotations

import os
import pickle
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from streamgauge import run
from streamgauge.experiments import read_spec, run_experiment
from streamgauge.learners import NaiveBayes
from streamgauge.log import Log, read_log
from streamgauge.log._folder_writer import FolderWriter
from streamgauge.log.card import read_card
from streamgauge.log.rows import Labels, Predictions, TableRows, Training

Files = dict[str, bytes]

SPEC = """title = "fuzz"
seed = 3
streams = ["sea(items=60)", "delay(sea(function=2, items=40), 5)"]
learners = ["naive_bayes", "resetting(naive_bayes, random_alarms(p=0.2, warm_start=5))"]
scores = true
protocols = ["delayed"]
measures = ["accuracy", "kappa"]
"""


def files_of(folder: Path) -> Files:
    """All files below a folder, by their path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def in_child(make: Callable[[], Files]) -> Files:
    """What `make` returns in a forked process, so that this one has no threads to fork later."""
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            with os.fdopen(writer, "wb") as out:
                pickle.dump(make(), out)
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as given:
        content = given.read()
    os.waitpid(process, 0)
    files: Files = pickle.loads(content)
    return files


@cache
def run_folder() -> Files:
    """The files of a complete run folder with four cells."""
    return in_child(_run_folder)


def _run_folder() -> Files:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "spec.toml").write_text(SPEC)
        run_experiment(read_spec(folder / "spec.toml"), folder / "run")
        return files_of(folder / "run")


@cache
def perturbed_log() -> Files:
    """The files of a log with predictions of perturbed copies of the items."""
    return in_child(_perturbed_log)


def _perturbed_log() -> Files:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "log"
        run("sea(items=40)", NaiveBayes(), "perturbed", folder=folder)
        return files_of(folder)


@cache
def cut_log() -> Files:
    """The files of a log whose run was interrupted, in many small batches."""
    return in_child(_cut_log)


def _cut_log() -> Files:
    """The files while the writer expects more rows, which never arrive."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = run("delay(sea(items=120), 9)", NaiveBayes(), "delayed", folder=folder / "whole")
        card = replace(read_card(folder / "whole"), status="running", resources={})
        writer = FolderWriter(folder / "cut", card)
        tables = [Rows.concatenate(list(rows)) for Rows, rows in _tables(log)]
        for first, last in pairwise((0, 1, 8, 48, 120)):
            writer.put(TableRows(*(rows.slice(first, last) for rows in tables)))
        while sum(len(rows) for rows in read_log(folder / "cut").labels()) < len(tables[1]):
            time.sleep(0.1)
        return files_of(folder / "cut")


def _tables(log: Log) -> Iterator[tuple[Any, Iterator[Any]]]:
    yield Predictions, log.predictions()
    yield Labels, log.labels()
    yield Training, log.training()

"""Carry an experiment out: cell by cell into its folder, resumable."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from streamgauge.engine import run
from streamgauge.errors import ParameterError
from streamgauge.experiments.cells import Cell, cells
from streamgauge.experiments.spec import Spec, stream_of
from streamgauge.files import disk_errors, write_text
from streamgauge.log.card import NAME, read_card
from streamgauge.log.reading import read_log
from streamgauge.log.table import Log
from streamgauge.names import make
from streamgauge.progress import Progress

SPEC = "experiment.json"

Watch = Callable[[Cell], Progress]
"""Gives the progress to be told of while a cell runs."""


def run_experiment(spec: Spec, folder: Path | str, watch: Watch | None = None) -> list[Log]:
    """Run every cell that is not complete yet; the logs, in the order of the grid.

    A cell lives in `folder/cells/<id>`. A cut-off cell is run anew, a complete one is kept,
    so a second call after `kill -9` goes on where the first one was.
    """
    folder = Path(folder)
    _claim(folder, spec)
    return [_cell(cell, folder / "cells" / cell.id, watch) for cell in cells(spec)]


def read_experiment(folder: Path | str) -> tuple[Spec, list[Log]]:
    """The spec and the logs of a run folder, as far as they are there."""
    folder = Path(folder)
    path = folder / SPEC
    if not path.is_file():
        raise ParameterError(
            f"{folder}: must be a run folder with {SPEC}, got none; check the path"
        )
    spec = Spec.model_validate_json(path.read_text(encoding="utf-8"))
    homes = [folder / "cells" / cell.id for cell in cells(spec)]
    return spec, [read_log(home) for home in homes if (home / NAME).is_file()]


def _claim(folder: Path, spec: Spec) -> None:
    """Make the folder this experiment's, or see that it is."""
    path = folder / SPEC
    words = json.dumps(spec.model_dump(mode="json"), indent=1) + "\n"
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    if path.is_file():
        if path.read_text(encoding="utf-8") != words:
            raise ParameterError(
                f"{folder}: must be a new folder or one of the same experiment on the same data, "
                "got another experiment's; choose another folder"
            )
        return
    write_text(path, words)


def _cell(cell: Cell, home: Path, watch: Watch | None) -> Log:
    if (home / NAME).is_file():
        if read_card(home).status == "complete":
            return read_log(home)
        shutil.rmtree(home)
    return run(
        stream_of(cell.stream),
        make("learner", cell.learner),
        make("protocol", cell.protocol),
        seed=cell.seed,
        scores=cell.scores,
        folder=home,
        progress=watch(cell) if watch else False,
    )

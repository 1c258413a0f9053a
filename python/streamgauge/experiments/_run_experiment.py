"""Run the cells of an experiment into a folder; resumable."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from streamgauge.engine import run
from streamgauge.errors import ParameterError
from streamgauge.experiments._cells import Cell, cells
from streamgauge.experiments.spec import Spec, stream_of
from streamgauge.files import disk_errors, write_text
from streamgauge.log._folder_writer import remove_streams
from streamgauge.log._read_log import read_log
from streamgauge.log.card import NAME, check_cells, read_card
from streamgauge.log.table import Log
from streamgauge.names import make
from streamgauge.progress import Progress

SPEC = "experiment.json"

OnProgress = Callable[[Cell], Progress]
"""Function from a cell to the progress of its run."""


def run_experiment(spec: Spec, folder: Path | str, progress: OnProgress | None = None) -> list[Log]:
    """Run every incomplete cell and return all logs, in the order of the grid.

    A cell is stored in `folder/cells/<id>`. Incomplete cells are run again and complete ones kept,
    so a second call resumes an interrupted run.
    """
    folder = Path(folder)
    check_cells(folder)
    _claim(folder, spec)
    return [_cell(cell, folder / "cells" / cell.id, progress) for cell in cells(spec)]


def read_experiment(folder: Path | str) -> tuple[Spec, list[Log]]:
    """Spec and existing logs of a run folder."""
    folder = Path(folder)
    path = folder / SPEC
    if not path.is_file():
        raise ParameterError(
            f"{folder}: must be a run folder with {SPEC}, got none; check the path"
        )
    check_cells(folder)
    spec = Spec.model_validate_json(path.read_text(encoding="utf-8"))
    folders = [folder / "cells" / cell.id for cell in cells(spec)]
    return spec, [read_log(cell) for cell in folders if (cell / NAME).is_file()]


def _claim(folder: Path, spec: Spec) -> None:
    """Write the spec into a new folder, or check that the folder has the same spec."""
    path = folder / SPEC
    text = json.dumps(spec.model_dump(mode="json"), indent=1) + "\n"
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    if path.is_file():
        if path.read_text(encoding="utf-8") != text:
            raise ParameterError(
                f"{folder}: must be a new folder or one of the same experiment on the same data, "
                "got one of another experiment; choose another folder"
            )
        return
    write_text(path, text)


def _cell(cell: Cell, folder: Path, progress: OnProgress | None) -> Log:
    if (folder / NAME).is_file():
        if read_card(folder).status == "complete":
            remove_streams(folder)
            return read_log(folder)
        shutil.rmtree(folder)
    return run(
        stream_of(cell.stream),
        make("learner", cell.learner),
        make("protocol", cell.protocol),
        seed=cell.seed,
        scores=cell.scores,
        folder=folder,
        progress=progress(cell) if progress else False,
    )

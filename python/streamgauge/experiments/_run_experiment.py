"""Run the cells of an experiment into a folder; resumable."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from streamgauge.engine import run
from streamgauge.errors import ParameterError
from streamgauge.experiments._cells import Cell, cells
from streamgauge.experiments._experiment import NAME as SPEC
from streamgauge.experiments._experiment import Experiment, read_stored, settle
from streamgauge.experiments.spec import Spec
from streamgauge.files import disk_errors, write_text
from streamgauge.log._folder_writer import remove_streams
from streamgauge.log._read_log import read_log
from streamgauge.log.card import NAME, check_cells, read_card
from streamgauge.log.table import Log
from streamgauge.names import make
from streamgauge.progress import Progress

OnProgress = Callable[[Cell], Progress]
"""Function from a cell to the progress of its run."""


def run_experiment(spec: Spec, folder: Path | str, progress: OnProgress | None = None) -> list[Log]:
    """Run every incomplete cell and return all logs, in the order of the grid.

    A cell is stored in `folder/cells/<id>`. Incomplete cells are run again and complete ones kept,
    so a second call resumes an interrupted run. A cell that was made by another version of
    streamgauge or of the learner's library is another cell: it is run, and the old one stays.
    """
    folder = Path(folder)
    experiment = settle(spec)
    check_cells(folder)
    _claim(folder, experiment)
    return [_cell(cell, folder / "cells" / cell.id, progress) for cell in cells(experiment)]


def read_experiment(folder: Path | str) -> tuple[Experiment, list[Log]]:
    """Experiment and existing logs of a run folder: nothing that it names is made or imported."""
    folder = Path(folder)
    experiment = read_stored(folder)
    check_cells(folder)
    folders = [folder / "cells" / cell.id for cell in cells(experiment)]
    return experiment, [read_log(cell) for cell in folders if (cell / NAME).is_file()]


def _claim(folder: Path, experiment: Experiment) -> None:
    """Write the experiment into a new folder, or check that the folder has the same one.

    Versions may differ: they are written anew, and cells of other versions are other cells.
    """
    path = folder / SPEC
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    if path.is_file():
        stored = read_stored(folder)
        if stored.without_versions() != experiment.without_versions():
            raise ParameterError(
                f"{folder}: must be a new folder or one of the same experiment on the same data, "
                "got one of another experiment; choose another folder"
            )
        if stored.model_dump() == experiment.model_dump():
            return
    write_text(path, json.dumps(experiment.model_dump(mode="json"), indent=1) + "\n")


def _cell(cell: Cell, folder: Path, progress: OnProgress | None) -> Log:
    if (folder / NAME).is_file():
        if read_card(folder).status == "complete":
            remove_streams(folder)
            return read_log(folder)
        shutil.rmtree(folder)
    return run(
        cell.open(),
        make("learner", cell.learner),
        make("protocol", cell.protocol),
        seed=cell.seed,
        scores=cell.scores,
        folder=folder,
        progress=progress(cell) if progress else False,
    )

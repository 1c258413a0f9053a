"""Run the cells of an experiment into a folder; resumable."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from streamgauge.checksums import is_sealed, sealed
from streamgauge.engine._run import processors, run_cell
from streamgauge.errors import LearnerError, LogError, ParameterError
from streamgauge.experiments._attempts import new_attempt, put_in_place, remove_attempts
from streamgauge.experiments._cells import Cell, cells
from streamgauge.experiments.spec import Spec, stream_of
from streamgauge.files import disk_errors, make_folder, write_text
from streamgauge.locks import lock_folder
from streamgauge.log._folder_writer import remove_streams
from streamgauge.log._read_log import read_log
from streamgauge.log._verify_log import is_complete, other_cell
from streamgauge.log.card import NAME, check_cells, read_card
from streamgauge.log.table import Log
from streamgauge.names import make
from streamgauge.progress import Progress

SPEC = "experiment.json"

OnProgress = Callable[[Cell], Progress]
"""Function from a cell to the progress of its run."""

OnNote = Callable[[str], None]
"""Function that is called with each note, a sentence."""


def run_experiment(spec: Spec, folder: Path | str, progress: OnProgress | None = None) -> list[Log]:
    """Run every incomplete cell and return all logs, in the order of the grid.

    A cell is stored in `folder/cells/<id>`. Incomplete and damaged cells are run again and whole
    ones kept, so a second call resumes an interrupted run. The folder is locked meanwhile: another
    process that runs into it is refused.
    """
    with locked_run(Path(folder)):
        return run_cells(spec, Path(folder), progress)


@contextmanager
def locked_run(folder: Path) -> Iterator[None]:
    """Lock a run folder, which is created if it does not exist."""
    check_cells(folder)
    with disk_errors(folder):
        make_folder(folder)
        lock = lock_folder(folder)
    try:
        yield
    finally:
        lock.release()


def run_cells(
    spec: Spec, folder: Path, progress: OnProgress | None = None, note: OnNote | None = None
) -> list[Log]:
    """`run_experiment` in a locked folder; `note` is called for each damaged cell."""
    _claim(folder, spec)
    remove_attempts(folder)
    logs = [_cell(cell, folder, progress, note) for cell in cells(spec)]
    remove_attempts(folder)
    return logs


def read_experiment(folder: Path | str) -> tuple[Spec, list[Log]]:
    """Spec and existing logs of a run folder."""
    folder = Path(folder)
    if not (folder / SPEC).is_file():
        raise ParameterError(
            f"{folder}: must be a run folder with {SPEC}, got none; check the path"
        )
    check_cells(folder)
    spec = read_run_spec(folder)
    logs = []
    for cell in cells(spec):
        place = folder / "cells" / cell.id
        if (place / NAME).is_file():
            found = read_card(place).cell
            if found != cell.id:
                raise other_cell(place, cell.id, found)
            logs.append(read_log(place))
    return spec, logs


def read_run_spec(folder: Path) -> Spec:
    """The spec of a run folder, as the run wrote it."""
    path = folder / SPEC
    try:
        text = path.read_bytes().decode()
        if not is_sealed(text):
            raise LogError(
                f"{path}: must be as the run wrote it, got another checksum; the file is damaged "
                "or was changed; run the experiment again"
            )
        content = json.loads(text)
        del content["checksum"]
        return Spec.model_validate(content)
    except (ValidationError, ValueError, TypeError, KeyError, RecursionError) as error:
        if isinstance(error, LogError):
            raise
        raise LogError(
            f"{path}: must be the spec of a run, got a file that cannot be read; "
            "run the experiment again"
        ) from error


def _claim(folder: Path, spec: Spec) -> None:
    """Write the spec into a new folder, or check that the folder has the same spec.

    A damaged spec is written again if the folder has no cells of another experiment.
    """
    path = folder / SPEC
    text = sealed(spec.model_dump(mode="json"))
    if path.is_file():
        found = path.read_bytes().decode(errors="replace")
        if found == text:
            return
        ids = {cell.id for cell in cells(spec)}
        others = [cell for cell in folder.glob("cells/*") if cell.name not in ids]
        if is_sealed(found) or others:
            raise ParameterError(
                f"{folder}: must be a new folder or one of the same experiment on the same data, "
                "got one of another experiment; choose another folder"
            )
    write_text(path, text)


def _cell(cell: Cell, run: Path, progress: OnProgress | None, note: OnNote | None) -> Log:
    """The log of a cell; it is run unless it is whole."""
    place = run / "cells" / cell.id
    if place.exists():
        try:
            if is_complete(place, cell.id):
                remove_streams(place)
                return read_log(place)
        except LogError as error:
            if note is not None:
                sentence, _, _ = str(error).partition("; ")
                note(f"{sentence}; {cell.title} is run again")
    attempt = new_attempt(run, cell.id)
    try:
        run_cell(
            stream_of(cell.stream),
            make("learner", cell.learner),
            make("protocol", cell.protocol),
            seed=cell.seed,
            scores=cell.scores,
            folder=attempt,
            progress=progress(cell) if progress else False,
            threads=processors(),
            cell=cell.id,
        )
    except BaseException as error:
        if (attempt / NAME).is_file():
            put_in_place(attempt, place)
            if isinstance(error, LearnerError):
                error.log = read_log(place)
        remove_attempts(run)
        raise
    put_in_place(attempt, place)
    return read_log(place)

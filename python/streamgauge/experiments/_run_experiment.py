"""Run the cells of an experiment into a folder; resumable."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from streamgauge.checksums import sealed
from streamgauge.engine._run import processors, run_cell
from streamgauge.errors import LearnerError, LogError, ParameterError, error_line
from streamgauge.experiments._attempts import NAME as ATTEMPTS
from streamgauge.experiments._attempts import new_attempt, put_in_place, remove_attempts
from streamgauge.experiments._cells import NAME as CELL
from streamgauge.experiments._cells import Cell, cells, has_content
from streamgauge.experiments._events import NAME as EVENTS
from streamgauge.experiments._events import append_event
from streamgauge.experiments._experiment import NAME as SPEC
from streamgauge.experiments._experiment import Experiment, is_whole, read_stored, settle
from streamgauge.experiments._kept_cells import with_kept_cells
from streamgauge.experiments.spec import Spec
from streamgauge.files import check_no_links, disk_errors, make_folder, write_text
from streamgauge.locks import NAME as LOCK
from streamgauge.locks import lock_folder
from streamgauge.log._folder_writer import remove_streams
from streamgauge.log._read_log import read_log, tables_of
from streamgauge.log._verify_log import is_complete, other_cell
from streamgauge.log.card import NAME, check_cells, read_card
from streamgauge.log.table import Log
from streamgauge.names import make
from streamgauge.progress import Progress

OnProgress = Callable[[Cell], Progress]
"""Function from a cell to the progress of its run."""

OnNote = Callable[[str], None]
"""Function that is called with each note, a sentence."""


def run_experiment(
    spec: Spec,
    folder: Path | str,
    progress: OnProgress | None = None,
    *,
    keep_versions: bool = False,
) -> list[Log]:
    """Run every incomplete cell and return all logs, in the order of the grid.

    A cell is stored in `folder/cells/<id>`. Incomplete and damaged cells are run again and whole
    ones kept, so a second call resumes an interrupted run, and a changed experiment runs only what
    is missing. Cells that it does not name stay, and are not used; so do those of another version
    of streamgauge or of the learner's library, unless `keep_versions`: then they stand for those of
    this version that are missing. The folder is locked meanwhile: another process that runs into it
    is refused.
    """
    experiment = settle(spec)
    with locked_run(Path(folder)):
        if keep_versions:
            experiment = with_kept_cells(experiment, Path(folder))
        return run_cells(experiment, Path(folder), progress)


@contextmanager
def locked_run(folder: Path) -> Iterator[None]:
    """Lock a run folder, which is created if it does not exist; it must contain no links."""
    with disk_errors(folder):
        check_no_links(folder / name for name in (LOCK, SPEC, EVENTS, "cells", ATTEMPTS))
        check_no_links(place for name in ("cells", ATTEMPTS) for place in folder.glob(f"{name}/*"))
    check_cells(folder)
    with disk_errors(folder):
        make_folder(folder)
        lock = lock_folder(folder)
    try:
        other = [name for name in ("cells", ATTEMPTS) if (folder / name).exists()]
        if other and not (folder / SPEC).exists():  # what is in them may be the user's own
            raise ParameterError(
                f"{folder}: must be a new folder or a run folder with {SPEC}, got one with "
                f"{other[0]} and without it; choose another folder"
            )
        yield
    finally:
        lock.release()


def run_cells(
    experiment: Experiment,
    folder: Path,
    progress: OnProgress | None = None,
    note: OnNote | None = None,
) -> list[Log]:
    """`run_experiment` in a locked folder; `note` is called for each damaged cell."""
    grid = list(cells(experiment))
    _write_experiment(folder, experiment)
    append_event(folder, "run", cells=len(grid), streamgauge=experiment.streamgauge)
    remove_attempts(folder)
    logs = [_named(_cell(cell, folder, progress, note), cell) for cell in grid]
    remove_attempts(folder)
    append_event(folder, "end")
    return logs


def unused_cells(experiment: Experiment, folder: Path) -> list[Path]:
    """The cells in a run folder that an experiment does not name, sorted."""
    named = {cell.id for cell in cells(experiment)}
    return sorted(
        place for place in folder.glob("cells/*") if place.is_dir() and place.name not in named
    )


def read_experiment(folder: Path | str) -> tuple[Experiment, list[Log]]:
    """Experiment and existing logs of a run folder: nothing that it names is made or imported.

    A cell without a folder has not been run yet; one without its card is damaged.
    """
    folder = Path(folder)
    experiment = read_stored(folder)
    check_cells(folder)
    logs = []
    for cell in cells(experiment):
        place = folder / "cells" / cell.id
        if place.exists():
            found = read_card(place).cell
            if found != cell.id:
                raise other_cell(place, cell.id, found)
            logs.append(_named(read_log(place), cell))
    return experiment, logs


def missing_cells(experiment: Experiment, folder: Path) -> str:
    """The sentence about cells of a run folder that have no log; nothing if all have one."""
    grid = list(cells(experiment))
    missing = sum(not (folder / "cells" / cell.id).exists() for cell in grid)
    if not missing:
        return ""
    return (
        f"{missing} of {len(grid)} cells of {folder} have no log; run the experiment again, or "
        "list them with streamgauge verify"
    )


def _named(log: Log, cell: Cell) -> Log:
    """The log of a cell, with the name that the experiment gives its learner."""
    return replace(log, about={**log.about, "name": cell.name}) if cell.name else log


def _write_experiment(folder: Path, experiment: Experiment) -> None:
    """Write the experiment into the folder, unless it has the same one.

    A folder is a cache of cells: another experiment uses those that it names, too.
    """
    path = folder / SPEC
    text = sealed(experiment.model_dump(mode="json"))
    if is_whole(folder) and path.read_bytes() == text.encode():
        return
    write_text(path, text)


def _cell(cell: Cell, run: Path, progress: OnProgress | None, note: OnNote | None) -> Log:
    """The log of a cell; it is run unless it is whole."""
    place = run / "cells" / cell.id
    earlier = 0
    if place.exists():
        try:
            if is_complete(place, cell.id):
                if read_card(place).scores or not cell.scores:
                    remove_streams(place)
                    if not has_content(place):
                        write_text(place / CELL, sealed(cell.content))
                    return read_log(place)
                if note is not None:
                    note(f"{cell.title} is run again, with scores")
            else:
                earlier = _rows(place)
        except LogError as error:
            if note is not None:
                sentence, _, _ = str(error).partition("; ")
                note(f"{sentence}; {cell.title} is run again")
    attempt = new_attempt(run, cell.id)
    append_event(run, "start", cell=cell.id)
    began = time.monotonic()
    try:
        run_cell(
            cell.open(),
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
        failed = isinstance(error, LearnerError)
        # An interrupt does not replace an interrupted log with more rows.
        if (attempt / NAME).is_file() and (failed or _rows(attempt) >= earlier):
            put_in_place(attempt, place)
            if isinstance(error, LearnerError):
                error.log = read_log(place)
        remove_attempts(run)
        append_event(run, "fail", cell=cell.id, error=error_line(error))
        raise
    write_text(attempt / CELL, sealed(cell.content))
    put_in_place(attempt, place)
    append_event(run, "finish", cell=cell.id, seconds=round(time.monotonic() - began, 3))
    return read_log(place)


def _rows(place: Path) -> int:
    """The number of rows in the tables; of a log that was not closed, those that can be read."""
    card = read_card(place)
    if card.status != "running":
        return sum(table.rows for table in card.tables.values())
    tables = tables_of(place, card)
    return sum(map(tables.check_rows, tables.names()))

"""Run the cells of an experiment into a folder; resumable."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from streamgauge.checksums import sealed
from streamgauge.engine.checkpoint import EVERY_SECONDS
from streamgauge.errors import CellError, LogError, ParameterError
from streamgauge.executors._executor import Executor
from streamgauge.experiments._attempts import NAME as ATTEMPTS
from streamgauge.experiments._attempts import remove_attempts
from streamgauge.experiments._cells import NAME as CELL
from streamgauge.experiments._cells import Cell, cells, has_content
from streamgauge.experiments._events import NAME as EVENTS
from streamgauge.experiments._events import append_event
from streamgauge.experiments._execution import Execution
from streamgauge.experiments._experiment import NAME as SPEC
from streamgauge.experiments._experiment import Experiment, is_whole, read_stored, settle
from streamgauge.experiments._found_cells import check_card
from streamgauge.experiments._kept_cells import with_kept_cells
from streamgauge.experiments._run_grid import OnNote, run_grid
from streamgauge.experiments._stream_names import shown_names
from streamgauge.experiments._values import store_values
from streamgauge.experiments.spec import Spec
from streamgauge.files import check_no_links, disk_errors, make_folder, write_text
from streamgauge.locks import NAME as LOCK
from streamgauge.locks import lock_folder
from streamgauge.log._folder_writer import remove_streams
from streamgauge.log._read_log import read_log
from streamgauge.log._verify_log import is_complete, other_cell
from streamgauge.log.card import check_cells, newer_log, read_card
from streamgauge.log.table import Log


def run_experiment(
    spec: Spec,
    folder: Path | str,
    *,
    executor: Executor | str = "serial",
    time_limit: float | None = None,
    memory_limit: int | None = None,
    retries: int = 2,
    checkpoint_seconds: float = EVERY_SECONDS,
    peak_memory: bool = False,
    keep_versions: bool = False,
    progress: bool = False,
) -> list[Log]:
    """Run every incomplete cell and return all logs, in the order of the grid.

    A cell is stored in `folder/cells/<id>`. Incomplete and damaged cells are run again and whole
    ones kept, so a second call resumes an interrupted run, and a changed experiment runs only what
    is missing. Cells that it does not name stay, and are not used; so do those of another version
    of streamgauge or of the learner's library, unless `keep_versions`. The folder is locked
    meanwhile: another process that runs into it is refused. If cells fail, the others finish, and a
    CellError names them.

    Parameters
    ----------
    spec
        The experiment.
    folder
        The run folder; created if it does not exist.
    executor
        Where the cells run: an executor of `streamgauge.executors`, or its name. A script that
        takes another one than `"serial"` must be guarded by `if __name__ == "__main__":`.
    time_limit
        Seconds after which a cell is stopped and counts as failed.
    memory_limit
        Bytes of memory beyond which a cell is stopped and counts as failed.
    retries
        How often a cell whose process dies is run again.
    checkpoint_seconds
        Seconds between the checkpoints inside a long cell, from which a second call goes on.
    peak_memory
        Whether to record the largest memory of each cell, which then has a process of its own.
    keep_versions
        Whether cells of another version stand for those of this version that are missing.
    progress
        Whether to show the progress of the grid.
    """
    experiment = settle(spec)
    execution = Execution(
        executor, time_limit, memory_limit, retries, checkpoint_seconds, peak_memory
    )
    with locked_run(Path(folder)):
        if keep_versions:
            experiment = with_kept_cells(experiment, Path(folder))
        logs, failures = run_cells(experiment, Path(folder), execution, quiet=not progress)
    if failures:
        raise CellError(failures, sum(1 for _ in cells(experiment)))
    return logs


@contextmanager
def locked_run(folder: Path) -> Iterator[None]:
    """Lock a run folder, which is created if it does not exist; it must contain no links."""
    with disk_errors(folder):
        check_no_links(folder / name for name in (LOCK, SPEC, EVENTS, "cells", ATTEMPTS))
        check_no_links(place for name in ("cells", ATTEMPTS) for place in folder.glob(f"{name}/*"))
    check_cells(folder, newer=False)
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
    execution: Execution | None = None,
    note: OnNote | None = None,
    quiet: bool = True,
) -> tuple[list[Log], dict[str, str]]:
    """`run_experiment` in a locked folder; returns the logs, and the failures by title.

    `note` is called for each damaged cell.
    """
    grid = list(cells(experiment))
    if _write_experiment(folder, experiment) and note is not None:
        note(f"{folder / SPEC} was damaged and is written again")
    append_event(folder, "run", cells=len(grid), streamgauge=experiment.streamgauge)
    newer = {cell.id: newer_log(folder / "cells" / cell.id) for cell in grid}
    missing = [cell for cell in grid if not newer[cell.id] and not _is_whole(cell, folder, note)]
    lost = remove_attempts(folder, {cell.id for cell in missing})
    for cell in missing:
        if cell.id in lost and note is not None:
            note(f"{cell.title} begins again: its last run left no checkpoint")
    failures = (
        run_grid(missing, experiment, folder, execution or Execution(), note, quiet)
        if missing
        else {}
    )
    failures = {**failures, **{cell: sentence for cell, sentence in newer.items() if sentence}}
    remove_attempts(folder)
    append_event(folder, "end")
    found = []
    for cell in grid:
        place = folder / "cells" / cell.id
        if place.exists() and not newer[cell.id]:
            log = read_log(place)
            if log.complete:
                store_values(place, log, experiment.measures, experiment.windows)
            found.append((cell, log))
    logs = _named(found)
    several = len({cell.protocol for cell in grid}) > 1
    return logs, {
        f"{cell.title}, {cell.protocol}" if several else cell.title: failures[cell.id]
        for cell in grid
        if cell.id in failures
    }


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
    found = []
    for cell in cells(experiment):
        place = folder / "cells" / cell.id
        if place.exists():
            check_card(place, cell.title)
            stated = read_card(place).cell
            if stated != cell.id:
                raise other_cell(place, cell.id, stated)
            found.append((cell, read_log(place)))
    return experiment, _named(found)


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


def _named(found: list[tuple[Cell, Log]]) -> list[Log]:
    """The logs of cells, with the names that the experiment gives their learners and streams."""
    own: dict[str, str] = {}
    for cell, log in found:
        own.setdefault(cell.source, log.about.get("stream", "stream"))
    shown = shown_names(own)
    return [
        replace(
            log,
            about={
                **log.about,
                "stream": shown[cell.source],
                **({"name": cell.name} if cell.name else {}),
            },
        )
        for cell, log in found
    ]


def _write_experiment(folder: Path, experiment: Experiment) -> bool:
    """Write the experiment into the folder, unless it has the same one; whether that was damaged.

    A folder is a cache of cells: another experiment uses those that it names, too.
    """
    path = folder / SPEC
    text = sealed(experiment.model_dump(mode="json"))
    whole = is_whole(folder)
    if whole and path.read_bytes() == text.encode():
        return False
    damaged = path.exists() and not whole
    write_text(path, text)
    return damaged


def _is_whole(cell: Cell, run: Path, note: OnNote | None) -> bool:
    """Whether the log of a cell is whole and serves; otherwise it is to be run."""
    place = run / "cells" / cell.id
    if not place.exists():
        return False
    try:
        if not is_complete(place, cell.id):
            return False
        if read_card(place).scores or not cell.scores:
            remove_streams(place)
            if not has_content(place):
                write_text(place / CELL, sealed(cell.content))
            return True
        sentence = f"{cell.title} is run again, with scores"
    except LogError as error:
        why, _, _ = str(error).partition("; ")
        if cell.kept:  # this version cannot make it again
            advice = "it is of another version: run without keeping versions"
            raise LogError(f"{why}; {advice}") from error
        sentence = f"{why}; {cell.title} is run again"
    if note is not None:
        note(sentence)
    return False

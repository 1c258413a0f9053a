"""Attempts of cells: each is written to a folder of its own, and moved into place when it ends.

So a cell's folder is there as a whole or not at all, and what a killed process leaves is outside
of the cells. Beside the folder of an attempt are its progress, the reason why it was stopped and
its checkpoint, if it has them.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Collection
from contextlib import suppress
from itertools import count
from pathlib import Path

from streamgauge.experiments._checkpoints import END as CHECKPOINT
from streamgauge.experiments._checkpoints import read_checkpoint, remove_checkpoint
from streamgauge.files import disk_errors, make_folder, remove_parts, sync_folder
from streamgauge.locks import is_locked

NAME = "attempts"
"""The folder of attempts in a run folder; absent while nothing runs."""

PROGRESS = ".progress"
STOPPED = ".stopped"
"""The ends of the names of the files beside an attempt."""

WAIT_SECONDS = 3.0
"""How long the attempts of processes that are about to end are waited for."""


def new_attempt(run: Path, cell: str) -> Path:
    """A new folder for an attempt of a cell."""
    with disk_errors(run):
        make_folder(run / NAME)
        for nth in count(1):
            attempt = run / NAME / f"{cell}.{nth}"
            with suppress(FileExistsError):
                attempt.mkdir()
                return attempt
    raise AssertionError("there is a number that is not used")


def attempts_of(run: Path, cell: str) -> list[Path]:
    """The attempts of a cell."""
    found = (run / NAME).glob(f"{cell}.*")
    return sorted(path for path in found if path.name.removeprefix(f"{cell}.").isdigit())


def put_in_place(attempt: Path, target: Path) -> None:
    """Move an attempt to its cell, durably; a log of an earlier attempt is replaced."""
    with disk_errors(target):
        make_folder(target.parent)
        earlier = None
        if target.exists():
            names = (attempt.with_name(f"{target.name}.{nth}") for nth in count(1))
            earlier = target.rename(next(name for name in names if not name.exists()))
        attempt.rename(target)
        sync_folder(target.parent)
        if earlier is not None:
            _remove(earlier)


def remove_attempts_of(run: Path, cell: str) -> None:
    """Remove what the attempts of a cell have left."""
    with disk_errors(run):
        for attempt in attempts_of(run, cell):
            remove_checkpoint(attempt)
        for path in (run / NAME).glob(f"{cell}.*"):
            if not is_locked(path):
                _remove(path)


def remove_attempts(run: Path, kept: Collection[str] = ()) -> set[str]:
    """Remove the attempts, and temporary files, of processes that no longer run.

    Attempts of the cells in `kept` stay if they have a checkpoint. Returns the cells of the others.
    """
    folder = run / NAME
    removed: set[str] = set()
    with disk_errors(run):
        remove_parts(run)
        if not folder.is_dir():
            return removed
        remove_parts(folder)
        for attempt in [path for path in folder.iterdir() if path.is_dir()]:
            _wait(attempt)
            cell, _, _ = attempt.name.rpartition(".")
            if is_locked(attempt) or (cell in kept and read_checkpoint(attempt)):
                continue
            remove_checkpoint(attempt)
            _remove(attempt)
            removed.add(cell)
        for path in folder.iterdir():
            if not path.is_dir() and not (
                path.suffix == CHECKPOINT and path.with_suffix("").is_dir()
            ):
                _remove(path)
        if not any(folder.iterdir()):
            folder.rmdir()
    return removed


def _wait(attempt: Path) -> None:
    """Wait until the process that writes an attempt ends, but not for long."""
    until = time.monotonic() + WAIT_SECONDS
    while is_locked(attempt) and time.monotonic() < until:
        time.sleep(0.05)


def _remove(path: Path) -> None:
    """Remove a folder, or a file that another program has left in its place."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)

"""Attempts of cells: each is written to a folder of its own, and moved into place when it ends.

So a cell's folder is there as a whole or not at all, and what a killed process leaves is outside
of the cells.
"""

from __future__ import annotations

import shutil
from itertools import count
from pathlib import Path

from streamgauge.files import disk_errors, make_folder, remove_parts, sync_folder
from streamgauge.locks import is_locked

NAME = "attempts"
"""The folder of attempts in a run folder; absent while nothing runs."""


def new_attempt(run: Path, cell: str) -> Path:
    """The path of a new attempt of a cell."""
    with disk_errors(run):
        make_folder(run / NAME)
    return _unused(run / NAME, cell)


def put_in_place(attempt: Path, target: Path) -> None:
    """Move an attempt to its cell, durably; a log of an earlier attempt is replaced."""
    with disk_errors(target):
        make_folder(target.parent)
        sync_folder(attempt)  # no removed file reappears in a finished cell
        earlier = None
        if target.exists():
            earlier = target.rename(_unused(attempt.parent, target.name))
        attempt.rename(target)
        sync_folder(target.parent)
        if earlier is not None:
            _remove(earlier)


def remove_attempts(run: Path) -> None:
    """Remove the attempts, and temporary files, of processes that no longer run."""
    folder = run / NAME
    with disk_errors(run):
        remove_parts(run)
        if not folder.is_dir():
            return
        for attempt in folder.iterdir():
            if not is_locked(attempt):
                _remove(attempt)
        if not any(folder.iterdir()):
            folder.rmdir()


def _remove(path: Path) -> None:
    """Remove a folder, or a file that another program has left in its place."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def _unused(folder: Path, cell: str) -> Path:
    """A path in a folder that is not used yet."""
    return next(path for nth in count(1) if not (path := folder / f"{cell}.{nth}").exists())

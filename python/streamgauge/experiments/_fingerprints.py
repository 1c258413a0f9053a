"""Fingerprints of files, kept for large ones: hashing 100 GB takes minutes."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path

from streamgauge.errors import DiskError
from streamgauge.files import cache_folder, fingerprint, write_text

KEPT_FROM = 64 * 2**20
"""Size in bytes from which a fingerprint is kept; smaller files are hashed again each time."""

SETTLED = 10.0
"""Seconds since the last change before a fingerprint is kept.

A file that is still being written may change twice within one tick of the file system's clock.
"""

State = list[int]


def file_fingerprint(path: Path) -> str:
    """The hash of a file's content; nothing if there is no such file.

    That of a large file is kept in the user's cache (`fingerprints.json`) and used again while
    size, times of modification and of change, inode and device are equal.
    """
    if not path.is_file():
        return ""
    before = _state(path)
    if before[0] < KEPT_FROM:
        return fingerprint(path)
    where = str(path.resolve())
    state, kept = _read().get(where, ([], ""))
    if state == before:
        return kept
    began = time.time()
    found = fingerprint(path)
    if _state(path) == before and max(before[1:3]) / 1e9 < began - SETTLED:
        _keep(where, before, found)
    return found


def _state(path: Path) -> State:
    status = path.stat()
    return [
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
        status.st_dev,
    ]


def _file() -> Path:
    return cache_folder() / "fingerprints.json"


def _read() -> dict[str, tuple[State, str]]:
    """Path -> state and fingerprint; nothing if the file is missing or damaged."""
    try:
        content = json.loads(_file().read_text(encoding="utf-8"))
        return {str(path): (list(state), str(found)) for path, (state, found) in content.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _keep(where: str, state: State, found: str) -> None:
    with suppress(DiskError, OSError):  # it only saves time
        _file().parent.mkdir(parents=True, exist_ok=True)
        write_text(_file(), json.dumps({**_read(), where: (state, found)}, indent=1))

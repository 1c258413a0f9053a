"""All writing to disk: whole or not at all, and a full disk said in one sentence."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from streamgauge.errors import DiskError


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn what the system says about a write into one sentence about `path`."""
    try:
        yield
    except OSError as error:
        if isinstance(error, DiskError):
            raise
        reason = error.strerror or str(error)
        raise DiskError(
            f"{path}: cannot be written ({reason}); free some space or choose another folder"
        ) from error


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A temporary name to write to; renamed to `path` at the end, removed on any error."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with disk_errors(path):
            yield part
            with part.open("rb+") as file:
                os.fsync(file.fileno())
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all."""
    with whole(path) as part:
        part.write_text(text, encoding="utf-8")

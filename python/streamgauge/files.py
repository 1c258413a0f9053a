"""Disk access: atomic writes, and reads of compressed files."""

from __future__ import annotations

import errno
import gzip
import io
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from glob import escape
from hashlib import blake2b, file_digest
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from stat import S_ISREG
from typing import IO, cast

from streamgauge.errors import (
    DataError,
    DiskError,
    MissingDataError,
    ParameterError,
    StreamgaugeError,
)
from streamgauge.lazy import suggestion
from streamgauge.locks import TRIES, Lock, remove_unlocked, try_lock

TEMPORARY = re.compile(r"\.[0-9a-f]{8}\.part$")
"""The end of the name of a temporary file."""


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn an OSError of a write into a DiskError about `path`."""
    try:
        yield
    except OSError as error:
        if isinstance(error, StreamgaugeError):  # perhaps about another file
            raise
        reason = os.strerror(error.errno) if error.errno else str(error)
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        advice = "free some space or choose another folder" if full else "choose another folder"
        raise DiskError(f"{path}: cannot be written ({reason}); {advice}") from error


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A temporary path to write to; renamed to `path` at the end, removed on any error.

    It is locked while this process writes it, so that the next writer of `path` can remove those
    that killed processes have left. After a power failure `path` has its old or its new content.
    """
    with disk_errors(path):
        remove_parts(path.parent, path.name)
        lock = _locked_part(path)
        part = lock.path
        try:
            yield part
            sync_file(part)
            part.replace(path)
            sync_folder(path.parent)
        finally:
            lock.release()


def _locked_part(path: Path) -> Lock:
    """A new temporary file of a path, locked; one that another writer removes is not used."""
    for _ in range(TRIES):
        lock = try_lock(path.with_name(f".{path.name}.{token_hex(4)}.part"))
        if lock is not None:
            return lock
    raise DiskError(
        f"{path}: must have a temporary file of its own, got {TRIES} that another process has "
        "locked; choose another folder"
    )


def remove_parts(folder: Path, name: str = "*") -> None:
    """Remove the temporary files of a file, or of all, that no living process writes.

    A symbolic link is none that streamgauge has made: the link is removed, and never opened.
    """
    name = name if name == "*" else escape(name)
    for part in folder.glob(f".{name}.*.part"):
        if not TEMPORARY.search(part.name):  # of another program
            continue
        if part.is_symlink():
            part.unlink(missing_ok=True)
        elif part.is_file():
            remove_unlocked(part)


def check_no_links(paths: Iterable[Path]) -> None:
    """Refuse symbolic links where files are written: they would lead the writing elsewhere."""
    for path in paths:
        if path.is_symlink():
            raise DiskError(
                f"{path}: must be a file or folder of its own to be written, got a symbolic link; "
                "replace it by what it leads to, or choose another folder"
            )


_SYNCED_AT_END: set[Path] = set()


@contextmanager
def synced_at_end(folder: Path) -> Iterator[None]:
    """Make the files in a folder durable at the end, all at once, and not one by one.

    For a folder that nobody reads before. Waiting for the disk once takes a fraction of the time.
    """
    _SYNCED_AT_END.add(folder)
    try:
        yield
    finally:
        _SYNCED_AT_END.discard(folder)
    with disk_errors(folder):
        files = [path for path in folder.iterdir() if path.is_file()]
        with ThreadPoolExecutor(max(1, len(files))) as pool:
            list(pool.map(sync_file, files))  # one journal of the file system serves them all
        sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable: those of new files, and of renamed and removed ones."""
    if os.name == "nt" or folder in _SYNCED_AT_END:  # Windows cannot open a folder
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some network file systems sync no folders
            raise
    finally:
        os.close(opened)


def make_folder(folder: Path) -> None:
    """Create a folder and its parents, durably."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    sync_folder(folder.parent)


def sync_file(path: Path) -> None:
    """Make the content of a file durable."""
    if path.parent in _SYNCED_AT_END:
        return
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def fingerprint(path: Path) -> str:
    """A hash of a file's content."""
    with path.open("rb") as file:
        return file_digest(file, lambda: blake2b(digest_size=10)).hexdigest()


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically."""
    with whole(path) as part:
        part.write_text(text, encoding="utf-8")


def read_regular(path: str) -> bytes:
    """The content of a small file; an OSError for a pipe or device, which may have no end."""
    if not S_ISREG(os.stat(path).st_mode):
        raise OSError(errno.EINVAL, "is no regular file", path)
    with open(path, "rb", buffering=0) as file:
        return file.read()


def existing(path: Path | str) -> Path:
    """The path of an existing file; otherwise an error that suggests a similar name."""
    if not isinstance(path, str | os.PathLike):
        raise ParameterError(f"file: must be the path of a file, got {type(path).__name__}")
    path = Path(path)
    if path.is_dir():
        raise MissingDataError(f"{path}: must be a file, got a folder")
    if not path.exists():
        folder = path.parent
        near = (
            suggestion(path.name, [other.name for other in folder.iterdir() if other.is_file()])
            if folder.is_dir()
            else f"; there is no folder {str(folder)!r} either"
        )
        raise MissingDataError(f"{path}: no such file{near}")
    if not path.is_file():  # it may have no end, and cannot be read twice
        raise MissingDataError(
            f"{path}: must be a regular file, got a pipe or device; save its content as a file"
        )
    return path


def cache_folder() -> Path:
    """The user's cache: XDG_CACHE_HOME/streamgauge, or ~/.cache/streamgauge."""
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "streamgauge"


def data_folder() -> Path:
    """The folder of the catalog's files: STREAMGAUGE_DATA, or `data` in the user's cache."""
    named = os.environ.get("STREAMGAUGE_DATA")
    return Path(named) if named else cache_folder() / "data"


@contextmanager
def unpacked(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of a file, decompressed if it is packed by gzip or zstd."""
    with existing(path).open("rb") as raw:
        magic = raw.read(4)
        raw.seek(0)
        try:
            if magic[:2] == b"\x1f\x8b":
                with gzip.open(raw) as plain:
                    yield cast(IO[bytes], plain)
            elif magic == b"\x28\xb5\x2f\xfd":
                # Not in the standard library before Python 3.14; pyarrow is loaded for it alone.
                packed = import_module("pyarrow").CompressedInputStream(raw, "zstd")
                with io.BufferedReader(packed) as plain:
                    yield plain
            else:
                yield raw
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise DataError(
                f"{path}: must be a complete compressed file, got a damaged one ({error})"
            ) from error
        except OSError as error:
            if isinstance(error, MissingDataError):
                raise
            reason = error.strerror or str(error)
            raise DataError(f"{path}: cannot be read ({reason})") from error

"""Locks of files, held by a process through the operating system and gone with it.

A lock belongs to the open file, not to its name or content: it ends when its process ends, also by
`kill -9`, and a file that a dead process has left is no obstacle. Readers never lock.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import weakref
from pathlib import Path
from typing import IO

from streamgauge.errors import DiskError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

NAME = ".lock"
"""The lock file of a folder; removed when the lock is released."""

TRIES = 100
"""How often a lock is tried while other processes remove or rename its file."""

OPTIONS = os.O_RDWR | os.O_APPEND
for _name in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_BINARY"):  # Windows has only the last
    OPTIONS |= getattr(os, _name, 0)

UNSUPPORTED = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)
"""Errors of a file system without locks."""


class Lock:
    """A locked file. `held` is False on a file system without locks."""

    def __init__(self, path: Path, file: IO[bytes], held: bool) -> None:
        self.path = path
        self.held = held
        self._file = file
        self._process = os.getpid()
        _OPEN.add(self)

    def write(self, text: str) -> None:
        """Replace the content of the file."""
        self._file.truncate(0)
        self._file.write(text.encode())

    def release(self, *, remove: bool = True) -> None:
        """Release the lock; the file is removed, unless it has another purpose."""
        if self._file.closed:
            return
        # A forked child holds the same open file: the lock stays the parent's.
        if remove and self._process == os.getpid():
            self.path.unlink(missing_ok=True)
        self._file.close()

    def close_in_child(self) -> None:
        """Close the file in a forked child, so that the lock ends with the parent."""
        self._file.close()


_OPEN: weakref.WeakSet[Lock] = weakref.WeakSet()


def _after_fork() -> None:
    for lock in [*_OPEN]:
        lock.close_in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def try_lock(path: Path) -> Lock | None:
    """Lock a file, which is created if it does not exist; None if another has locked it."""
    for _ in range(TRIES):
        file = _opened(path, os.O_CREAT)
        try:
            held = _lock(file.fileno())
        except BlockingIOError:
            file.close()
            return None
        # The last holder may have removed or renamed the file after it was opened here.
        try:
            same = os.path.samestat(os.fstat(file.fileno()), path.lstat())
        except FileNotFoundError:
            same = False
        if same:
            return Lock(path, file, held)
        file.close()
    raise DiskError(
        f"{path}: must stay in place while it is locked, got another file {TRIES} times; choose "
        "another folder"
    )


def lock_folder(folder: Path) -> Lock:
    """Lock a folder for writing; an error if another process, or thread, writes to it."""
    path = folder / NAME
    lock = try_lock(path)
    if lock is None:
        try:
            process = path.read_text(encoding="ascii", errors="replace").strip()
        except FileNotFoundError:  # released since
            process = ""
        who = f"process {process}" if process else "another process"
        raise DiskError(
            f"{folder}: cannot be written ({who} is writing to it); wait until it has finished, "
            "or choose another folder"
        )
    if not lock.held:
        lock.release()
        raise DiskError(
            f"{folder}: cannot be written (its file system has no locks); choose another folder"
        )
    lock.write(f"{os.getpid()}\n")
    return lock


def remove_unlocked(path: Path) -> bool:
    """Remove a file that no process has locked; True if it was removed."""
    lock = try_lock(path)
    if lock is None:
        return False
    lock.release(remove=lock.held)
    return lock.held


def is_locked(folder: Path) -> bool:
    """Whether a process writes to a folder; its lock file is neither created nor removed."""
    path = folder / NAME
    if path.is_symlink() or not path.is_file():  # a link is no lock of ours
        return False
    try:
        with _opened(path) as file:
            return not _lock(file.fileno())
    except BlockingIOError:
        return True
    except FileNotFoundError:  # released since
        return False


def _opened(path: Path, create: int = 0) -> IO[bytes]:
    """A regular file, opened to be locked; a link is refused, since it leads to another file."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG
    if stat.S_ISREG(mode):
        file = os.open(path, OPTIONS | create, 0o666)  # what became a link since is not followed
        found = os.fstat(file)
        if stat.S_ISREG(found.st_mode) and found.st_nlink <= 1:
            return os.fdopen(file, "ab", buffering=0)
        os.close(file)
    kinds = {
        stat.S_IFLNK: "a symbolic link",
        stat.S_IFDIR: "a folder",
        stat.S_IFREG: "one with a second name (a hard link)",
    }
    got = kinds.get(stat.S_IFMT(mode), "a special file")
    raise DiskError(
        f"{path}: must be a regular file, got {got}; remove it, or choose another folder"
    )


def _lock(file: int) -> bool:
    """Lock an open file; False if the file system has no locks, BlockingIOError if it is taken."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in UNSUPPORTED:
            return False
        if error.errno in (errno.EACCES, errno.EDEADLK):  # how Windows reports a taken lock
            raise BlockingIOError(error.errno, error.strerror) from error
        raise
    return True

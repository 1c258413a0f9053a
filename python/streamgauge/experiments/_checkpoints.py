"""The checkpoints of cells on disk.

The state of a native learner is data, and is written beside the attempt, in the run folder. A
pickle is code: it is written to a folder of the user's own cache, outside of the run folder, which
others may receive; it is read only if nobody else can have written it.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path

from streamgauge.checksums import as_text, checksum
from streamgauge.engine.checkpoint import Checkpoint
from streamgauge.files import cache_folder, disk_errors, make_folder, whole
from streamgauge.log._folder_writer import Beginning, Written
from streamgauge.log.arrow import SIDE_TABLES, TABLES

END = ".checkpoint"
"""The end of the name of a checkpoint, after that of its attempt."""


@dataclass(frozen=True, slots=True)
class AttemptStore:
    """The checkpoints of one attempt of a cell, and those of the attempts before."""

    attempt: Path
    earlier: tuple[Path, ...] = ()

    def last(self) -> tuple[Checkpoint, Beginning] | tuple[None, None]:
        """The checkpoint of an earlier attempt that is the furthest."""
        found = [(read, path) for path in self.earlier if (read := read_checkpoint(path))]
        if not found:
            return None, None
        checkpoint, path = max(found, key=lambda one: one[0].items)
        order = checkpoint.last_labelled, checkpoint.in_order
        return checkpoint, Beginning(path, checkpoint.tables, *order)

    def save(self, checkpoint: Checkpoint) -> None:
        """Write the checkpoint of this attempt."""
        path = _private(self.attempt) if checkpoint.pickled else beside(self.attempt)
        if checkpoint.pickled:
            with disk_errors(path):
                make_folder(path.parent.parent)
                path.parent.mkdir(mode=0o700, exist_ok=True)
        head = {
            "items": checkpoint.items,
            "tables": {name: asdict(table) for name, table in checkpoint.tables.items()},
            "states": [len(state) for state in checkpoint.states],
            "pending": [len(state) for state in checkpoint.pending],
            "chunks": checkpoint.chunks,
            "last_labelled": checkpoint.last_labelled,
            "in_order": checkpoint.in_order,
            "seconds": checkpoint.seconds,
            "cpu_seconds": checkpoint.cpu_seconds,
        }
        states = b"".join((*checkpoint.states, *checkpoint.pending))
        content = json.dumps(head).encode() + b"\n" + states
        with whole(path) as part:
            part.chmod(0o600)
            part.write_bytes(as_text(checksum(content)).encode() + b"\n" + content)


def beside(attempt: Path) -> Path:
    """The path of the checkpoint with the states of native learners."""
    return attempt.with_name(attempt.name + END)


def _private(attempt: Path) -> Path:
    """The path of the checkpoint with pickles, in the user's own cache."""
    where = blake2b(os.fsencode(attempt.absolute()), digest_size=10).hexdigest()
    return cache_folder() / "checkpoints" / f"{where}{END}"


def read_checkpoint(attempt: Path) -> Checkpoint | None:
    """The checkpoint of an attempt; None if there is none that is whole."""
    for path in _existing(attempt):
        pickled = path != beside(attempt)
        if pickled and not _is_own(path):
            continue
        stated, _, content = path.read_bytes().partition(b"\n")
        if stated != as_text(checksum(content)).encode():
            continue
        line, _, states = content.partition(b"\n")
        try:
            found = _checkpoint(json.loads(line), states, pickled)
            if all(_has(attempt / f"{name}.arrows", t) for name, t in found.tables.items()):
                return found
        except (ValueError, KeyError, TypeError, RecursionError):  # a checksum fits any content
            continue
    return None


def _has(stream: Path, table: Written) -> bool:
    """Whether the stream of a table has the stated beginning."""
    return not stream.is_symlink() and stream.is_file() and stream.stat().st_size >= table.bytes


def remove_checkpoint(attempt: Path) -> None:
    """Remove the checkpoint of an attempt, if there is one."""
    for path in _existing(attempt):
        path.unlink(missing_ok=True)


def _existing(attempt: Path) -> Iterator[Path]:
    """The paths of the checkpoints of an attempt; a link is none that streamgauge has made."""
    for path in (beside(attempt), _private(attempt)):
        if path.is_file() and not path.is_symlink():
            yield path


def _is_own(path: Path) -> bool:
    """Whether a file and its folder are this user's, and no other user can write to them."""
    if not hasattr(os, "getuid"):  # folders of a user's profile are his own
        return True
    with suppress(OSError):
        found = [one.lstat() for one in (path, path.parent)]
        others = stat.S_IWGRP | stat.S_IWOTH
        return all(one.st_uid == os.getuid() and not one.st_mode & others for one in found)
    return False


def _checkpoint(head: dict[str, object], states: bytes, pickled: bool) -> Checkpoint:
    of_learners, of_pending, tables = head["states"], head["pending"], head["tables"]
    if not isinstance(of_learners, list) or not isinstance(of_pending, list):
        raise TypeError("states and pending must be lists")
    if not isinstance(tables, dict):
        raise TypeError("tables must be an object")
    sizes = [*of_learners, *of_pending]
    if sum(sizes) != len(states) or min(sizes, default=0) < 0:
        raise ValueError("the states must have the stated sizes")
    if not set(TABLES) <= tables.keys() <= {*TABLES, *SIDE_TABLES}:  # no path that leads elsewhere
        raise ValueError("the tables must be those of a log")
    cut, start = [], 0
    for size in sizes:
        cut.append(states[start : start + size])
        start += size
    seconds, cpu_seconds = (float(str(head[key])) for key in ("seconds", "cpu_seconds"))
    written = {name: Written(int(t["rows"]), int(t["bytes"])) for name, t in tables.items()}
    items, chunks, last = (int(str(head[key])) for key in ("items", "chunks", "last_labelled"))
    if min(items, chunks, last + 1) < 0 or any(t.rows < 0 or t.bytes < 0 for t in written.values()):
        raise ValueError("numbers must be at least 0")
    learners, pending = cut[: len(of_learners)], cut[len(of_learners) :]
    return Checkpoint(
        items=items,
        tables=written,
        states=learners,
        pickled=pickled,
        pending=pending,
        chunks=chunks,
        last_labelled=last,
        in_order=bool(head["in_order"]),
        seconds=seconds,
        cpu_seconds=cpu_seconds,
    )

"""A journal of what a process does to the files of a folder, and the states after a power failure.

Durable is what was synced. The content of a file is durable up to its last fsync. A new name, a
renaming or a removal is durable after an fsync of a folder that it changes; until then any subset
of these changes may be lost, in any combination. A renaming is never half done.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

OPERATIONS = ("replace", "rename", "unlink", "remove", "mkdir", "rmdir")

Name = tuple[int, str]
"""A name in a folder: the number of the folder, and the name."""

ROOT = 0
FOLDER = None
"""The content of a folder."""

BOTH = (True, False)


@dataclass(frozen=True, slots=True)
class Named:
    """Names that changed at once: each now stands for a number, or for nothing."""

    names: dict[Name, int | None]

    @property
    def folders(self) -> set[int]:
        return {folder for folder, _ in self.names}


@dataclass(frozen=True, slots=True)
class Written:
    """The content of a file (None: it is a folder)."""

    number: int
    content: bytes | None


@dataclass(frozen=True, slots=True)
class Synced:
    """An fsync of a file or a folder."""

    number: int


@dataclass
class Journal:
    """What happened in a folder, in order."""

    root: Path
    events: list[Named | Written | Synced] = field(default_factory=list)
    _names: dict[Name, int] = field(default_factory=dict)
    _contents: dict[int, bytes | None] = field(default_factory=dict)
    _numbers: dict[int, int] = field(default_factory=dict)

    def look(self) -> None:
        """Record what changed since the last time."""
        names: dict[Name, int] = {}
        contents: dict[int, bytes | None] = {}
        numbers: dict[int, int] = {self.root.stat().st_ino: ROOT}
        pending = [(ROOT, self.root)]
        for folder, path in pending:
            for entry in sorted(os.scandir(path), key=lambda e: e.name):
                inode = entry.inode()
                number = self._numbers.get(inode)
                if number is None or number in contents:
                    number = len(self.events) * 1000 + len(names) + 1
                numbers[inode] = number
                names[folder, entry.name] = number
                if entry.is_dir(follow_symlinks=False):
                    contents[number] = FOLDER
                    pending.append((number, Path(entry.path)))
                else:
                    contents[number] = Path(entry.path).read_bytes()
        for number, content in contents.items():
            if number not in self._contents or self._contents[number] != content:
                self.events.append(Written(number, content))
        changed = {
            name: names.get(name)
            for name in names.keys() | self._names.keys()
            if names.get(name) != self._names.get(name)
        }
        moved = {n for n in changed.values() if n is not None and n in self._contents}
        once: dict[Name, int | None] = {}
        for name, number in changed.items():
            before = self._names.get(name)
            if number in moved or before in moved:
                once[name] = number
            else:
                self.events.append(Named({name: number}))
        if once:
            self.events.append(Named(once))
        self._names, self._contents, self._numbers = names, contents, numbers

    def synced(self, inode: int) -> None:
        """Record an fsync."""
        if inode in self._numbers:
            self.events.append(Synced(self._numbers[inode]))

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Record what this process does to the folder."""
        self.root.mkdir(parents=True, exist_ok=True)
        self.look()
        usual = {name: getattr(os, name) for name in (*OPERATIONS, "fsync")}

        def recorded(work: Callable[..., Any]) -> Callable[..., Any]:
            def call(*args: Any, **named: Any) -> Any:
                self.look()
                done = work(*args, **named)
                self.look()
                return done

            return call

        def fsync(file: int) -> None:
            self.look()
            usual["fsync"](file)
            self.synced(os.fstat(file).st_ino)

        try:
            for name in OPERATIONS:
                setattr(os, name, recorded(usual[name]))
            os.fsync = fsync
            yield
        finally:
            for name, work in usual.items():
                setattr(os, name, work)
            self.look()

    def states(self, rng: random.Random, most: int) -> Iterator[tuple[int, State]]:
        """States after a power failure at each event; at most `most` per event."""
        for at in range(len(self.events) + 1):
            yield from ((at, state) for state in _states(self.events[:at], rng, most))


@dataclass(frozen=True, slots=True)
class State:
    """The names and contents that are on the disk."""

    names: dict[Name, int]
    contents: dict[int, bytes | None]

    def write(self, target: Path) -> None:
        """Make a folder of this state."""
        target.mkdir()
        pending = [(ROOT, target)]
        for folder, path in pending:
            for (parent, name), number in self.names.items():
                if parent != folder:
                    continue
                content = self.contents.get(number, b"")
                if content is FOLDER:
                    (path / name).mkdir()
                    pending.append((number, path / name))
                else:
                    (path / name).write_bytes(content)


def _states(
    events: list[Named | Written | Synced], rng: random.Random, most: int
) -> Iterator[State]:
    durable: dict[int, bytes | None] = {}
    latest: dict[int, bytes | None] = {}
    named: list[Named] = []
    loose: list[Named] = []
    for event in events:
        if isinstance(event, Written):
            latest[event.number] = event.content
            if event.content is FOLDER:
                durable[event.number] = FOLDER
        elif isinstance(event, Named):
            named.append(event)
            loose.append(event)
        elif latest.get(event.number, FOLDER) is FOLDER:
            loose = [one for one in loose if event.number not in one.folders]
        else:
            durable[event.number] = latest[event.number]
    unsynced = sorted(n for n, content in latest.items() if durable.get(n, b"") != content)
    for kept in _subsets(len(loose), rng, most):
        lost = {id(one) for one, keep in zip(loose, kept, strict=True) if not keep}
        names: dict[Name, int] = {}
        for one in named:
            if id(one) in lost:
                continue
            for name, number in one.names.items():
                if number is None:
                    names.pop(name, None)
                else:
                    names[name] = number
        contents = {**latest, **durable}
        for number in unsynced:
            contents[number] = _after_failure(
                durable.get(number) or b"", latest[number] or b"", rng
            )
        yield State(names, contents)


def _subsets(count: int, rng: random.Random, most: int) -> list[tuple[bool, ...]]:
    """Which of the changes that are not durable are kept: every subset if they are few.

    Otherwise all, none, and a sample that prefers those that lose one or keep one.
    """
    if 2**count <= most:
        return list(product((True, False), repeat=count))
    one = [tuple((n == nth) is keep for n in range(count)) for nth in range(count) for keep in BOTH]
    some = [tuple(rng.random() < 0.5 for _ in range(count)) for _ in range(count)]
    return [(True,) * count, (False,) * count, *rng.sample(one + some, len(one + some))][:most]


def _after_failure(durable: bytes, latest: bytes, rng: random.Random) -> bytes:
    """What may be left of a file that was written after its last fsync."""
    cut = rng.randint(0, len(latest))
    return rng.choice(
        (
            durable,
            latest,
            latest[:cut],  # the size is durable, or a part of it
            latest[:cut] + bytes(len(latest) - cut),  # the size is, the last blocks are not
            bytes(cut) + latest[cut:],  # nor the first ones
        )
    )

"""Inputs run in forked processes, so that a crash or a hang is one verdict and not the end."""

from __future__ import annotations

import json
import os
import random
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from fuzz.kind import Input, Kind, Verdict, judge

BATCH = 200
"""Inputs of one process."""

HANG_SECONDS = 180.0
"""An input that takes longer does not end."""

MEMORY_BYTES = 4 << 30
"""Address space of a process beyond that of its parent."""


def random_of(name: str, seed: int, number: int) -> random.Random:
    """The random numbers of one input."""
    return random.Random(f"{seed}/{name}/{number}")


def verdicts(
    name: str, kind: Kind, seed: int, first: int, count: int
) -> Iterator[tuple[int, Verdict]]:
    """The verdicts on `count` inputs, each with its number."""
    at, end = first, first + count
    while at < end:
        done = 0
        for verdict in _batch(name, kind, seed, at, min(BATCH, end - at)):
            yield at + done, verdict
            done += 1
        at += done


def _batch(name: str, kind: Kind, seed: int, first: int, count: int) -> Iterator[Verdict]:
    """The verdicts of one process; it ends early after a crash or a hang."""
    sys.stdout.flush()
    sys.stderr.flush()
    # Removed by the parent: a process that crashes removes nothing.
    folder = Path(tempfile.mkdtemp(prefix="fuzz-", dir=_memory_disk()))
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reader)
        _child(name, kind, seed, range(first, first + count), folder, writer)
    os.close(writer)
    try:
        yield from _received(process, reader, count)
    finally:
        os.close(reader)
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        shutil.rmtree(folder, ignore_errors=True)


def _child(name: str, kind: Kind, seed: int, numbers: range, folder: Path, writer: int) -> None:
    """Judge inputs and send the verdicts, one line each; does not return."""
    try:
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        used = _virtual_bytes()
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY_BYTES, used + MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for number in numbers:
            verdict = one(kind, kind.draw(random_of(name, seed, number)), folder)
            line = json.dumps([verdict.past, verdict.finding, verdict.group, verdict.refused])
            os.write(writer, line.encode() + b"\n")
        time.sleep(HANG_SECONDS)  # until the parent has read everything and ends it
    finally:
        os._exit(3)


def one(kind: Kind, given: Input, folder: Path) -> Verdict:
    """Judge one input in an empty folder."""
    work = folder / "work"
    work.mkdir()
    try:
        return judge(kind.run, given, work)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _received(process: int, reader: int, count: int) -> Iterator[Verdict]:
    held = b""
    received = 0
    since = time.monotonic()
    while received < count:
        left = since + HANG_SECONDS - time.monotonic()
        ready, _, _ = select.select([reader], [], [], max(left, 0.0))
        if not ready:
            yield Verdict(False, f"no result after {HANG_SECONDS:.0f} s", "hang")
            return
        data = os.read(reader, 1 << 16)
        if not data:
            _, status = os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)[2:4]
            yield Verdict(False, f"the process ended by {_signal(status)}", f"crash {status}")
            return
        *lines, held = (held + data).split(b"\n")
        for line in lines:
            yield Verdict(*json.loads(line))
            received += 1
            since = time.monotonic()


def _signal(status: int) -> str:
    try:
        return signal.Signals(status).name
    except ValueError:
        return f"exit {status}"


def _memory_disk() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _virtual_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()

"""Limits of the process of a cell: its time, its memory, and the life of the run."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from streamgauge.locks import NAME as LOCK
from streamgauge.locks import is_locked

POLL_SECONDS = 0.1
"""How often the limits are checked."""

RUN_SECONDS = 0.5
"""How often the process looks whether its run still lives."""

GRACE_SECONDS = 2.0
"""How much later the operating system ends a process whose Python code is stuck in a call."""


@contextmanager
def limited(
    run: Path, owner: str, stopped: Path, seconds: float | None, memory: int | None
) -> Iterator[None]:
    """End this process if it exceeds a limit, or if the run that started it has ended.

    `owner` is the content of the lock file of the run. The reason is written to `stopped` before.
    A thread checks, so a call that holds the interpreter is ended by a signal instead.
    """
    over = threading.Event()
    watch = threading.Thread(
        target=_watch, args=(over, run, owner, stopped, seconds, memory), daemon=True
    )
    timer = seconds is not None and hasattr(signal, "setitimer")
    if timer:
        signal.setitimer(signal.ITIMER_REAL, float(seconds or 0) + GRACE_SECONDS)
    watch.start()
    try:
        yield
    finally:
        over.set()
        if timer:
            signal.setitimer(signal.ITIMER_REAL, 0)
        watch.join()


def _watch(
    over: threading.Event,
    run: Path,
    owner: str,
    stopped: Path,
    seconds: float | None,
    memory: int | None,
) -> None:
    began = looked = time.monotonic()
    process = psutil.Process()
    while not over.wait(POLL_SECONDS):
        now = time.monotonic()
        if seconds is not None and now - began > seconds:
            _end(stopped, f"it took longer than {seconds:g} s")
        if memory is not None and (used := process.memory_info().rss) > memory:
            limit = memory / 10**6
            _end(stopped, f"it took {used / 10**6:,.0f} MB of memory, more than {limit:,.0f} MB")
        if now - looked > RUN_SECONDS:
            looked = now
            if not _lives(run, owner):
                os._exit(1)


def _end(stopped: Path, why: str) -> None:
    stopped.write_text(why, encoding="utf-8")
    os._exit(1)


def _lives(run: Path, owner: str) -> bool:
    """Whether the process that started the run still holds its lock."""
    try:
        return (run / LOCK).read_text(encoding="ascii", errors="replace") == owner and is_locked(
            run
        )
    except FileNotFoundError:
        return False

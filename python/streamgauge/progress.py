"""Progress: bars in a terminal, plain lines elsewhere; nothing for what is over in two seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

Progress = Callable[[int, int | None], None]
"""Told how many items have been dealt with, and of how many (None: unknown)."""

AFTER_SECONDS = 2.0
LINE_SECONDS = 5.0


def watcher(title: str, quiet: bool = False) -> Progress:
    """The progress of one run called `title`; a bar, lines or silence."""
    if quiet:
        return _silent
    return Bar(title) if sys.stderr.isatty() else _Lines(title)


def _silent(done: int, total: int | None) -> None:
    return None


@dataclass(slots=True)
class _Lines:
    """A line every few seconds, for logs and pipes."""

    title: str
    began: float = field(default_factory=time.monotonic)
    last: float = field(default_factory=lambda: time.monotonic() + AFTER_SECONDS - LINE_SECONDS)

    def __call__(self, done: int, total: int | None) -> None:
        now = time.monotonic()
        over = total is not None and done >= total and now - self.began > AFTER_SECONDS
        if now - self.last < LINE_SECONDS and not over:
            return
        self.last = now
        sys.stderr.write(f"{self.title}: {words(done, total, now - self.began)}\n")


@dataclass(slots=True)
class Bar:
    """A bar of rich, shown once the run has taken two seconds."""

    title: str
    began: float = field(default_factory=time.monotonic)
    bar: Any = None
    task: Any = None

    def __call__(self, done: int, total: int | None) -> None:
        """Show how far the run is."""
        seconds = time.monotonic() - self.began
        if self.bar is None:
            if seconds < AFTER_SECONDS:
                return
            rich = import_module("rich.progress")
            console = import_module("rich.console").Console(stderr=True)
            self.bar = rich.Progress(
                rich.TextColumn("{task.description}"),
                rich.BarColumn(),
                rich.TextColumn("{task.fields[words]}"),
                console=console,
                transient=True,
            )
            self.bar.start()
            self.task = self.bar.add_task(self.title, total=total, words="")
        self.bar.update(self.task, completed=done, words=words(done, total, seconds))

    def close(self) -> None:
        """Clear the bar, however the run ended."""
        if self.bar is not None:
            self.bar.stop()


def words(done: int, total: int | None, seconds: float) -> str:
    """How far, how fast, how long still.

    Examples
    --------
    >>> words(500_000, 2_000_000, 4.0)
    '500,000 of 2,000,000 items (25 %), 125,000 items/s, 12 s left'
    >>> words(1_000, None, 2.0)
    '1,000 items, 500 items/s'
    """
    rate = done / seconds if seconds > 0 else 0.0
    if total is None:
        return f"{done:,} items, {rate:,.0f} items/s"
    left = f", {(total - done) / rate:.0f} s left" if rate and done < total else ""
    share = 100 * done / max(total, 1)
    return f"{done:,} of {total:,} items ({share:.0f} %), {rate:,.0f} items/s{left}"

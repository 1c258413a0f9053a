"""Progress of a run: a bar in a terminal, lines elsewhere; nothing in the first two seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol

from streamgauge.escapes import in_terminal

Progress = Callable[[int, int | None], None]
"""A function of the number of items done and the total (None: unknown)."""

AFTER_SECONDS = 2.0
LINE_SECONDS = 5.0


def watcher(title: str, quiet: bool = False, unit: str = "items") -> Progress:
    """The progress display of one run called `title`; none if `quiet`."""
    if quiet:
        return _no_progress
    title = in_terminal(title)
    return Bar(title, unit) if sys.stderr.isatty() else _Lines(title, unit)


def _no_progress(done: int, total: int | None) -> None:
    return None


@dataclass(slots=True)
class _Lines:
    """A line every few seconds, for logs and pipes."""

    title: str
    unit: str = "items"
    began: float = field(default_factory=time.monotonic)
    last: float = field(default_factory=lambda: time.monotonic() + AFTER_SECONDS - LINE_SECONDS)

    def __call__(self, done: int, total: int | None) -> None:
        now = time.monotonic()
        over = total is not None and done >= total and now - self.began > AFTER_SECONDS
        if now - self.last < LINE_SECONDS and not over:
            return
        self.last = now
        sys.stderr.write(f"{self.title}: {words(done, total, now - self.began, self.unit)}\n")


@dataclass(slots=True)
class Bar:
    """A bar of rich, shown after two seconds."""

    title: str
    unit: str = "items"
    began: float = field(default_factory=time.monotonic)
    bar: Any = None
    task: Any = None

    def __call__(self, done: int, total: int | None) -> None:
        """Update the bar."""
        seconds = time.monotonic() - self.began
        self._update(lambda: words(done, total, seconds, self.unit), done, total)

    def show(self, words: Callable[[], str], share: float) -> None:
        """Update the bar with any text and a share of 1."""
        self._update(words, share, 1)

    def _update(self, words: Callable[[], str], done: float, total: float | None) -> None:
        if self.bar is None:
            if time.monotonic() - self.began < AFTER_SECONDS:
                return
            rich = import_module("rich.progress")
            console = import_module("rich.console").Console(stderr=True)
            self.bar = rich.Progress(
                rich.TextColumn("{task.description}", markup=False),
                rich.BarColumn(),
                rich.TextColumn("{task.fields[words]}"),
                console=console,
                transient=True,
            )
            self.bar.start()
            self.task = self.bar.add_task(self.title, total=total, words="")
        self.bar.update(self.task, completed=done, words=words())

    def close(self) -> None:
        """Remove the bar."""
        if self.bar is not None:
            self.bar.stop()


class TextDisplay(Protocol):
    """A display of text that is made when it is shown, and of a share of 1."""

    def __call__(self, words: Callable[[], str], share: float) -> None:
        """Show the text, if it is time to."""

    def close(self) -> None:
        """Remove the display."""


def display() -> TextDisplay:
    """A display of text: a bar in a terminal, lines elsewhere."""
    return _TextBar() if sys.stderr.isatty() else _TextLines()


@dataclass(slots=True)
class _TextLines:
    """A line every few seconds, for logs and pipes."""

    last: float = field(default_factory=lambda: time.monotonic() + AFTER_SECONDS - LINE_SECONDS)

    def __call__(self, words: Callable[[], str], share: float) -> None:
        now = time.monotonic()
        if now - self.last >= LINE_SECONDS:
            self.last = now
            sys.stderr.write(f"{words()}\n")

    def close(self) -> None:
        """Nothing is to be removed."""


@dataclass(slots=True)
class _TextBar:
    """A bar of rich, shown after two seconds."""

    bar: Bar = field(default_factory=lambda: Bar(""))

    def __call__(self, words: Callable[[], str], share: float) -> None:
        self.bar.show(words, share)

    def close(self) -> None:
        """Remove the bar."""
        self.bar.close()


def words(done: int, total: int | None, seconds: float, unit: str = "items") -> str:
    """Progress, speed and remaining time as text.

    Examples
    --------
    >>> words(500_000, 2_000_000, 4.0)
    '500,000 of 2,000,000 items (25 %), 125,000 items/s, 12 s left'
    >>> words(1_000, None, 2.0)
    '1,000 items, 500 items/s'
    """
    rate = done / seconds if seconds > 0 else 0.0
    if total is None:
        return f"{done:,} {unit}, {rate:,.0f} {unit}/s"
    left = f", {(total - done) / rate:.0f} s left" if rate and done < total else ""
    share = 100 * done / max(total, 1)
    return f"{done:,} of {total:,} {unit} ({share:.0f} %), {rate:,.0f} {unit}/s{left}"

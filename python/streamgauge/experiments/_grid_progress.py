"""Progress of a grid: how many cells are finished, what runs now, and how long it takes."""

from __future__ import annotations

import time
from functools import partial

from streamgauge.escapes import in_terminal
from streamgauge.progress import Progress, TextDisplay, display

NOW = 3
"""Cells that run now and are shown by name."""


class GridProgress:
    """The progress of `total` cells."""

    def __init__(self, total: int, quiet: bool) -> None:
        self._total = total
        self._finished = 0
        self._running: dict[str, tuple[str, int, int | None]] = {}
        self._began = time.monotonic()
        self._display: TextDisplay | None = None if quiet else display()

    def of(self, cell: str, title: str) -> Progress:
        """The progress of one cell."""
        return partial(self._update, cell, title)

    def _update(self, cell: str, title: str, done: int, total: int | None) -> None:
        self._running[cell] = title, done, total
        self.show()

    def finished(self, cell: str) -> None:
        """Count a cell as finished."""
        self._running.pop(cell, None)
        self._finished += 1
        self.show()

    def stopped(self, cell: str) -> None:
        """A cell does not run any more, and is not finished."""
        self._running.pop(cell, None)
        self.show()

    def show(self) -> None:
        """Show the progress, if it is time to."""
        if self._display is not None:
            self._display(self.words, self._share())

    def close(self) -> None:
        """Remove the display."""
        if self._display is not None:
            self._display.close()

    def _share(self) -> float:
        parts = sum(done / total for _, done, total in self._running.values() if total)
        return (self._finished + parts) / max(self._total, 1)

    def words(self) -> str:
        """Progress, speed, remaining time and what runs, as text."""
        seconds = time.monotonic() - self._began
        share = self._share()
        rate = self._finished / seconds if seconds > 0 else 0.0
        # While nothing runs, the time passes and says nothing about the rest.
        known = bool(self._running) and 0 < share < 1
        left = f", {seconds * (1 - share) / share:,.0f} s left" if known else ""
        running = [
            f"{in_terminal(title)}{_progress(done, total)}"
            for title, done, total in list(self._running.values())[:NOW]
        ]
        more = len(self._running) - NOW
        now = "; now " + ", ".join(running) + (f" and {more} more" if more > 0 else "")
        return (
            f"{self._finished:,} of {self._total:,} cells ({100 * share:.0f} %), "
            f"{rate:.2g} cells/s{left}{now if running else ''}"
        )


def _progress(done: int, total: int | None) -> str:
    """The progress of a cell as text; nothing while it begins."""
    if total:
        return f" ({100 * done / total:.0f} %, {done:,} items)"
    return f" ({done:,} items)" if done else ""

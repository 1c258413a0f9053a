"""Columns indexed by number: short ones in memory, long ones in a temporary file."""

from __future__ import annotations

import tempfile
import weakref
from typing import Any

import numpy as np

from streamgauge.types import I64, U64

IN_MEMORY = 2**17
"""Maximum number of cells in memory; a longer column is a memory-mapped file."""


class ByNumber:
    """A growing column of cells, initially 0."""

    def __init__(self, kind: type[np.generic]) -> None:
        self._cells: np.ndarray[tuple[int], np.dtype[Any]] = np.zeros(0, kind)
        self._file: Any = None

    def __len__(self) -> int:
        return len(self._cells)

    def put(self, at: U64 | I64, values: np.ndarray[Any, Any]) -> None:
        """Set the cells with these numbers."""
        if len(at):
            self._reach(int(at.max()) + 1)
            self._cells[at] = values

    def get(self, at: U64 | I64) -> np.ndarray[tuple[int], np.dtype[Any]]:
        """The cells with these numbers, a copy."""
        return np.asarray(self._cells[at])  # fancy indexing copies, of a mapped file too

    def view(self, low: int, high: int) -> np.ndarray[tuple[int], np.dtype[Any]]:
        """The cells from `low` to `high` - 1, as a writable view."""
        return self._cells[low:high]

    def _reach(self, size: int) -> None:
        if size <= len(self._cells):
            return
        size = max(size, 2 * len(self._cells), 1024)
        kind = self._cells.dtype
        if size <= IN_MEMORY:
            self._cells = np.concatenate([self._cells, np.zeros(size - len(self._cells), kind)])
            return
        begun = self._file is not None
        if not begun:
            self._file = tempfile.TemporaryFile(prefix="streamgauge-")  # noqa: SIM115 (kept open)
            weakref.finalize(self, self._file.close)
        self._file.truncate(size * kind.itemsize)
        longer: np.ndarray[tuple[int], np.dtype[Any]] = np.memmap(
            self._file, kind, "r+", shape=(size,)
        )
        if not begun:
            longer[: len(self._cells)] = self._cells
        self._cells = longer

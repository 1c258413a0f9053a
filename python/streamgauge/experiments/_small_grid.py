"""Grids that are so small that processes would take longer to start than the cells to run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from streamgauge.experiments._cells import Cell
from streamgauge.experiments.spec import FileStream
from streamgauge.names import files_of, imports_of

SMALL = 300_000
"""Items of a small grid; a native learner takes less than a second for them."""

OUTSIDE = 20
"""How many times as long an item takes if code outside streamgauge is called for it."""

ROW_BYTES = 50
"""Bytes of an item in a file, roughly."""


def is_small(grid: Sequence[Cell]) -> bool:
    """Whether cells are run in about a second, one after the other."""
    items = 0.0
    for cell in grid:
        outside = any(
            imports_of(family, text)
            for family, text in (("learner", cell.learner), ("protocol", cell.protocol))
        )
        items += _items(cell) * (OUTSIDE if outside else 1)
        if items > SMALL:
            return False
    return True


def _items(cell: Cell) -> float:
    """About how many items a cell has; infinite if that is not known."""
    source = cell.stream
    if isinstance(source, FileStream):
        return _size(cell.folder / source.file) / ROW_BYTES
    if files := files_of(source, cell.folder):
        return sum(map(_size, files.values())) / ROW_BYTES
    if imports_of("stream", source):
        return float("inf")
    length = cell.open().length
    return float("inf") if length is None else length


def _size(path: Path) -> float:
    """The size of a file; infinite if there is none."""
    return path.stat().st_size if path.is_file() else float("inf")

"""A data set of the catalog, opened from the data folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import pyarrow.parquet as pq

from streamgauge.errors import MissingDataError
from streamgauge.files import data_folder
from streamgauge.streams.catalog.entry import Entry
from streamgauge.streams.catalog.recipes import RECIPES
from streamgauge.streams.catalog.truth import verify
from streamgauge.streams.columns import one_of
from streamgauge.streams.parquet import Parquet
from streamgauge.types import NEVER, Batch, Schema


@dataclass(frozen=True)
class Benchmark:
    """A data set of the catalog.

    Parameters
    ----------
    clock
        `item`: an item's time is its number. `strict`, `sort`, `allow`: times are those of
        the file's time column, which must not step back, are sorted by, or are taken as
        they come. None: what suits the data set (`item` unless its labels are delayed).
    folder
        Where the file is; None: the folder named by STREAMGAUGE_DATA, or the user's cache.
    """

    entry: ClassVar[Entry]

    clock: Literal["item", "strict", "sort", "allow"] | None = None
    folder: Path | str | None = None
    file: Parquet = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        one_of(self, "clock", self.clock, (None, "item", "strict", "sort", "allow"))
        entry = self.entry
        path = Path(data_folder() if self.folder is None else self.folder) / entry.file
        if not path.is_file():
            raise MissingDataError(wanted(self.name, entry, path.parent))
        file = Parquet(path, **columns_of(entry, path, self.clock or entry.clock))
        verify(self.name, entry, path, file)
        object.__setattr__(self, "file", file)

    @property
    def name(self) -> str:
        """Its name on the CLI and in tables."""
        return type(self).__module__.rpartition(".")[2]

    @property
    def schema(self) -> Schema:
        """What it promises about its items."""
        return self.file.schema

    @property
    def length(self) -> int | None:
        """How many items."""
        return self.file.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Its items from the first on, at most `size` at a time."""
        origin = int(np.datetime64(self.entry.epoch, "us").astype(np.int64))
        for batch in self.file.batches(size, seed):
            yield batch if batch.time is None or not origin else moved(batch, origin)


def columns_of(entry: Entry, path: Path, clock: str) -> dict[str, Any]:
    """What to tell the reader about the columns of a file."""
    here = pq.read_schema(path).names
    timed = clock != "item" and entry.time is not None
    roles = (entry.time, entry.label_time) if timed else ()
    return {
        "drifts": entry.drifts,
        "target": entry.target,
        "time": entry.time if timed else None,
        "label_time": entry.label_time if timed else None,
        "drop": tuple(name for name in entry.drop if name in here and name not in roles),
        "classes": entry.classes,
        "task": "regression" if entry.classes is None else "classification",
        "clock": "strict" if clock == "item" else clock,
        "time_unit": entry.time_unit if timed else "tick",
    }


def moved(batch: Batch, by: int) -> Batch:
    """The same items, all times later by `by` ticks."""
    assert batch.time is not None
    known = batch.label_time
    return replace(
        batch,
        time=batch.time + by,
        label_time=None if known is None else np.where(known == NEVER, NEVER, known + by),
    )


def wanted(name: str, entry: Entry, folder: Path) -> str:
    """What to download, and where to put it."""
    sources = " and ".join(str(source) for source in entry.sources)
    where = f"{name}: {entry.file} must be in {folder}, got no such file"
    recipe = RECIPES.get(name)
    if recipe is None:
        return (
            f"{where}; put it there (STREAMGAUGE_DATA names another folder); "
            f"it was put together from {sources}"
        )
    return (
        f"{where}; download {sources}, then run streamgauge data prepare {name} "
        f"{' '.join(recipe.files)} (STREAMGAUGE_DATA names another folder)"
    )

"""A data set of the catalog, opened from the data folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import pyarrow.parquet as pq

from streamgauge.errors import MissingDataError, ParameterError
from streamgauge.files import data_folder
from streamgauge.streams.catalog.entry import Entry
from streamgauge.streams.catalog.recipes import RECIPES
from streamgauge.streams.catalog.truth import verify
from streamgauge.streams.columns import number, one_of
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
    features
        The features to read; None: all that the benchmark has. Here and below a name may hold
        `*` and `?`, as file names do: `Soil_Type*`. Columns of the file that are not features
        by default are taken only by their full names.
    drop
        Features to leave out.
    nominal, numeric
        Features to read as nominal or as numbers, whatever they are by default.
    """

    entry: ClassVar[Entry]

    clock: Literal["item", "strict", "sort", "allow"] | None = None
    folder: Path | str | None = None
    features: Sequence[str] | str | None = None
    drop: Sequence[str] | str = ()
    nominal: Sequence[str] | str = ()
    numeric: Sequence[str] | str = ()
    file: Parquet = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        one_of(self, "clock", self.clock, (None, "item", "strict", "sort", "allow"))
        for what in ("features", "drop", "nominal", "numeric"):
            if isinstance(getattr(self, what), str):
                object.__setattr__(self, what, (getattr(self, what),))
        entry = self.entry
        path = Path(data_folder() if self.folder is None else self.folder) / entry.file
        if not path.is_file():
            raise MissingDataError(wanted(self.name, entry, path.parent))
        verify(self.name, entry, path, lambda: Parquet(path, **columns_of(entry, path, "item")))
        said = columns_of(entry, path, self.clock or entry.clock)
        object.__setattr__(self, "file", Parquet(path, **self._chosen(path, said)))

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

    def _chosen(self, path: Path, said: dict[str, Any]) -> dict[str, Any]:
        """What to tell the reader, with the columns and kinds that were asked for."""
        here = pq.read_schema(path).names
        others = {said["target"], said["time"], said["label_time"]}
        usual = [name for name in here if name not in others and name not in said["drop"]]
        hidden = [name for name in self.features or () if name in said["drop"]]
        taken = usual
        if self.features is not None:
            taken = matched(self.name, "features", self.features, [*usual, *hidden])
        out = matched(self.name, "drop", self.drop, taken)
        taken = [name for name in taken if name not in out]
        nominal = matched(self.name, "nominal", self.nominal, taken)
        numeric = matched(self.name, "numeric", self.numeric, taken)
        for name in nominal:
            if name in numeric:
                raise ParameterError(
                    f"{self.name}: a column must be nominal or numeric, got {name!r} as both"
                )
        types = {name: kind for name, kind in said["types"].items() if name in taken}
        types |= dict.fromkeys(nominal, "nominal") | dict.fromkeys(numeric, "numeric")
        drop = tuple(name for name in here if name not in taken and name not in others)
        return said | {"drop": drop, "types": types}


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
        "types": dict.fromkeys(entry.indicators, (0, 1)),
        "classes": entry.classes,
        "task": "regression" if entry.classes is None else "classification",
        "clock": "strict" if clock == "item" else clock,
        "time_unit": entry.time_unit if timed else "tick",
    }


def matched(who: str, what: str, patterns: Sequence[str], names: Sequence[str]) -> list[str]:
    """The names that are given, or that a pattern with `*` or `?` fits, in their order."""
    found: set[str] = set()
    for pattern in patterns:
        fits = [name for name in names if name == pattern or fnmatchcase(name, pattern)]
        found.update(fits or [names[number(who, what, pattern, names)]])
    return [name for name in names if name in found]


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

"""Base class of the catalog's data sets."""

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
from streamgauge.streams.catalog._verify import verify
from streamgauge.streams.catalog.entry import Entry
from streamgauge.streams.catalog.raw_formats import RAW_FORMATS
from streamgauge.streams.columns import column_number, one_of
from streamgauge.streams.parquet import Parquet
from streamgauge.types import NEVER, Batch, Schema


@dataclass(frozen=True)
class Benchmark:
    """A data set of the catalog, read from the data folder.

    Parameters
    ----------
    clock
        `item`: the time of an item is its number. `strict`, `sort`, `allow`: times are those of
        the file's time column, which must not decrease, are sorted, or are used as they
        are. By default `item`, unless the labels of the data set are delayed.
    folder
        Folder of the file; by default that of STREAMGAUGE_DATA, or the user's cache.
    features
        The features to read; by default all of the benchmark. Here and below a name may contain
        the wildcards `*` and `?`: `Soil_Type*`. Columns of the file that are not features
        by default are selected only by their full names.
    drop
        Features to drop.
    nominal, numeric
        Features to read as nominal or numeric instead of their default.
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
            raise MissingDataError(missing_file_message(self.name, entry, path.parent))
        verify(self.name, entry, path, lambda: Parquet(path, **reader_options(entry, path, "item")))
        options = reader_options(entry, path, self.clock or entry.clock)
        object.__setattr__(self, "file", Parquet(path, **self._select_columns(path, options)))

    @property
    def name(self) -> str:
        """Name on the command line and in tables."""
        return type(self).__module__.rpartition(".")[2]

    @property
    def schema(self) -> Schema:
        """Features, target and clock of the items."""
        return self.file.schema

    @property
    def length(self) -> int | None:
        """Number of items."""
        return self.file.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        origin = int(np.datetime64(self.entry.epoch, "us").astype(np.int64))
        for batch in self.file.batches(size, seed):
            yield batch if batch.time is None or not origin else shifted(batch, origin)

    def _select_columns(self, path: Path, options: dict[str, Any]) -> dict[str, Any]:
        """Return the reader options, with the requested columns and types."""
        present = pq.read_schema(path).names
        others = {options["target"], options["time"], options["label_time"]}
        usual = [name for name in present if name not in others and name not in options["drop"]]
        hidden = [name for name in self.features or () if name in options["drop"]]
        taken = usual
        if self.features is not None:
            taken = match_names(self.name, "features", self.features, [*usual, *hidden])
        out = match_names(self.name, "drop", self.drop, taken)
        taken = [name for name in taken if name not in out]
        nominal = match_names(self.name, "nominal", self.nominal, taken)
        numeric = match_names(self.name, "numeric", self.numeric, taken)
        for name in nominal:
            if name in numeric:
                raise ParameterError(
                    f"{self.name}: a column must be nominal or numeric, got {name!r} as both"
                )
        types = {name: kind for name, kind in options["types"].items() if name in taken}
        types |= dict.fromkeys(nominal, "nominal") | dict.fromkeys(numeric, "numeric")
        drop = tuple(name for name in present if name not in taken and name not in others)
        return options | {"drop": drop, "types": types}


def reader_options(entry: Entry, path: Path, clock: str) -> dict[str, Any]:
    """Return the reader options for the file of an entry."""
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


def match_names(who: str, what: str, patterns: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the names that match a name or a pattern with `*` or `?`, in their order."""
    found: set[str] = set()
    for pattern in patterns:
        fits = [name for name in names if name == pattern or fnmatchcase(name, pattern)]
        found.update(fits or [names[column_number(who, what, pattern, names)]])
    return [name for name in names if name in found]


def shifted(batch: Batch, by: int) -> Batch:
    """Shift all times by `by` ticks."""
    assert batch.time is not None
    known = batch.label_time
    return replace(
        batch,
        time=batch.time + by,
        label_time=None if known is None else np.where(known == NEVER, NEVER, known + by),
    )


def missing_file_message(name: str, entry: Entry, folder: Path) -> str:
    """Format the error message: what to download, and where to put it."""
    sources = " and ".join(str(source) for source in entry.sources)
    where = f"{name}: {entry.file} must be in {folder}, got no such file"
    raw_format = RAW_FORMATS.get(name)
    if raw_format is None:
        return (
            f"{where}; put it there (STREAMGAUGE_DATA names another folder); "
            f"it was compiled from {sources}"
        )
    return (
        f"{where}; download {sources}, then run streamgauge data prepare {name} "
        f"{' '.join(raw_format.files)} (STREAMGAUGE_DATA names another folder)"
    )

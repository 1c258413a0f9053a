"""A stream with feature updates: features change while labels are pending."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streamgauge.errors import DataError, ParameterError
from streamgauge.names import resolve
from streamgauge.types import F64, I64, U64, Batch, Schema, Stream, Updates


def update(stream: Stream, item: NDArray[Any], time: NDArray[Any], x: NDArray[Any]) -> Stream:
    """Add updates to a stream: some items have new features from a time on.

    `Reevaluating` predicts and learns with the latest features known at that time.

    Parameters
    ----------
    stream
        The stream.
    item
        Number of the item of each update.
    time
        Time from which each update applies: in the clock of the stream, after the item's time.
    x
        The new rows, with the stream's number of features. NaN leaves a cell unchanged.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.from_arrays(np.zeros((3, 2)), np.arange(3.0))
    >>> stream = update(sg.streams.delay(stream, 5), [1], [4], [[7.0, np.nan]])
    >>> [batch.updates.x.tolist() for batch in stream.batches()]
    [[[7.0, 0.0]]]
    """
    source = resolve("stream", stream)
    return Update(source, np.asarray(item), np.asarray(time), np.asarray(x, np.float64))


@dataclass(frozen=True, slots=True)
class Update:
    """See `update`."""

    stream: Stream
    item: U64 = field(repr=False, compare=False)
    time: I64 = field(repr=False, compare=False)
    x: F64 = field(repr=False, compare=False)

    def __post_init__(self) -> None:
        width, n = len(self.stream.schema.features), len(self.item)
        if self.x.shape != (n, width):
            raise ParameterError.of("update", "x", f"{n} rows of {width} cells", self.x.shape)
        if self.time.shape != (n,):
            raise ParameterError.of("update", "time", f"{n} cells", self.time.shape)
        if self.item.dtype.kind not in "iu" or (
            self.item.dtype.kind == "i" and (self.item < 0).any()
        ):
            raise ParameterError.of("update", "item", "numbers of items, from 0 on", self.item[:3])
        stamps = self.time.dtype.kind == "M"
        if stamps != (self.stream.schema.clock == "us") and n:
            must = f"in the clock of {self.stream.name} ({self.stream.schema.clock})"
            raise ParameterError.of("update", "time", must, str(self.time.dtype))
        if stamps and np.isnat(self.time).any():
            at = int(self.item[np.isnat(self.time)][0])
            raise DataError(f"update: time must be known, got a missing one for item {at:,}")
        time = self.time.astype("datetime64[us]") if stamps else self.time
        order = np.lexsort((self.item, time))
        object.__setattr__(self, "item", self.item[order].astype(np.uint64))
        object.__setattr__(self, "time", time[order].astype(np.int64))
        object.__setattr__(self, "x", self.x[order])

    @property
    def name(self) -> str:
        """Name of the stream."""
        return f"update({self.stream.name})"

    @property
    def schema(self) -> Schema:
        """Schema of the input stream."""
        return self.stream.schema

    @property
    def length(self) -> int | None:
        """Number of items."""
        return self.stream.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        by_item = np.argsort(self.item, kind="stable")
        known = self.item[by_item]
        done = 0
        for batch in self.stream.batches(size, seed):
            low, high = np.searchsorted(known, [batch.first, batch.first + len(batch)])
            own = np.sort(by_item[low:high])
            done = batch.first + len(batch)
            if len(own):
                new = Updates(self.item[own], self.time[own], filled(batch, self, own))
                refuse_early(batch, new)
                batch = replace(batch, updates=Updates.concatenate([batch.updates, new]))
            yield batch
        if len(known) and int(known[-1]) >= done:
            raise DataError(
                f"update: item must be one of the {done:,} items of {self.stream.name}, "
                f"got {int(known[-1]):,}"
            )


def filled(batch: Batch, given: Update, own: NDArray[np.intp]) -> F64:
    """Return complete rows: a NaN in an update keeps the previous cell."""
    rows = given.x[own]  # a copy, because `own` is an index array
    now: dict[int, F64] = {}
    for i, item in enumerate(given.item[own].tolist()):
        before = now.get(item, batch.x[item - batch.first])
        rows[i] = np.where(np.isnan(rows[i]), before, rows[i])
        now[item] = rows[i]
    return rows


def refuse_early(batch: Batch, new: Updates) -> None:
    """Raise if an update is not later than its item."""
    arrival = batch.times[new.item.astype(np.int64) - batch.first]
    early = np.flatnonzero(new.time <= arrival)
    if len(early):
        at = int(early[0])
        raise DataError(
            f"update: time must be after its item's, got {int(new.time[at])} for item "
            f"{int(new.item[at]):,}, which arrives at {int(arrival[at])}"
        )

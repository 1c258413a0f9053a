"""A stream with imputed missing cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from streamgauge.names import resolve
from streamgauge.streams.columns import one_of
from streamgauge.types import F64, Batch, Flags, Schema, Stream, Updates


def impute(stream: Stream, how: str = "mean") -> Stream:
    """Fill in the missing cells of a stream from the items before.

    A cell is filled from earlier items only; if there is no earlier value, by 0 or the
    first nominal value.

    Parameters
    ----------
    stream
        The stream.
    how
        `"mean"`: the mean of the earlier cells, or the most frequent value of a nominal feature.
        `"last"`: the last known cell. `"zero"`: 0, or the first nominal value.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> x = np.array([[1.0], [3.0], [np.nan], [5.0], [np.nan]])
    >>> stream = impute(from_arrays(x, np.arange(5.0)))
    >>> [batch.x[:, 0].tolist() for batch in stream.batches()]
    [[1.0, 3.0, 2.0, 5.0, 3.0]]
    """
    return Impute(resolve("stream", stream), how)


@dataclass(frozen=True, slots=True)
class Impute:
    """See `impute`."""

    stream: Stream
    how: str = "mean"

    def __post_init__(self) -> None:
        one_of("impute", "how", self.how, ("mean", "last", "zero"))

    @property
    def name(self) -> str:
        """Name of the stream."""
        return f"impute({self.stream.name}, {self.how})"

    @property
    def schema(self) -> Schema:
        """Schema of the input stream, with a note on the imputation."""
        schema = self.stream.schema
        note = f"missing cells: filled in by the {self.how} of the items before"
        if self.how == "zero":
            note = "missing cells: filled in by 0 or the first value"
        return replace(schema, notes=(*schema.notes, note))

    @property
    def length(self) -> int | None:
        """Number of items."""
        return self.stream.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        columns = [
            ColumnImputer(self.how, 0 if feature.values is None else len(feature.values))
            for feature in self.stream.schema.features
        ]
        for batch in self.stream.batches(size, seed):
            missing = np.asarray(np.isnan(batch.x).any(axis=0))
            x = batch.x.copy() if missing.any() else batch.x
            for column, imputer in enumerate(columns):
                filled = imputer.fill(batch.x[:, column], bool(missing[column]))
                if missing[column]:
                    x[:, column] = filled
            yield replace(batch, x=x, updates=imputed_updates(batch, x))


def imputed_updates(batch: Batch, x: F64) -> Updates | None:
    """Return the updates of a batch; a missing cell keeps the imputed value of its item."""
    updates = batch.updates
    if updates is None or not np.isnan(updates.x).any():
        return updates
    rows = x[updates.item.astype(np.int64) - batch.first]
    return replace(updates, x=np.where(np.isnan(updates.x), rows, updates.x))


class ColumnImputer:
    """Running statistics of one column, and imputation by them."""

    def __init__(self, how: str, values: int) -> None:
        self.how = how
        self.counts = np.zeros(values)
        self.sum = self.count = self.last = 0.0

    def fill(self, cells: F64, has_missing: bool) -> F64:
        """Fill in the missing cells, in order, and update the statistics with the others."""
        missing = np.isnan(cells)
        if self.how == "zero":
            return np.where(missing, 0.0, cells)
        if self.how == "last":
            return self._carried(cells, missing, has_missing)
        if len(self.counts):
            return self._most_frequent(cells, missing, has_missing)
        return self._mean(cells, missing)

    def _carried(self, cells: F64, missing: Flags, has_missing: bool) -> F64:
        if has_missing:
            rows = np.where(missing, -1, np.arange(len(cells)))
            source = np.maximum.accumulate(rows)
            cells = np.where(source < 0, self.last, cells[source])
        if len(cells):
            self.last = float(cells[-1])
        return cells

    def _mean(self, cells: F64, missing: Flags) -> F64:
        # cumsum adds from left to right, so the result does not depend on the batch size.
        sums = np.cumsum(np.concatenate(([self.sum], np.where(missing, 0.0, cells))))
        counts = np.cumsum(np.concatenate(([self.count], ~missing)))
        self.sum, self.count = float(sums[-1]), float(counts[-1])
        mean = sums[:-1] / np.maximum(counts[:-1], 1.0)
        return np.where(missing, mean, cells)

    def _most_frequent(self, cells: F64, missing: Flags, has_missing: bool) -> F64:
        if not has_missing:
            self.counts += np.bincount(cells.astype(np.int64), minlength=len(self.counts))
            return cells
        filled = cells.copy()
        for row in range(len(cells)):
            if missing[row]:
                filled[row] = float(np.argmax(self.counts))
            else:
                self.counts[int(cells[row])] += 1.0
        return filled

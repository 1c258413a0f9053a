"""A stream with another target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from streamgauge.errors import DataError, ParameterError
from streamgauge.names import resolve
from streamgauge.streams._without import Without
from streamgauge.streams.columns import column_number
from streamgauge.types import F64, NONE, Batch, Codes, Schema, Stream


def retarget(stream: Stream, feature: str, remove: Sequence[str] = ()) -> Stream:
    """Let a feature of a stream be its target; the old target is removed.

    A nominal feature gives classes, a numeric one a real target. A missing cell is a missing label.

    Parameters
    ----------
    stream
        The stream.
    feature
        Name of the feature that becomes the target. It is no feature any more.
    remove
        Features that are removed, too: the other one of two alternative targets.

    Examples
    --------
    Two targets of the same kind, each without the other among its features:

    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> stream = from_arrays(np.array([[1.0, 2.0, 3.0]]), np.array([0.5]))
    >>> a, b = retarget(stream, "x0", remove=["x1"]), retarget(stream, "x1", remove=["x0"])
    >>> [(batch.x.tolist(), batch.label.tolist()) for s in (a, b) for batch in s.batches()]
    [([[3.0]], [1.0]), ([[3.0]], [2.0])]

    References
    ----------
    Shaker, Hüllermeier. Recovery analysis for adaptive learning from non-stationary data
    streams: experimental design and case study. Neurocomputing 150 (2015).
    """
    removed = (remove,) if isinstance(remove, str) else tuple(remove)
    return Retarget(resolve("stream", stream), feature, removed)


@dataclass(frozen=True, slots=True)
class Retarget:
    """See `retarget`."""

    stream: Stream
    feature: str
    remove: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        schema = self.stream.schema
        column_number("retarget", "feature", self.feature, schema.names)
        for name in self.remove:
            column_number("retarget", "remove", name, schema.names)
        if self.feature in self.remove or len(set(self.remove)) < len(self.remove):
            must = "different features other than the target"
            raise ParameterError.of("retarget", "remove", must, self.remove)

    @property
    def name(self) -> str:
        """Name of the input stream, and of the target."""
        more = f", {[*self.remove]}" if self.remove else ""
        return f"retarget({self.stream.name}, {self.feature!r}{more})"

    @property
    def schema(self) -> Schema:
        """Schema of the input stream with the feature as the target."""
        values = next(f.values for f in self.stream.schema.features if f.name == self.feature)
        # One name for all targets: it is not part of the data space that streams share.
        return replace(self._features.schema, target="label", classes=values)

    @property
    def length(self) -> int | None:
        """Number of items."""
        return self.stream.length

    @property
    def _features(self) -> Without:
        return Without(self.stream, (self.feature, *self.remove))

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        column = self.stream.schema.names.index(self.feature)
        nominal = self.schema.classes is not None
        whole = self.stream.batches(size, seed)
        for batch, rest in zip(whole, self._features.batches(size, seed), strict=True):
            self._refuse_updates(batch, column)
            yield replace(rest, label=_labels(batch.x[:, column], nominal))

    def _refuse_updates(self, batch: Batch, column: int) -> None:
        """Raise if the feature is updated: a label has one value."""
        if batch.updates is None:
            return
        row = batch.updates.item.astype(np.int64) - batch.first
        now, later = batch.x[row, column], batch.updates.x[:, column]
        changed = np.flatnonzero((now != later) & ~(np.isnan(now) & np.isnan(later)))
        if len(changed):
            raise DataError(
                f"retarget: feature {self.feature!r} must not be updated, got an update of item "
                f"{int(batch.updates.item[changed[0]]):,} in {self.stream.name}; give another one"
            )


def _labels(cells: F64, nominal: bool) -> Codes | F64:
    if not nominal:
        return np.ascontiguousarray(cells)
    missing = np.isnan(cells)
    return np.where(missing, NONE, np.where(missing, 0.0, cells)).astype(np.int32)

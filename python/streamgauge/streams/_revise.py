"""A stream with feature updates taken from columns of later values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.lazy import suggestion
from streamgauge.names import resolve
from streamgauge.streams._update import refuse_early
from streamgauge.streams.columns import TICKS
from streamgauge.types import Batch, Schema, Stream, Updates


def revise(stream: Stream, after: str, columns: Mapping[str, str], unit: str = "tick") -> Stream:
    """Turn columns that hold later values of other columns into updates of these columns.

    For example, the departure delay of a flight is an estimate at first and known after
    departure: `revise(flights, after="minutes_to_departure", columns={"delay": "true_delay"})`.

    Parameters
    ----------
    stream
        The stream. `after` and the columns of later values are features of it, and are not
        features of the new stream.
    after
        The feature that holds the time from an item's arrival to its update; there is no
        update if it is missing or not above 0.
    columns
        Feature -> the feature that holds its later value; a missing value changes nothing.
    unit
        Unit of `after`: `"tick"` (items, or ticks of the stream's clock), `"us"`, `"ms"`,
        `"s"`, `"min"`, `"h"` or `"day"`.

    Examples
    --------
    >>> import streamgauge as sg
    >>> x = np.array([[0.0, 3.0, 9.0], [1.0, np.nan, 8.0]])
    >>> stream = sg.streams.from_arrays(x, np.arange(2.0), names=["delay", "wait", "later"])
    >>> stream = revise(sg.streams.delay(stream, 5), after="wait", columns={"delay": "later"})
    >>> stream.schema.names, [b.updates.x.tolist() for b in stream.batches()]
    (('delay',), [[[9.0]]])
    """
    return Revise(resolve("stream", stream), after, dict(columns), unit)


@dataclass(frozen=True, slots=True)
class Revise:
    """See `revise`."""

    stream: Stream
    after: str
    columns: Mapping[str, str] = field(default_factory=dict)
    unit: str = "tick"

    def __post_init__(self) -> None:
        names = self.stream.schema.names
        for name in (self.after, *self.columns, *self.columns.values()):
            if name not in names:
                hint = suggestion(name, names)
                raise ParameterError(
                    f"revise: {self.stream.name} must have a feature {name!r}, got none{hint}"
                )
        taken = {self.after, *self.columns.values()}
        if taken & set(self.columns):
            raise ParameterError.of(
                "revise", "columns", "a mapping from features to other features", self.columns
            )
        features = dict(zip(names, self.stream.schema.features, strict=True))
        for kept, later in self.columns.items():
            if features[kept].values != features[later].values:
                raise ParameterError(
                    f"revise: {kept!r} and {later!r} must be of one kind, with the same values"
                )
        if self.unit not in TICKS:
            raise ParameterError.of("revise", "unit", f"one of {', '.join(TICKS)}", self.unit)

    @property
    def name(self) -> str:
        """Name of the stream."""
        return f"revise({self.stream.name}, {self.after!r})"

    @property
    def schema(self) -> Schema:
        """Schema of the input stream, without the columns of later values."""
        taken = {self.after, *self.columns.values()}
        schema = self.stream.schema
        return replace(schema, features=tuple(f for f in schema.features if f.name not in taken))

    @property
    def length(self) -> int | None:
        """Number of items."""
        return self.stream.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        names = self.stream.schema.names
        kept = [i for i, name in enumerate(names) if name in self.schema.names]
        place = {names[i]: nth for nth, i in enumerate(kept)}
        for batch in self.stream.batches(size, seed):
            after = batch.x[:, names.index(self.after)] * TICKS[self.unit]
            rows = np.flatnonzero(after > 0)  # False for NaN
            x = np.ascontiguousarray(batch.x[:, kept])
            old = batch.updates
            if old is not None:
                old = replace(old, x=np.ascontiguousarray(old.x[:, kept]))
            if len(rows):
                later = x[rows]
                for name, source in self.columns.items():
                    value = batch.x[rows, names.index(source)]
                    own = later[:, place[name]]
                    later[:, place[name]] = np.where(np.isnan(value), own, value)
                time = batch.times[rows] + np.maximum(np.rint(after[rows]), 1).astype(np.int64)
                order = np.lexsort((rows, time))
                item = (batch.first + rows[order]).astype(np.uint64)
                new = Updates(item, time[order], later[order])
                refuse_early(batch, new)
                old = Updates.concatenate([old, new])
            yield replace(batch, x=x, updates=old)

"""A stream whose items' features change while their labels are on the way: a set of columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from streamgauge.doors import suggestion
from streamgauge.errors import ParameterError
from streamgauge.streams.columns import TICKS
from streamgauge.streams.updating import refuse_early
from streamgauge.types import Batch, Schema, Stream, Updates


def revise(stream: Stream, after: str, columns: Mapping[str, str], unit: str = "tick") -> Stream:
    """Some columns hold what other columns will be later: they become updates of these.

    A flight's departure delay, say, is a guess when the flight is booked and known once it has
    left: `revise(flights, after="minutes_to_departure", columns={"delay": "true_delay"})`.

    Parameters
    ----------
    stream
        The stream. `after` and the columns to be taken are numeric or nominal features of it;
        they are no features of the new stream.
    after
        The feature that says how long after the item's coming its other features change; where
        it is missing or not above 0 they do not.
    columns
        Feature -> the feature that holds its later value; a missing one changes nothing.
    unit
        What `after` counts: `"tick"` (items, or ticks of the stream's clock), or `"us"`, `"ms"`,
        `"s"`, `"min"`, `"h"`, `"day"`.

    Examples
    --------
    >>> import streamgauge as sg
    >>> x = np.array([[0.0, 3.0, 9.0], [1.0, np.nan, 8.0]])
    >>> stream = sg.streams.from_arrays(x, np.arange(2.0), names=["delay", "wait", "later"])
    >>> stream = revise(sg.streams.delay(stream, 5), after="wait", columns={"delay": "later"})
    >>> stream.schema.names, [b.updates.x.tolist() for b in stream.batches()]
    (('delay',), [[[9.0]]])
    """
    return Revising(stream, after, dict(columns), unit)


@dataclass(frozen=True, slots=True)
class Revising:
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
                "revise", "columns", "features that stay, by ones that are taken", self.columns
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
        """Its name."""
        return f"revise({self.stream.name}, {self.after!r})"

    @property
    def schema(self) -> Schema:
        """That of the stream, without the columns that were taken."""
        taken = {self.after, *self.columns.values()}
        schema = self.stream.schema
        return replace(schema, features=tuple(f for f in schema.features if f.name not in taken))

    @property
    def length(self) -> int | None:
        """How many items."""
        return self.stream.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Its items from the first on, at most `size` at a time."""
        names = self.stream.schema.names
        kept = [i for i, name in enumerate(names) if name in self.schema.names]
        place = {names[i]: nth for nth, i in enumerate(kept)}
        for batch in self.stream.batches(size, seed):
            after = batch.x[:, names.index(self.after)] * TICKS[self.unit]
            rows = np.flatnonzero(after > 0)  # a missing one is not
            x = np.ascontiguousarray(batch.x[:, kept])
            old = batch.updates
            if old is not None:
                old = replace(old, x=np.ascontiguousarray(old.x[:, kept]))
            if len(rows):
                later = x[rows].copy()
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

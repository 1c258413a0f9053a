"""A stream whose items have their time as a feature."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.names import resolve
from streamgauge.types import F64, I64, Batch, Feature, Schema, Stream


def time_feature(stream: Stream, name: str = "time") -> Stream:
    """Append the time of each item, in microseconds since 1970, as a feature.

    The time of an item is that of its arrival, so it is known when the item is predicted; an update
    does not change it. `preprocessing.DateParts` makes months, weekdays, hours, … of it.

    Parameters
    ----------
    stream
        A stream with times.
    name
        Name of the feature.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> time = np.array(["1970-01-01T00:00:01", "1970-01-02"], "datetime64[us]")
    >>> stream = time_feature(from_arrays(np.array([[7.0], [8.0]]), np.zeros(2), time=time))
    >>> [batch.x.tolist() for batch in stream.batches()]
    [[[7.0, 1000000.0], [8.0, 86400000000.0]]]
    """
    return TimeFeature(resolve("stream", stream), name)


@dataclass(frozen=True, slots=True)
class TimeFeature:
    """See `time_feature`."""

    stream: Stream
    feature: str = "time"

    def __post_init__(self) -> None:
        if not isinstance(self.feature, str) or not self.feature:
            raise ParameterError.of("time_feature", "name", "text", self.feature)
        schema = self.stream.schema
        if schema.clock != "us":
            raise ParameterError(
                f"time_feature: items must have times, got {self.stream.name} without; "
                "pass time= with the name of the column"
            )
        if self.feature in schema.names:
            raise ParameterError.of("time_feature", "name", "a new name", self.feature)

    @property
    def name(self) -> str:
        """Name of the input stream, and of the feature unless it is the default."""
        more = "" if self.feature == "time" else f", {self.feature!r}"
        return f"time_feature({self.stream.name}{more})"

    @property
    def schema(self) -> Schema:
        """Schema of the input stream with one more feature."""
        schema = self.stream.schema
        return replace(schema, features=(*schema.features, Feature(self.feature)))

    @property
    def length(self) -> int | None:
        """Number of items."""
        return self.stream.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        for batch in self.stream.batches(size, seed):
            updates = batch.updates
            if updates is not None:
                times = batch.times[updates.item.astype(np.int64) - batch.first]
                updates = replace(updates, x=_with_time(updates.x, times))
            yield replace(batch, x=_with_time(batch.x, batch.times), updates=updates)


def _with_time(rows: F64, times: I64) -> F64:
    return np.concatenate([rows, times[:, None].astype(np.float64)], axis=1)

"""Streams one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from streamgauge.errors import DataError, ParameterError
from streamgauge.names import resolve
from streamgauge.seeds import child
from streamgauge.streams.schemas import common_schema, with_drifts
from streamgauge.types import Batch, Drift, Schema, Stream


def concatenate(*streams: Stream, drift: bool = False) -> Stream:
    """Concatenate streams: all items of each stream, one stream after the other.

    Features, classes and clock must be equal. Each stream gets its own seed.

    Parameters
    ----------
    *streams
        The streams; all but the last must end.
    drift
        Whether each boundary between two streams is a known, abrupt drift.

    Examples
    --------
    >>> from streamgauge.streams import Stagger, take
    >>> stream = concatenate(take(Stagger(1), 100), take(Stagger(2), 50), drift=True)
    >>> stream.length, [drift.centre for drift in stream.schema.drifts]
    (150, [100])
    """
    return Concatenate(tuple(resolve("stream", stream) for stream in streams), drift)


@dataclass(frozen=True, slots=True)
class Concatenate:
    """See `concatenate`."""

    streams: tuple[Stream, ...]
    drift: bool = False

    def __post_init__(self) -> None:
        if not self.streams:
            raise ParameterError.of("concatenate", "streams", "at least one", 0)
        common_schema("concatenate", self.streams)
        for stream in self.streams[:-1]:
            if stream.length is None:
                raise ParameterError(
                    "concatenate: all streams but the last must have a known length, got "
                    f"{stream.name}; pass take({stream.name}, n)"
                )

    @property
    def name(self) -> str:
        """Names of all streams, joined."""
        return " + ".join(stream.name for stream in self.streams)

    @property
    def schema(self) -> Schema:
        """Schema of the first stream, with the drifts of all streams."""
        drifts: list[Drift] = []
        start = 0
        for stream in self.streams:
            if start and self.drift:
                drifts.append(Drift(start, start, start, "abrupt"))
            drifts += (
                replace(d, start=d.start + start, centre=d.centre + start, end=d.end + start)
                for d in stream.schema.drifts
            )
            start += stream.length or 0
        return with_drifts(self.streams[0].schema, drifts)

    @property
    def length(self) -> int | None:
        """Number of items."""
        lengths = [stream.length for stream in self.streams]
        return None if lengths[-1] is None else sum(length or 0 for length in lengths)

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        first = 0
        last: int | None = None
        for nth, stream in enumerate(self.streams):
            own = child(seed, "concatenate", str(nth)) if nth else seed
            for batch in stream.batches(size, own):
                placed = batch.renumber(first)
                start = int(placed.times[0])
                if not batch.first and last is not None and start < last:
                    raise DataError(
                        f"concatenate: time must not decrease, got {start} at the "
                        f"start of {stream.name} after {last} (ticks); "
                        "change the order, or omit time"
                    )
                last = int(placed.times[-1])
                yield placed
                first = placed.stop

"""The first items of a stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.kinds import at_least, plain_numbers
from streamgauge.names import resolve
from streamgauge.streams.schemas import drifts_between, with_drifts
from streamgauge.types import Batch, Schema, Stream


@plain_numbers
def take(stream: Stream, n: int) -> Stream:
    """Take the first `n` items, or all if there are fewer.

    A known drift that begins later is removed; one in progress ends with the stream.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> stream = take(from_arrays(np.zeros((5, 1)), np.arange(5.0)), 3)
    >>> stream.length, [batch.label.tolist() for batch in stream.batches(size=2)]
    (3, [[0.0, 1.0], [2.0]])
    """
    return Take(resolve("stream", stream), n)


@dataclass(frozen=True, slots=True)
class Take:
    """See `take`."""

    stream: Stream
    n: int

    def __post_init__(self) -> None:
        at_least("take", "n", self.n, 0)

    @property
    def name(self) -> str:
        """Name of the input stream, and the number of items."""
        return f"take({self.stream.name}, {self.n})"

    @property
    def schema(self) -> Schema:
        """Schema of the input stream, with the remaining drifts."""
        schema = self.stream.schema
        return with_drifts(schema, drifts_between(schema.drifts, 0, self.n))

    @property
    def length(self) -> int | None:
        """Number of items."""
        return self.n if self.stream.length is None else min(self.n, self.stream.length)

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        left = self.n
        if not left:
            return
        for batch in self.stream.batches(size, seed):
            if len(batch) >= left:
                yield batch.slice(0, left)
                return
            yield batch
            left -= len(batch)

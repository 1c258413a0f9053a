"""A stream without its first items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.kinds import at_least, plain_numbers
from streamgauge.names import resolve
from streamgauge.streams.schemas import drifts_between, with_drifts
from streamgauge.types import Batch, Schema, Stream


@plain_numbers
def skip(stream: Stream, n: int) -> Stream:
    """Skip the first `n` items; the others are numbered from 0.

    Known drifts are shifted; those that ended before are removed.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> stream = skip(from_arrays(np.zeros((5, 1)), np.arange(5.0)), 3)
    >>> [(batch.first, batch.label.tolist()) for batch in stream.batches()]
    [(0, [3.0, 4.0])]
    """
    return Skip(resolve("stream", stream), n)


@dataclass(frozen=True, slots=True)
class Skip:
    """See `skip`."""

    stream: Stream
    n: int

    def __post_init__(self) -> None:
        at_least("skip", "n", self.n, 0)

    @property
    def name(self) -> str:
        """Name of the input stream, and the number of skipped items."""
        return f"skip({self.stream.name}, {self.n})"

    @property
    def schema(self) -> Schema:
        """Schema of the input stream, with the remaining drifts."""
        schema = self.stream.schema
        return with_drifts(schema, drifts_between(schema.drifts, self.n, None))

    @property
    def length(self) -> int | None:
        """Number of items."""
        return None if self.stream.length is None else max(0, self.stream.length - self.n)

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        for batch in self.stream.batches(size, seed):
            if batch.first + len(batch) > self.n:
                rest = batch.slice(max(0, self.n - batch.first), len(batch))
                yield rest.renumber(rest.first - self.n)

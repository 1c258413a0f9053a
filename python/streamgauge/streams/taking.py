"""The first items of a stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.kinds import at_least, plain_numbers
from streamgauge.streams.schemas import drifts_between, with_drifts
from streamgauge.types import Batch, Schema, Stream


@plain_numbers
def take(stream: Stream, n: int) -> Stream:
    """The first `n` items, or all if there are fewer.

    A known drift that begins later is forgotten; one that is under way ends with the stream.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> stream = take(from_arrays(np.zeros((5, 1)), np.arange(5.0)), 3)
    >>> stream.length, [batch.label.tolist() for batch in stream.batches(size=2)]
    (3, [[0.0, 1.0], [2.0]])
    """
    return Take(stream, n)


@dataclass(frozen=True, slots=True)
class Take:
    """See `take`."""

    stream: Stream
    n: int

    def __post_init__(self) -> None:
        at_least("take", "n", self.n, 0)

    @property
    def name(self) -> str:
        """Its name, and how many."""
        return f"take({self.stream.name}, {self.n})"

    @property
    def schema(self) -> Schema:
        """That of the stream, with the drifts that are left."""
        schema = self.stream.schema
        return with_drifts(schema, drifts_between(schema.drifts, 0, self.n))

    @property
    def length(self) -> int | None:
        """How many items."""
        return self.n if self.stream.length is None else min(self.n, self.stream.length)

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Its items from the first on, at most `size` at a time."""
        left = self.n
        if not left:
            return
        for batch in self.stream.batches(size, seed):
            if len(batch) >= left:
                yield batch.slice(0, left)
                return
            yield batch
            left -= len(batch)

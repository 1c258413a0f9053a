"""A stream without its first items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.kinds import at_least, plain_numbers
from streamgauge.streams.schemas import drifts_between, with_drifts
from streamgauge.types import Batch, Schema, Stream


@plain_numbers
def skip(stream: Stream, n: int) -> Stream:
    """All items but the first `n`, numbered from 0.

    Known drifts move along; one that was over by then is forgotten.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> stream = skip(from_arrays(np.zeros((5, 1)), np.arange(5.0)), 3)
    >>> [(batch.first, batch.label.tolist()) for batch in stream.batches()]
    [(0, [3.0, 4.0])]
    """
    return Skip(stream, n)


@dataclass(frozen=True, slots=True)
class Skip:
    """See `skip`."""

    stream: Stream
    n: int

    def __post_init__(self) -> None:
        at_least("skip", "n", self.n, 0)

    @property
    def name(self) -> str:
        """Its name, and how many are left out."""
        return f"skip({self.stream.name}, {self.n})"

    @property
    def schema(self) -> Schema:
        """That of the stream, with the drifts that are left."""
        schema = self.stream.schema
        return with_drifts(schema, drifts_between(schema.drifts, self.n, None))

    @property
    def length(self) -> int | None:
        """How many items."""
        return None if self.stream.length is None else max(0, self.stream.length - self.n)

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Its items from the first on, at most `size` at a time."""
        for batch in self.stream.batches(size, seed):
            if batch.first + len(batch) > self.n:
                rest = batch.slice(max(0, self.n - batch.first), len(batch))
                yield rest.renumber(rest.first - self.n)

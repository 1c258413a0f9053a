"""A stream of the items without missing cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from streamgauge.kinds import plain_numbers
from streamgauge.names import resolve
from streamgauge.streams._is_endless import refuse_endless
from streamgauge.streams.batches import with_original_delays
from streamgauge.streams.schemas import refuse_drifts
from streamgauge.types import Batch, Flags, Schema, Stream


@plain_numbers
def complete(stream: Stream, seed: int = 0) -> Stream:
    """Leave out the items with a missing cell; the others are numbered from 0 on.

    The stream is read once to count them. A stream with known drifts is refused, as these would
    move.

    Parameters
    ----------
    stream
        The stream; it must end.
    seed
        Seed of the stream, independent of the seed passed to `batches`.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> x = np.array([[1.0], [np.nan], [3.0]])
    >>> [batch.x.tolist() for batch in complete(from_arrays(x, np.arange(3.0))).batches()]
    [[[1.0], [3.0]]]
    """
    source: Stream = resolve("stream", stream)
    refuse_drifts("complete", source)
    refuse_endless("complete", source)
    items = sum(int(known_cells(batch).sum()) for batch in source.batches(seed=seed))
    return Complete(source, seed, items)


def known_cells(batch: Batch) -> Flags:
    """Which items have all their cells."""
    return np.asarray(~np.isnan(batch.x).any(axis=1))


@dataclass(frozen=True, slots=True)
class Complete:
    """See `complete`."""

    stream: Stream
    seed: int
    items: int

    @property
    def name(self) -> str:
        """Name of the stream."""
        return f"complete({self.stream.name})"

    @property
    def schema(self) -> Schema:
        """Schema of the input stream."""
        return self.stream.schema

    @property
    def length(self) -> int | None:
        """Number of items."""
        return self.items

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        first = 0
        for batch in self.stream.batches(size, self.seed):
            rows = known_cells(batch)
            part = with_original_delays(batch.take(rows, first), batch.times[rows])
            if len(part):
                yield part
            first += len(part)

"""A stream in random order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from streamgauge._core import uniforms
from streamgauge.kinds import plain_numbers
from streamgauge.names import resolve
from streamgauge.seeds import child
from streamgauge.streams.batches import collect, split_batches, with_original_delays
from streamgauge.streams.schemas import with_drifts
from streamgauge.types import Batch, Schema, Stream


@plain_numbers
def shuffle(stream: Stream, seed: int | None = None) -> Stream:
    """Shuffle all items by one uniform permutation. Holds the whole stream in memory.

    Event times keep their positions; delays move with their items. Known drifts are
    removed.

    Parameters
    ----------
    stream
        The stream; it must end.
    seed
        Seed of the permutation; by default the seed passed to `batches`.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> stream = shuffle(from_arrays(np.zeros((9, 1)), np.arange(9.0)), seed=1)
    >>> [batch] = stream.batches()
    >>> sorted(batch.label.tolist()) == list(range(9)) != batch.label.tolist()
    True

    References
    ----------
    Zliobaite, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """
    return Shuffle(resolve("stream", stream), seed)


@dataclass(frozen=True, slots=True)
class Shuffle:
    """See `shuffle`."""

    stream: Stream
    seed: int | None = None

    @property
    def name(self) -> str:
        """Name of the stream."""
        return f"shuffle({self.stream.name})"

    @property
    def schema(self) -> Schema:
        """Schema of the input stream, without drifts."""
        return with_drifts(self.stream.schema, ())

    @property
    def length(self) -> int | None:
        """Number of items."""
        return self.stream.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        whole = collect("shuffle", self.stream, seed)
        if whole is None:
            return
        own = child(seed if self.seed is None else self.seed, "shuffle")
        order = np.argsort(uniforms(own, 0, len(whole)), kind="stable")
        mixed = replace(whole.take(order, 0), time=whole.time)
        yield from split_batches([with_original_delays(mixed, whole.times[order])], size)

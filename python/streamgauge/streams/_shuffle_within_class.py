"""A stream whose items are shuffled within each class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from streamgauge._core import uniforms
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.names import resolve
from streamgauge.seeds import child
from streamgauge.streams.batches import collect, split_batches, with_original_delays
from streamgauge.streams.schemas import with_drifts
from streamgauge.types import Batch, Schema, Stream


@plain_numbers
def shuffle_within_class(stream: Stream, seed: int | None = None) -> Stream:
    """Shuffle the items of each class; the order of the labels is unchanged.

    For each class an independent uniform permutation of its items over the positions of that
    class: the sequence of labels is kept, all other dependence on time is destroyed.
    Times, label times and items without a label keep their positions; features, updates
    and weights move. Known drifts are removed. Holds the whole stream in memory.

    Parameters
    ----------
    stream
        The stream; it must end, and have classes.
    seed
        Seed of the permutations; by default the seed passed to `batches`.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> stream = from_arrays(np.arange(6.0).reshape(6, 1), np.array(list("aabbab")))
    >>> [batch] = shuffle_within_class(stream, seed=3).batches()
    >>> batch.label.tolist(), sorted(batch.x[batch.label == 0, 0].tolist())
    ([0, 0, 1, 1, 0, 1], [0.0, 1.0, 4.0])

    References
    ----------
    Zliobaite, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """
    return ShuffleWithinClass(resolve("stream", stream), seed)


@dataclass(frozen=True, slots=True)
class ShuffleWithinClass:
    """See `shuffle_within_class`."""

    stream: Stream
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.stream.schema.classes is None:
            raise ParameterError(
                f"shuffle_within_class: the target must be a class, got a real one in "
                f"{self.stream.name}; pass shuffle({self.stream.name})"
            )

    @property
    def name(self) -> str:
        """Name of the stream."""
        return f"shuffle_within_class({self.stream.name})"

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
        whole = collect("shuffle_within_class", self.stream, seed)
        if whole is None:
            return
        own = child(seed if self.seed is None else self.seed, "shuffle_within_class")
        draws = uniforms(own, 0, len(whole))
        order = np.arange(len(whole))
        for code in range(len(self.stream.schema.classes or ())):
            positions = np.flatnonzero(whole.label == code)
            order[positions] = positions[np.argsort(draws[positions], kind="stable")]
        mixed = replace(whole.take(order, 0), time=whole.time)
        moved = with_original_delays(mixed, whole.times[order])
        yield from split_batches([replace(moved, label_time=whole.label_time)], size)

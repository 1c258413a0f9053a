"""A stream whose items change places within their class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from streamgauge._core import uniforms
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.seeds import child
from streamgauge.streams.batches import cut, held, replaced_at
from streamgauge.streams.schemas import with_drifts
from streamgauge.types import Batch, Schema, Stream


@plain_numbers
def shuffle_within_class(stream: Stream, seed: int | None = None) -> Stream:
    """The items of each class in random order, the labels in their own.

    For each class a uniform permutation of its items over the places of that class, independent
    between classes: how labels follow each other stays, all else about time is destroyed.
    Times, label times and items without a label stay where they are; features, their updates
    and weights move. No drift is known any more. Holds the whole stream in memory.

    Parameters
    ----------
    stream
        The stream; it must end, and have classes.
    seed
        Seed of the order; None takes the one given to `batches`.

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
    return ShuffleWithinClass(stream, seed)


@dataclass(frozen=True, slots=True)
class ShuffleWithinClass:
    """See `shuffle_within_class`."""

    stream: Stream
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.stream.schema.classes is None:
            raise ParameterError(
                f"shuffle_within_class: the target must be a class, got a real one in "
                f"{self.stream.name}; say shuffle({self.stream.name})"
            )

    @property
    def name(self) -> str:
        """Its name."""
        return f"shuffle_within_class({self.stream.name})"

    @property
    def schema(self) -> Schema:
        """That of the stream, without drifts."""
        return with_drifts(self.stream.schema, ())

    @property
    def length(self) -> int | None:
        """How many items."""
        return self.stream.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Its items from the first on, at most `size` at a time."""
        whole = held("shuffle_within_class", self.stream, seed)
        if whole is None:
            return
        own = child(seed if self.seed is None else self.seed, "shuffle_within_class")
        chance = uniforms(own, 0, len(whole))
        order = np.arange(len(whole))
        for code in range(len(self.stream.schema.classes or ())):
            places = np.flatnonzero(whole.label == code)
            order[places] = places[np.argsort(chance[places], kind="stable")]
        mixed = replace(whole.take(order, 0), time=whole.time)
        moved = replaced_at(mixed, whole.times[order])
        yield from cut([replace(moved, label_time=whole.label_time)], size)

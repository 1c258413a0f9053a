"""A stream with drifts injected at known items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from streamgauge._core import uniforms
from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, plain_numbers
from streamgauge.names import resolve
from streamgauge.seeds import child
from streamgauge.streams.schemas import columns_by_kind, with_drifts
from streamgauge.streams.sigmoid import known_drifts, sigmoid
from streamgauge.types import F64, I64, NONE, Batch, Schema, Stream

Change = Literal["cycle_classes", "permute_features"]


@plain_numbers
def inject(
    stream: Stream,
    at: int | Sequence[int],
    change: Change = "cycle_classes",
    width: int = 0,
) -> Stream:
    """Inject drifts into a stream, such as real data, at known items.

    The items keep their order; from each drift on, their labels or their features are changed, so
    that the concept is another one and the rest of the data stays real. The drifts are added to the
    known drifts of the schema. Real data may drift elsewhere, too.

    Parameters
    ----------
    stream
        The stream.
    at
        Centre of each drift, counted from 0, in order.
    change
        `"cycle_classes"`: each class becomes the next one, the last becomes the first; after the
        second drift each becomes the next but one, and so on. `"permute_features"`: the values of
        the features of one kind (numeric, or nominal with the same values) are exchanged, by a
        permutation without a fixed point where there are two or more, drawn by the seed for each
        drift.
    width
        Width of each drift, as in `drift`: item t is of the new concept with probability
        `sigmoid(t, at, width)`. 0 and 1 are abrupt.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> stream = from_arrays(np.zeros((6, 1)), np.array(["a", "b"] * 3))
    >>> changed = inject(stream, at=[2, 4])
    >>> [batch.label.tolist() for batch in changed.batches()]
    [[0, 1, 1, 0, 0, 1]]
    >>> [drift.start for drift in changed.schema.drifts]
    [2, 4]
    """
    several = isinstance(at, Sequence) and not isinstance(at, str)
    made: Stream = resolve("stream", stream)
    return Inject(made, tuple(at) if several else (at,), change, width)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Inject:
    """See `inject`."""

    stream: Stream
    at: tuple[int, ...]
    change: Change = "cycle_classes"
    width: int = 0

    def __post_init__(self) -> None:
        schema, length = self.stream.schema, self.stream.length
        for position in self.at:
            at_least("inject", "at", position, 1)
        if not self.at or list(self.at) != sorted(set(self.at)):
            raise ParameterError.of("inject", "at", "increasing items, at least one", self.at)
        if length is not None and self.at[-1] >= length:
            must = f"items before the end of {self.stream.name} ({length:,} items)"
            raise ParameterError.of("inject", "at", must, self.at[-1])
        at_least("inject", "width", self.width, 0)
        if self.change not in ("cycle_classes", "permute_features"):
            must = "'cycle_classes' or 'permute_features'"
            raise ParameterError.of("inject", "change", must, self.change)
        if self.change == "cycle_classes" and len(schema.classes or ()) < 2:
            raise ParameterError(
                f"inject: change must be 'permute_features' for {self.stream.name}, which has "
                "fewer than two classes, got 'cycle_classes'"
            )
        if self.change == "permute_features" and all(len(g) < 2 for g in columns_by_kind(schema)):
            raise ParameterError(
                f"inject: change must be 'cycle_classes' for {self.stream.name}, which has no two "
                "features of one kind, got 'permute_features'"
            )

    @property
    def name(self) -> str:
        """Name of the input stream, and what is injected."""
        width = f", width={self.width}" if self.width else ""
        return f"inject({self.stream.name}, {[*self.at]}, {self.change!r}{width})"

    @property
    def schema(self) -> Schema:
        """Schema of the input stream, with the injected drifts."""
        own = known_drifts(self.at, self.width)
        return with_drifts(self.stream.schema, (*self.stream.schema.drifts, *own))

    @property
    def length(self) -> int | None:
        """Number of items."""
        return self.stream.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        orders = self._orders(seed)
        classes = len(self.stream.schema.classes or ())
        for batch in self.stream.batches(size, seed):
            concept = self._concepts(batch.first, len(batch), seed)
            if not concept.any():
                yield batch
            elif self.change == "cycle_classes":
                cycled = (batch.label + concept) % classes
                label = np.where(batch.label == NONE, NONE, cycled).astype(np.int32)
                yield replace(batch, label=label)
            else:
                yield _permuted(batch, orders[concept])

    def _concepts(self, first: int, count: int, seed: int) -> I64:
        """The number of drifts whose new concept each item has."""
        t = np.arange(first, first + count)
        concept = np.zeros(count, np.int64)
        for nth, centre in enumerate(self.at, 1):
            if self.width <= 1:
                concept[t >= centre] = nth
            else:
                drawn = uniforms(child(seed, "inject draw", str(centre)), first, count)
                concept[drawn < sigmoid(t, centre, self.width)] = nth
        return concept

    def _orders(self, seed: int) -> I64:
        """For each concept, the feature that each column takes its values from."""
        groups = columns_by_kind(self.stream.schema)
        order = np.arange(len(self.stream.schema.features))
        found = [order]
        for centre in self.at:
            order = order.copy()
            draws = np.random.default_rng(child(seed, "inject order", str(centre)))
            for group in groups:
                if len(group) > 1:
                    drawn = draws.permutation(group)
                    order[drawn] = found[-1][np.roll(drawn, 1)]  # one cycle: no fixed point
            found.append(order)
        return np.stack(found)


def _permuted(batch: Batch, order: I64) -> Batch:
    """The batch with the columns of each row in the order of that row."""
    x: F64 = np.ascontiguousarray(np.take_along_axis(batch.x, order, axis=1))
    if batch.updates is None:
        return replace(batch, x=x)
    of_update = order[batch.updates.item.astype(np.int64) - batch.first]
    later = np.take_along_axis(batch.updates.x, of_update, axis=1)
    return replace(batch, x=x, updates=replace(batch.updates, x=later))

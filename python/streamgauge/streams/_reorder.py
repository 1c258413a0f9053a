"""A stream whose features are exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, plain_numbers
from streamgauge.names import resolve
from streamgauge.seeds import child
from streamgauge.streams.columns import column_number
from streamgauge.streams.schemas import columns_by_kind
from streamgauge.types import I64, Batch, Schema, Stream


@plain_numbers
def reorder(
    stream: Stream,
    order: Sequence[str] | None = None,
    moved: int | None = None,
    seed: int = 0,
) -> Stream:
    """Exchange the values of the features of a stream: another concept on the same cells.

    Features keep their names and kinds, and get the values of others.

    Parameters
    ----------
    stream
        The stream.
    order
        For each feature, the name of the one whose values it gets; by default drawn by the seed,
        as one cycle among the features of each kind (numeric, or nominal with the same values).
    moved
        Instead of `order`: how many features are exchanged, drawn by the seed among those of the
        most frequent kind. The more, the larger the change.
    seed
        Seed of the draw.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> stream = from_arrays(np.array([[1.0, 2.0, 3.0]]), np.array([0.5]))
    >>> [batch.x.tolist() for batch in reorder(stream, ["x2", "x1", "x0"]).batches()]
    [[[3.0, 2.0, 1.0]]]

    References
    ----------
    Shaker, Hüllermeier. Recovery analysis for adaptive learning from non-stationary data
    streams: experimental design and case study. Neurocomputing 150 (2015).
    """
    given = None if order is None else tuple(order)
    return Reorder(resolve("stream", stream), given, moved, seed)


@dataclass(frozen=True, slots=True)
class Reorder:
    """See `reorder`."""

    stream: Stream
    order: tuple[str, ...] | None = None
    moved: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        schema = self.stream.schema
        at_least("reorder", "seed", self.seed, 0)
        if self.order is not None:
            if self.moved is not None:
                raise ParameterError.of("reorder", "moved", "omitted with an order", self.moved)
            for name in self.order:
                column_number("reorder", "order", name, schema.names)
            if sorted(self.order) != sorted(schema.names):
                must = f"every feature once, {len(schema.names)} in all"
                raise ParameterError.of("reorder", "order", must, self.order)
            kinds = {feature.name: feature.values for feature in schema.features}
            for name, source in zip(schema.names, self.order, strict=True):
                if kinds[name] != kinds[source]:
                    raise ParameterError(
                        f"reorder: order must exchange features of one kind, got {source!r} for "
                        f"{name!r}, whose values are of another kind"
                    )
            return
        most = max(map(len, columns_by_kind(schema)), default=0)
        if most < 2:
            raise ParameterError(
                f"reorder: {self.stream.name} must have two features of one kind, got none"
            )
        if self.moved is not None:
            at_least("reorder", "moved", self.moved, 2)
            if self.moved > most:
                must = f"at most {most}, the number of features of one kind"
                raise ParameterError.of("reorder", "moved", must, self.moved)

    @property
    def name(self) -> str:
        """Name of the input stream, and what is exchanged."""
        parts = []
        if self.order is not None:
            parts.append(str([*self.order]))
        if self.moved is not None:
            parts.append(f"moved={self.moved}")
        if self.seed:
            parts.append(f"seed={self.seed}")
        return f"reorder({', '.join([self.stream.name, *parts])})"

    @property
    def schema(self) -> Schema:
        """Schema of the input stream."""
        return self.stream.schema

    @property
    def length(self) -> int | None:
        """Number of items."""
        return self.stream.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        columns = self.columns()
        for batch in self.stream.batches(size, seed):
            x, updates = np.ascontiguousarray(batch.x[:, columns]), batch.updates
            if updates is not None:
                updates = replace(updates, x=np.ascontiguousarray(updates.x[:, columns]))
            yield replace(batch, x=x, updates=updates)

    def columns(self) -> I64:
        """The column whose values each feature gets."""
        names = self.stream.schema.names
        if self.order is not None:
            return np.array([names.index(name) for name in self.order], np.int64)
        columns = np.arange(len(names))
        groups = columns_by_kind(self.stream.schema)
        draws = np.random.default_rng(child(self.seed, "reorder"))
        if self.moved is not None:
            largest = max(groups, key=len)
            groups = [[int(c) for c in draws.permutation(largest)[: self.moved]]]
        for group in groups:
            if len(group) > 1:
                drawn = draws.permutation(group)
                columns[drawn] = np.roll(drawn, 1)  # one cycle: no fixed point
        return columns

"""A stream without some of its features."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.names import resolve
from streamgauge.streams.columns import column_number
from streamgauge.types import Batch, Schema, Stream


def without(stream: Stream, features: str | Sequence[str]) -> Stream:
    """Remove features of a stream.

    Parameters
    ----------
    stream
        The stream.
    features
        The name of a feature, or several.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> stream = without(from_arrays(np.array([[1.0, 2.0]]), np.array([0.5])), "x0")
    >>> stream.schema.names, [batch.x.tolist() for batch in stream.batches()]
    (('x1',), [[[2.0]]])
    """
    names = (features,) if isinstance(features, str) else tuple(features)
    return Without(resolve("stream", stream), names)


@dataclass(frozen=True, slots=True)
class Without:
    """See `without`."""

    stream: Stream
    features: tuple[str, ...]

    def __post_init__(self) -> None:
        names = self.stream.schema.names
        for feature in self.features:
            column_number("without", "features", feature, names)
        if not self.features or len(set(self.features)) < len(self.features):
            must = "different names of features, at least one"
            raise ParameterError.of("without", "features", must, self.features)

    @property
    def name(self) -> str:
        """Name of the input stream, and the removed features."""
        return f"without({self.stream.name}, {[*self.features]})"

    @property
    def schema(self) -> Schema:
        """Schema of the input stream without the features."""
        schema = self.stream.schema
        kept = tuple(f for f in schema.features if f.name not in self.features)
        return replace(schema, features=kept)

    @property
    def length(self) -> int | None:
        """Number of items."""
        return self.stream.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        names = self.stream.schema.names
        columns = [i for i, name in enumerate(names) if name not in self.features]
        for batch in self.stream.batches(size, seed):
            x, updates = np.ascontiguousarray(batch.x[:, columns]), batch.updates
            if updates is not None:
                updates = replace(updates, x=np.ascontiguousarray(updates.x[:, columns]))
            yield replace(batch, x=x, updates=updates)

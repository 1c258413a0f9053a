"""A stream in which some items have extreme values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from streamgauge._core import uniforms
from streamgauge.errors import ParameterError
from streamgauge.kinds import as_list, plain_numbers
from streamgauge.names import resolve
from streamgauge.noise import NoiseScales, check_share, check_size, finite
from streamgauge.seeds import child
from streamgauge.streams.columns import column_number
from streamgauge.types import Batch, Schema, Stream


@plain_numbers
def outliers(
    stream: Stream,
    share: float = 0.01,
    size: float = 10.0,
    features: Sequence[str] | None = None,
) -> Stream:
    """Move the numeric features of a share of the items far away; labels stay.

    Each chosen feature of a chosen item is moved by `size` standard deviations, up or down with
    equal probability, but not beyond the largest finite number. The standard deviation is that of
    the feature over the items of the input stream up to and including this one; while fewer than
    two have a value, nothing is moved. Which items are chosen depends on the seed and their
    numbers.

    Parameters
    ----------
    stream
        The stream.
    share
        Probability that an item is an outlier.
    size
        By how many standard deviations it is moved.
    features
        Names of numeric features; by default all of them.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import SEA
    >>> (batch,) = outliers(SEA(items=1000, seed=1), share=0.05).batches()
    >>> (plain,) = SEA(items=1000, seed=1).batches()
    >>> int((batch.x != plain.x).all(axis=1).sum()), float(np.abs(batch.x - plain.x).max().round())
    (48, 39.0)
    """
    names = (
        None if features is None else as_list("outliers", "features", features, "a list of names")
    )
    chosen = None if names is None else tuple(names)
    return Outliers(resolve("stream", stream), share, size, chosen)


@plain_numbers
@dataclass(frozen=True, slots=True)
class Outliers:
    """See `outliers`."""

    stream: Stream
    share: float = 0.01
    size: float = 10.0
    features: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        check_share("outliers", "share", self.share)
        check_size("outliers", "size", self.size)
        schema = self.stream.schema
        for name in self.features or ():
            column = column_number("outliers", "features", name, schema.names)
            if schema.features[column].nominal:
                raise ParameterError.of("outliers", "features", "numeric features", name)

    @property
    def name(self) -> str:
        """Name of the input stream, and its outliers."""
        more = "" if self.features is None else f", {', '.join(self.features)}"
        return f"outliers({self.stream.name}, {self.share:g}, {self.size:g}{more})"

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
        features = self.stream.schema.features
        columns = [
            number
            for number, feature in enumerate(features)
            if not feature.nominal and (self.features is None or feature.name in self.features)
        ]
        of_items = NoiseScales(features)
        for batch in self.stream.batches(size, seed):
            scales = of_items.deviations(batch.x)[1:]
            drawn = uniforms(child(seed, "outliers"), batch.first, len(batch))
            rows = np.flatnonzero(drawn < self.share)
            x = batch.x.copy() if len(rows) else batch.x
            for column in columns if len(rows) else ():
                up = uniforms(child(seed, "outliers", str(column)), batch.first, len(batch)) < 0.5
                sign = np.where(up[rows], 1.0, -1.0)
                with np.errstate(over="ignore"):
                    moved = x[rows, column] + sign * self.size * scales[rows, column]
                x[rows, column] = finite(x[rows, column], moved)
            yield replace(batch, x=x)

"""A stream whose labels come later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.streams.batches import label_ticks
from streamgauge.streams.columns import TICKS
from streamgauge.types import NEVER, Batch, Schema, Stream


def delay(stream: Stream, by: int, unit: str = "item") -> Stream:
    """The same items; each label comes `by` items, or a constant time, later than it did.

    Parameters
    ----------
    stream
        The stream.
    by
        How much later, at least 0.
    unit
        `"item"` (or ticks, if the stream has a clock of its own), or for a stream timed by
        timestamps `"us"`, `"ms"`, `"s"`, `"min"`, `"h"`, `"day"`.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> stream = delay(from_arrays(np.zeros((3, 1)), np.arange(3.0)), by=168)
    >>> [batch.label_time.tolist() for batch in stream.batches()]
    [[168, 169, 170]]
    """
    return Delay(stream, by, unit)


@dataclass(frozen=True, slots=True)
class Delay:
    """See `delay`."""

    stream: Stream
    by: int
    unit: str = "item"

    def __post_init__(self) -> None:
        if self.by < 0:
            raise ParameterError.of("delay", "by", "at least 0", self.by)
        timed = self.stream.schema.clock == "us"
        units = [unit for unit in TICKS if unit != "tick"] if timed else ["item"]
        if self.unit not in units:
            must = f"one of {', '.join(map(repr, units))} for {self.stream.name}"
            raise ParameterError.of("delay", "unit", must, self.unit)

    @property
    def name(self) -> str:
        """Its name, and by how much."""
        unit = "" if self.unit == "item" else f" {self.unit}"
        return f"delay({self.stream.name}, {self.by}{unit})"

    @property
    def schema(self) -> Schema:
        """That of the stream."""
        return self.stream.schema

    @property
    def length(self) -> int | None:
        """How many items."""
        return self.stream.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Its items from the first on, at most `size` at a time."""
        wait = self.by * TICKS.get(self.unit, 1)
        for batch in self.stream.batches(size, seed):
            known = label_ticks(batch)
            later = np.where(known == NEVER, NEVER, np.minimum(known, NEVER - wait) + wait)
            yield replace(batch, label_time=later)

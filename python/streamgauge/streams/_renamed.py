"""A stream under another name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.types import Batch, Schema, Stream


@dataclass(frozen=True, slots=True)
class Renamed:
    """A stream of the user's own, with the text that made it as its name.

    Examples
    --------
    >>> from streamgauge.streams import take, SEA
    >>> stream = Renamed(take(SEA(), 5), "mine:five()")
    >>> stream.name, stream.length, [len(batch) for batch in stream.batches()]
    ('mine:five()', 5, [5])
    """

    stream: Stream
    name: str

    @property
    def schema(self) -> Schema:
        """The schema of the stream."""
        return self.stream.schema

    @property
    def length(self) -> int | None:
        """Number of items; None if it is not known."""
        return self.stream.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        return self.stream.batches(size, seed)

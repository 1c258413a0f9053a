"""A stream whose items are held in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from streamgauge.streams._shuffle import Shuffle
from streamgauge.streams.batches import collect, split_batches
from streamgauge.types import Batch, Schema


@dataclass(frozen=True, slots=True)
class Held:
    """A stream of one batch."""

    name: str
    schema: Schema
    batch: Batch

    @property
    def length(self) -> int | None:
        """Number of items."""
        return len(self.batch)

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        return split_batches([self.batch], size)

    def permuted(self, seed: int, items: int) -> Held:
        """The first items of a random permutation."""
        whole = collect("recovery", Shuffle(self, seed), 0)
        assert whole is not None  # a stream without items is refused before
        return replace(self, batch=whole.slice(0, items))

    def first(self, items: int) -> Held:
        """The first items."""
        return replace(self, batch=self.batch.slice(0, items))

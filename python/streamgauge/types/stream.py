"""A source of items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from streamgauge.types.batch import Batch
from streamgauge.types.schema import Schema


@runtime_checkable
class Stream(Protocol):
    """A replayable, seeded, lazy source of items.

    Two walks with the same seed give the same items, whatever the batch size. A stream that
    has a seed of its own uses that and ignores the one given here.
    """

    @property
    def name(self) -> str:
        """What tables and reports call it."""

    @property
    def schema(self) -> Schema:
        """What it promises about its items."""

    @property
    def length(self) -> int | None:
        """How many items, None if unknown or endless."""

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Its items from the first on, at most `size` at a time."""

"""A source of items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from streamgauge.types.batch import Batch
from streamgauge.types.schema import Schema


@runtime_checkable
class Stream(Protocol):
    """A replayable, seeded, lazy source of items.

    Two passes with the same seed give the same items, whatever the batch size. A stream that
    has its own seed ignores the one given here.
    """

    @property
    def name(self) -> str:
        """The name in tables and reports."""

    @property
    def schema(self) -> Schema:
        """The description of its items."""

    @property
    def length(self) -> int | None:
        """The number of items; None if unknown or endless."""

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """The items from the first on, at most `size` per batch."""

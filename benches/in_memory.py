"""Items in memory, as a stream for us and as a file for MOA."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from streamgauge.types import Batch, Schema, Stream


@dataclass(frozen=True)
class InMemory:
    """A stream that is read or generated once and kept in memory."""

    name: str
    schema: Schema
    x: np.ndarray
    label: np.ndarray

    @property
    def length(self) -> int:
        return len(self.label)

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        for first in range(0, len(self.label), size):
            upto = first + size
            yield Batch(first, self.x[first:upto], self.label[first:upto])

    @property
    def columns(self) -> str:
        """The number of values of each column, 0 for numeric, as `Prequential.java` expects."""
        return ",".join(str(len(f.values or ())) for f in self.schema.features)

    def write(self, path: Path) -> Path:
        """Write the attributes and the label of each item as doubles."""
        np.column_stack([self.x, self.label]).astype("<f8").tofile(path)
        return path


def in_memory(name: str, stream: Stream, items: int) -> InMemory:
    """Read the first items of a stream."""
    size = min(items, 8192)
    batches = list(islice(stream.batches(size), -(-items // size)))
    x = np.concatenate([batch.x for batch in batches])[:items]
    label = np.concatenate([batch.label for batch in batches])[:items]
    return InMemory(name, stream.schema, np.ascontiguousarray(x), np.ascontiguousarray(label))

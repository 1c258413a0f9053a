"""Items that lie in memory, for us as a stream and for MOA as a file to fill its heap from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from streamgauge.types import Batch, Schema, Stream


@dataclass(frozen=True)
class Held:
    """A stream of classes, read or drawn once, whole."""

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
        """How many values each column has, 0 for numeric, as `Prequential.java` wants it."""
        return ",".join(str(len(f.values or ())) for f in self.schema.features)

    def write(self, path: Path) -> Path:
        """Attributes and class of each item, as doubles."""
        np.column_stack([self.x, self.label]).astype("<f8").tofile(path)
        return path


def held(name: str, stream: Stream, items: int) -> Held:
    """The first items of a stream."""
    size = min(items, 8192)
    batches = list(islice(stream.batches(size), -(-items // size)))
    x = np.concatenate([batch.x for batch in batches])[:items]
    label = np.concatenate([batch.label for batch in batches])[:items]
    return Held(name, stream.schema, np.ascontiguousarray(x), np.ascontiguousarray(label))

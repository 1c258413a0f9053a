"""What readers and combinators do with batches, beyond the verbs of `Batch`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.types import I64, NEVER, Batch, Stream, Updates

BLOCK = 8192
"""Items a reader decodes at a time, whatever the size of the batches it hands out."""


def cut(batches: Iterable[Batch], size: int) -> Iterator[Batch]:
    """The same items, at most `size` at a time."""
    if size < 1:
        raise ParameterError.of("batches", "size", "at least 1", size)
    for batch in batches:
        if len(batch) <= size:
            if len(batch):
                yield batch
        else:
            for start in range(0, len(batch), size):
                yield batch.slice(start, start + size)


def held(who: str, stream: Stream, seed: int) -> Batch | None:
    """All items of a stream at once, None if it is empty."""
    if stream.length is None:
        raise ParameterError(f"{who}: the stream must end, got {stream.name}; say take(…, n)")
    batches = list(stream.batches(seed=seed))
    return Batch.concatenate(batches) if batches else None


def replaced_at(batch: Batch, were: I64) -> Batch:
    """Items that had the times `were` and now have others: all delays stay as they were."""
    later = batch.times - were
    label_time, updates = batch.label_time, batch.updates
    if label_time is not None:
        label_time = np.where(label_time == NEVER, NEVER, label_time + later)
    if updates is not None:
        row = updates.item.astype(np.int64) - batch.first
        moved = replace(updates, time=updates.time + later[row])
        updates = Updates.concatenate([moved])
    return replace(batch, label_time=label_time, updates=updates)

"""Operations on batches that readers and combinators share, beyond the methods of `Batch`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.streams._is_endless import refuse_endless
from streamgauge.types import I64, NEVER, Batch, Stream, Updates

BLOCK = 8192
"""Number of items that a reader decodes at a time, independent of the batch size."""

BLOCK_CELLS = 2**24
"""Number of cells that a reader of text decodes at a time, unless one item has more."""


def split_batches(batches: Iterable[Batch], size: int) -> Iterator[Batch]:
    """Yield the same items in batches of at most `size`."""
    if size < 1:
        raise ParameterError.of("batches", "size", "at least 1", size)
    for batch in batches:
        if len(batch) <= size:
            if len(batch):
                yield batch
        else:
            for start in range(0, len(batch), size):
                yield batch.slice(start, start + size)


def collect(who: str, stream: Stream, seed: int) -> Batch | None:
    """Return all items of a stream as one batch, None if it is empty."""
    refuse_endless(who, stream)
    batches = list(stream.batches(seed=seed))
    return Batch.concatenate(batches) if batches else None


def with_original_delays(batch: Batch, old_times: I64) -> Batch:
    """Shift label times and updates of items whose times were `old_times`, so that delays stay."""
    shift = batch.times - old_times
    label_time, updates = batch.label_time, batch.updates
    if label_time is not None:
        label_time = np.where(label_time == NEVER, NEVER, label_time + shift)
    if updates is not None:
        row = updates.item.astype(np.int64) - batch.first
        moved = replace(updates, time=updates.time + shift[row])
        updates = Updates.concatenate([moved])
    return replace(batch, label_time=label_time, updates=updates)

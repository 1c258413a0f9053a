"""Batches cut, joined and picked from; the verbs every reader and combinator shares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.types import F64, I64, NEVER, NONE, Batch, Codes, Flags, Stream, Updates

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
                yield span(batch, start, start + size)


def span(batch: Batch, start: int, stop: int) -> Batch:
    """Rows `start` to before `stop`, without a copy."""
    return Batch(
        first=batch.first + start,
        x=batch.x[start:stop],
        label=batch.label[start:stop],
        time=None if batch.time is None else batch.time[start:stop],
        label_time=None if batch.label_time is None else batch.label_time[start:stop],
        weight=None if batch.weight is None else batch.weight[start:stop],
        updates=updates_of(batch, start, stop),
    )


def updates_of(batch: Batch, start: int, stop: int) -> Updates | None:
    """The updates of rows `start` to before `stop`."""
    new = batch.updates
    if new is None:
        return None
    row = new.item.astype(np.int64) - batch.first
    mine = (row >= start) & (row < stop)
    return Updates(new.item[mine], new.time[mine], new.x[mine]) if mine.any() else None


def pick(batch: Batch, rows: I64 | Flags, first: int) -> Batch:
    """The named rows, as a batch that begins at item `first`."""
    return Batch(
        first=first,
        x=batch.x[rows],
        label=batch.label[rows],
        time=None if batch.time is None else batch.time[rows],
        label_time=None if batch.label_time is None else batch.label_time[rows],
        weight=None if batch.weight is None else batch.weight[rows],
        updates=_picked(batch, rows, first),
    )


def _picked(batch: Batch, rows: I64 | Flags, first: int) -> Updates | None:
    """The updates of the named rows, under the items' new numbers."""
    new = batch.updates
    if new is None:
        return None
    place = np.full(len(batch), -1, np.int64)
    place[rows] = np.arange(first, first + len(batch.label[rows]))
    item = place[new.item.astype(np.int64) - batch.first]
    kept = item >= 0
    return Updates(item[kept].astype(np.uint64), new.time[kept], new.x[kept])


def join(batches: Sequence[Batch]) -> Batch:
    """Consecutive batches (at least one) as one."""
    label_times = any(batch.label_time is not None for batch in batches)
    times = any(batch.time is not None for batch in batches)
    weights = any(batch.weight is not None for batch in batches)
    return Batch(
        first=batches[0].first,
        x=np.concatenate([batch.x for batch in batches]),
        label=np.concatenate([batch.label for batch in batches]),
        time=np.concatenate([ticks(batch) for batch in batches]) if times else None,
        label_time=np.concatenate([label_ticks(b) for b in batches]) if label_times else None,
        weight=np.concatenate([weight(b) for b in batches]) if weights else None,
        updates=join_updates([batch.updates for batch in batches]),
    )


def join_updates(parts: Sequence[Updates | None]) -> Updates | None:
    """Updates of several batches, in the order of time."""
    held = [part for part in parts if part is not None]
    if not held:
        return None
    item, time = (np.concatenate([getattr(p, n) for p in held]) for n in ("item", "time"))
    order = np.lexsort((item, time))
    return Updates(item[order], time[order], np.concatenate([p.x for p in held])[order])


def ticks(batch: Batch) -> I64:
    """Event times, written out."""
    if batch.time is not None:
        return batch.time
    return np.arange(batch.first, batch.first + len(batch), dtype=np.int64)


def label_ticks(batch: Batch) -> I64:
    """Label times, written out."""
    return ticks(batch) if batch.label_time is None else batch.label_time


def weight(batch: Batch) -> F64:
    """Weights, written out."""
    return np.ones(len(batch)) if batch.weight is None else batch.weight


def unlabelled(label: Codes | F64) -> Flags:
    """Which labels are missing."""
    missing: Flags = np.isnan(label) if label.dtype == np.float64 else label == NONE
    return missing


def renumbered(batch: Batch, first: int) -> Batch:
    """The same items under other numbers; label times that were item numbers move along."""
    if batch.time is None and batch.label_time is not None:
        moved = batch.label_time.copy()
        late = moved != NEVER
        moved[late] += first - batch.first
        batch = replace(batch, label_time=moved)
    new = batch.updates
    if new is not None:
        by = first - batch.first
        time = new.time + by if batch.time is None else new.time
        new = Updates((new.item.astype(np.int64) + by).astype(np.uint64), time, new.x)
    return replace(batch, first=first, updates=new)


def held(who: str, stream: Stream, seed: int) -> Batch | None:
    """All items of a stream at once, None if it is empty."""
    if stream.length is None:
        raise ParameterError(f"{who}: the stream must end, got {stream.name}; say take(…, n)")
    batches = list(stream.batches(seed=seed))
    return join(batches) if batches else None


def replaced_at(batch: Batch, were: I64) -> Batch:
    """Items that had the times `were` and now have others: a label stays as late as it was."""
    if batch.label_time is None:
        return batch
    late = batch.label_time - were
    now = ticks(batch)
    return replace(batch, label_time=np.where(batch.label_time == NEVER, NEVER, now + late))


def chosen(first: Flags, a: Batch, b: Batch) -> Batch:
    """Row by row from `a` where `first`, otherwise from `b`; both begin with the same item."""
    timed = a.time is not None or b.time is not None
    late = a.label_time is not None or b.label_time is not None
    heavy = a.weight is not None or b.weight is not None
    if a.updates is not None or b.updates is not None:
        raise ParameterError("mix: streams must not have features that change; mix them before")
    return Batch(
        first=a.first,
        x=np.where(first[:, None], a.x, b.x),
        label=np.where(first, a.label, b.label),
        time=np.where(first, ticks(a), ticks(b)) if timed else None,
        label_time=np.where(first, label_ticks(a), label_ticks(b)) if late else None,
        weight=np.where(first, weight(a), weight(b)) if heavy else None,
    )

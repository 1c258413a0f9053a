"""Contract of streams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import numpy as np

from streamgauge.kinds import at_least
from streamgauge.types import NEVER, Batch, Stream, Updates, missing


def check_stream(
    stream: Stream,
    *,
    count: int | None = None,
    sizes: Sequence[int] = (1, 7, 1000),
    seed: int = 0,
) -> None:
    """Iterate over a stream several times and fail at the first violation of its contract.

    Items are numbered consecutively from 0; batches have at most the requested size and are not
    empty; rows are C-contiguous float64 with one column per feature and no infinities; codes are
    integers within their values; times are not after label times; a missing label has no label
    time; every iteration gives the same items, whatever the batch size; `length` is the number of
    items; the start, centre and end of drifts are in order.

    Parameters
    ----------
    stream
        Stream to check.
    count
        Number of items to check; None: all, so the stream must be finite.
    sizes
        Batch sizes, besides one large batch.
    seed
        Seed of every iteration.

    Examples
    --------
    >>> from streamgauge.streams import SEA
    >>> check_stream(SEA(), count=2000)
    """
    if count is not None:
        at_least("check_stream", "count", count, 0)
    whole = read_items(stream, count, 8192, seed)
    if whole is not None:
        check_items(stream, whole)
    for size in sizes:
        other = read_items(stream, count, size, seed)
        if not same_items(whole, other):
            fail(stream, f"batches of {size} must hold the same items as larger ones")
    found = 0 if whole is None else len(whole)
    if count is None and stream.length != found:
        fail(stream, f"length must be {found}, the number of items, got {stream.length}")
    for drift in stream.schema.drifts:
        if not 0 <= drift.start <= drift.centre <= drift.end:
            fail(stream, f"start, centre and end of a drift must be in order, got {drift}")


def read_items(stream: Stream, count: int | None, size: int, seed: int) -> Batch | None:
    """The first `count` items as one batch; None if there are none."""
    batches: list[Batch] = []
    first = 0
    for batch in stream.batches(size, seed):
        if batch.first != first:
            fail(stream, f"items must be consecutive, got {batch.first} after {first - 1}")
        if not 0 < len(batch) <= size:
            fail(stream, f"a batch must hold 1 to {size} items, got {len(batch)}")
        if batch.x.dtype != np.float64 or not batch.x.flags.c_contiguous:
            fail(stream, f"x must be C-contiguous float64, got {batch.x.dtype}")
        first += len(batch)
        batches.append(batch)
        if count is not None and first >= count:
            break
    if not batches:
        return None
    whole = Batch.concatenate(batches)
    return whole if count is None else whole.slice(0, count)


def check_items(stream: Stream, items: Batch) -> None:
    """Check items against the schema."""
    schema = stream.schema
    width = len(schema.features)
    if items.x.shape != (len(items), width):
        fail(stream, f"rows must have {width} cells, got {items.x.shape[1]}")
    if np.isinf(items.x).any():
        fail(stream, "cells must be finite or NaN")
    for column, feature in enumerate(schema.features):
        if feature.values is not None:
            cells = items.x[:, column]
            codes = cells[~np.isnan(cells)]
            if not np.isin(codes, np.arange(len(feature.values))).all():
                fail(stream, f"cells of {feature.name!r} must be codes of its values")
    if schema.classes is None:
        if items.label.dtype != np.float64 or np.isinf(items.label).any():
            fail(stream, f"real labels must be finite float64, got {items.label.dtype}")
    elif (
        items.label.dtype != np.int32
        or not np.isin(items.label, np.arange(-1, len(schema.classes))).all()
    ):
        fail(stream, f"labels must be int32 codes of {len(schema.classes)} classes")
    due = items.label_times
    if (due < items.times).any():
        fail(stream, "no label may arrive before its item")
    if (due[missing(items.label)] != NEVER).any():
        fail(stream, "a missing label must have the label time NEVER")


def same_items(one: Batch | None, other: Batch | None) -> bool:
    """Whether two batches are equal bit by bit, NaN included."""
    if one is None or other is None:
        return one is other
    return (
        one.first == other.first
        and one.x.shape == other.x.shape
        and one.x.tobytes() == other.x.tobytes()
        and one.label.dtype == other.label.dtype
        and one.label.tobytes() == other.label.tobytes()
        and one.times.tobytes() == other.times.tobytes()
        and one.label_times.tobytes() == other.label_times.tobytes()
        and one.weights.tobytes() == other.weights.tobytes()
        and same_updates(one.updates, other.updates)
    )


def same_updates(one: Updates | None, other: Updates | None) -> bool:
    """Whether two tables are equal bit by bit; None equals an empty table."""
    if not one or not other:
        return not one and not other
    return (
        one.item.tobytes() == other.item.tobytes()
        and one.time.tobytes() == other.time.tobytes()
        and one.x.tobytes() == other.x.tobytes()
    )


def fail(stream: Stream, rule: str) -> NoReturn:
    """Raise with the violated rule."""
    raise AssertionError(f"{stream.name}: {rule}")

"""What every stream promises, whether read, made or put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import numpy as np

from streamgauge.types import NEVER, Batch, Stream, Updates, missing


def check_stream(
    stream: Stream,
    *,
    count: int | None = None,
    sizes: Sequence[int] = (1, 7, 1000),
    seed: int = 0,
) -> None:
    """Walk a stream several times and fail at the first broken promise.

    Its items are numbered without a gap from 0; batches are of the size asked for or less and
    never empty; rows are C-contiguous float64, as wide as there are features, without
    infinities; codes are whole and have a value; times do not lie after label times; a missing
    label never comes; two walks give the same items, whatever the size of the batches; its
    length is how many there are; drifts lie in their order.

    Parameters
    ----------
    stream
        Any stream.
    count
        Look at so many items; None: all, so the stream must end.
    sizes
        Of the batches, besides all at once.
    seed
        Of every walk.

    Examples
    --------
    >>> from streamgauge.streams import SEA
    >>> check_stream(SEA(), count=2000)
    """
    whole = walked(stream, count, 8192, seed)
    if whole is not None:
        check_items(stream, whole)
    for size in sizes:
        other = walked(stream, count, size, seed)
        if not same_items(whole, other):
            broken(stream, f"batches of {size} must hold the same items as larger ones")
    found = 0 if whole is None else len(whole)
    if count is None and stream.length != found:
        broken(stream, f"length must be {found}, as there are items, got {stream.length}")
    for drift in stream.schema.drifts:
        if not 0 <= drift.start <= drift.centre <= drift.end:
            broken(stream, f"a drift must start, be half way and end in this order, got {drift}")


def walked(stream: Stream, count: int | None, size: int, seed: int) -> Batch | None:
    """The first `count` items as one batch; None if there are none."""
    batches: list[Batch] = []
    first = 0
    for batch in stream.batches(size, seed):
        if batch.first != first:
            broken(stream, f"items must follow each other, got {batch.first} after {first - 1}")
        if not 0 < len(batch) <= size:
            broken(stream, f"a batch must hold 1 to {size} items, got {len(batch)}")
        if batch.x.dtype != np.float64 or not batch.x.flags.c_contiguous:
            broken(stream, f"x must be C-contiguous float64, got {batch.x.dtype}")
        first += len(batch)
        batches.append(batch)
        if count is not None and first >= count:
            break
    if not batches:
        return None
    whole = Batch.concatenate(batches)
    return whole if count is None else whole.slice(0, count)


def check_items(stream: Stream, items: Batch) -> None:
    """Hold items to the schema."""
    schema = stream.schema
    width = len(schema.features)
    if items.x.shape != (len(items), width):
        broken(stream, f"rows must have {width} cells, got {items.x.shape[1]}")
    if np.isinf(items.x).any():
        broken(stream, "cells must be finite or NaN")
    for column, feature in enumerate(schema.features):
        if feature.values is not None:
            cells = items.x[:, column]
            codes = cells[~np.isnan(cells)]
            if not np.isin(codes, np.arange(len(feature.values))).all():
                broken(stream, f"cells of {feature.name!r} must be codes of its values")
    if schema.classes is None:
        if items.label.dtype != np.float64 or np.isinf(items.label).any():
            broken(stream, f"real labels must be finite float64, got {items.label.dtype}")
    elif (
        items.label.dtype != np.int32
        or not np.isin(items.label, np.arange(-1, len(schema.classes))).all()
    ):
        broken(stream, f"labels must be int32 codes of {len(schema.classes)} classes")
    due = items.label_times
    if (due < items.times).any():
        broken(stream, "no label may come before its item")
    if (due[missing(items.label)] != NEVER).any():
        broken(stream, "a missing label must never come")


def same_items(one: Batch | None, other: Batch | None) -> bool:
    """Equal to the bit, NaN and all."""
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
    """Equal to the bit; none at all is the same as an empty table."""
    if not one or not other:
        return not one and not other
    return (
        one.item.tobytes() == other.item.tobytes()
        and one.time.tobytes() == other.time.tobytes()
        and one.x.tobytes() == other.x.tobytes()
    )


def broken(stream: Stream, promise: str) -> NoReturn:
    """Fail, and say which promise."""
    raise AssertionError(f"{stream.name}: {promise}")

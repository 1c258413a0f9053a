"""Event times of items checked or sorted; columns, label times and weights checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal

import numpy as np

from streamgauge.errors import DataError
from streamgauge.streams.batches import BLOCK
from streamgauge.types import NEVER, Batch, Schema
from streamgauge.types.times import MAX_TICKS, too_far

Clock = Literal["strict", "sort", "allow"]
"""Event times that decrease are an error, are sorted, or are left as they are."""

MAX_WEIGHT = 1e100
"""The largest weight of an item or an order: sums of squares of weights are finite."""


def apply_clock(
    who: str,
    clock: Clock,
    batches: Iterable[Batch],
    stamps: bool = False,
    all_labelled: bool = False,
) -> Iterator[Batch]:
    """Check or sort event times; the label time of a missing label becomes `NEVER`.

    If `all_labelled`, the caller has checked that no label is missing: a scan of each batch is a
    noticeable part of a run of a baseline.
    """
    completed = _completed(who, batches, all_labelled)
    last: int | None = None
    for batch in sorted_by_time(completed) if clock == "sort" else completed:
        refuse_wrong_weights(who, batch)
        if batch.time is not None:
            if clock == "strict":
                refuse_decreasing_times(who, batch, last, stamps)
            last = int(batch.time[-1])
        if batch.label_time is not None:
            refuse_early_labels(who, batch, stamps)
        yield batch


def _completed(who: str, batches: Iterable[Batch], all_labelled: bool) -> Iterator[Batch]:
    """Check the range of times, also of missing labels, before these become `NEVER`."""
    for batch in batches:
        if len(batch):
            refuse_far_times(who, batch)
            yield batch if all_labelled else with_known_times(batch)


def with_known_times(batch: Batch) -> Batch:
    """Set the label time of missing labels to `NEVER`."""
    known = batch.known_times
    return batch if known is batch.label_time else replace(batch, label_time=known)


def refuse_decreasing_times(who: str, batch: Batch, last: int | None, stamps: bool) -> None:
    """Raise if an event time is earlier than the previous one."""
    time = batch.times
    before = np.concatenate((time[:1] if last is None else [last], time[:-1]))
    back = np.flatnonzero(time < before)
    if len(back):
        row = int(back[0])
        raise DataError(
            f"{who}: time must not decrease, got {format_time(time[row], stamps)} after "
            f"{format_time(before[row], stamps)} at item {batch.first + row:,}; "
            "pass clock='sort' or clock='allow'"
        )


def refuse_early_labels(who: str, batch: Batch, stamps: bool) -> None:
    """Raise if a label time is earlier than its item's time."""
    time, known = batch.times, batch.label_times
    early = np.flatnonzero(known < time)
    if len(early):
        row = int(early[0])
        raise DataError(
            f"{who}: label_time must not be before time, got {format_time(known[row], stamps)} for "
            f"an item of {format_time(time[row], stamps)} at item {batch.first + row:,}; "
            "correct it or omit label_time"
        )


def refuse_wrong_columns(who: str, batch: object, schema: Schema) -> None:
    """Raise unless it is a batch whose columns have the types and the shapes of the schema.

    Their contents are checked by `testing.check_stream`.
    """
    if not isinstance(batch, Batch):
        raise DataError(f"{who}: batches must be of type Batch, got {type(batch).__name__}")
    kind = np.float64 if schema.classes is None else np.int32
    width = len(schema.features)
    columns: tuple[tuple[str, object, type, tuple[int, ...]], ...] = (
        ("label", batch.label, kind, (len(batch),)),
        ("x", batch.x, np.float64, (len(batch), width)),
    )
    for what, column, dtype, shape in columns:
        if isinstance(column, np.ndarray) and column.dtype == dtype and column.shape == shape:
            continue
        if isinstance(column, np.ndarray):
            got = f"{column.dtype} of shape {column.shape}"
        else:
            got = type(column).__name__
        raise DataError(
            f"{who}: {what} of a batch must be {np.dtype(dtype)} of shape {shape}, got {got}; "
            "testing.check_stream checks a stream"
        )


def refuse_far_times(who: str, batch: Batch) -> None:
    """Raise if a time is beyond `MAX_TICKS`; label times may be `NEVER`."""
    for what, times in (("time", batch.time), ("label_time", batch.label_time)):
        if times is None or not len(times):
            continue
        known = times if what == "time" else np.where(times == NEVER, 0, times)
        if known.max() <= MAX_TICKS and known.min() >= -MAX_TICKS:
            continue
        row = int(np.flatnonzero((known > MAX_TICKS) | (known < -MAX_TICKS))[0])
        raise DataError(too_far(who, f"item {batch.first + row:,}", what, known[row]))


def refuse_wrong_weights(who: str, batch: Batch) -> None:
    """Raise if a weight is negative, missing or larger than `MAX_WEIGHT`."""
    weight = batch.weight
    if weight is None or not len(weight) or (weight.min() >= 0 and weight.max() <= MAX_WEIGHT):
        return
    row = int(np.flatnonzero(~((weight >= 0) & (weight <= MAX_WEIGHT)))[0])
    got = "none" if np.isnan(weight[row]) else f"{weight[row]:g}"
    raise DataError(
        f"{who}: item {batch.first + row:,}, weight must be from 0 to {MAX_WEIGHT:g}, got {got}; "
        "correct it"
    )


def format_time(ticks: int, stamps: bool) -> str:
    """Format a time: ISO 8601 for timestamps, the number otherwise."""
    if not stamps:
        return str(ticks)
    return str(np.datetime64(int(ticks), "us")).removesuffix(".000000")


def sorted_by_time(batches: Iterable[Batch]) -> Iterator[Batch]:
    """Yield all items sorted by time (stable). Holds the whole stream in memory."""
    parts = list(batches)
    if not parts:
        return
    whole = Batch.concatenate(parts)
    if whole.time is None:
        yield from parts
        return
    order = np.argsort(whole.time, kind="stable")
    for start in range(0, len(order), BLOCK):
        yield whole.take(order[start : start + BLOCK], start)

"""Checks of the clock: event times do not decrease, no label is known before its item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal

import numpy as np

from streamgauge.errors import DataError
from streamgauge.streams.batches import BLOCK
from streamgauge.types import Batch

Clock = Literal["strict", "sort", "allow"]


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
    completed = (b if all_labelled else with_known_times(b) for b in batches if len(b))
    last: int | None = None
    for batch in sorted_by_time(completed) if clock == "sort" else completed:
        if batch.time is not None:
            if clock == "strict":
                refuse_decreasing_times(who, batch, last, stamps)
            last = int(batch.time[-1])
        if batch.label_time is not None:
            refuse_early_labels(who, batch, stamps)
        yield batch


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

"""The clock's law: event times do not step back, no label comes before its item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal

import numpy as np

from streamgauge.errors import DataError
from streamgauge.streams.batches import BLOCK
from streamgauge.types import Batch

Clock = Literal["strict", "sort", "allow"]


def on_time(
    who: str, clock: Clock, batches: Iterable[Batch], stamps: bool = False
) -> Iterator[Batch]:
    """Hold every batch to the clock; a missing label gets the time it has: never."""
    settled = (settle(batch) for batch in batches if len(batch))
    last: int | None = None
    for batch in in_order(settled) if clock == "sort" else settled:
        if batch.time is not None:
            if clock == "strict":
                refuse_steps_back(who, batch, last, stamps)
            last = int(batch.time[-1])
        if batch.label_time is not None:
            refuse_early_labels(who, batch, stamps)
        yield batch


def settle(batch: Batch) -> Batch:
    """The label that is missing never comes."""
    known = batch.known_times
    return batch if known is batch.label_time else replace(batch, label_time=known)


def refuse_steps_back(who: str, batch: Batch, last: int | None, stamps: bool) -> None:
    """No time before the one above it."""
    time = batch.times
    before = np.concatenate((time[:1] if last is None else [last], time[:-1]))
    back = np.flatnonzero(time < before)
    if len(back):
        row = int(back[0])
        raise DataError(
            f"{who}: time must not step back, got {told(time[row], stamps)} after "
            f"{told(before[row], stamps)} at item {batch.first + row:,}; "
            "say clock='sort' or clock='allow'"
        )


def refuse_early_labels(who: str, batch: Batch, stamps: bool) -> None:
    """No label before its item."""
    time, known = batch.times, batch.label_times
    early = np.flatnonzero(known < time)
    if len(early):
        row = int(early[0])
        raise DataError(
            f"{who}: label_time must not be before time, got {told(known[row], stamps)} for an "
            f"item of {told(time[row], stamps)} at item {batch.first + row:,}; "
            "correct it or leave label_time out"
        )


def told(ticks: int, stamps: bool) -> str:
    """A time as a person writes it."""
    if not stamps:
        return str(ticks)
    return str(np.datetime64(int(ticks), "us")).removesuffix(".000000")


def in_order(batches: Iterable[Batch]) -> Iterator[Batch]:
    """All items by time; equal times keep their order. Holds the whole stream."""
    held = list(batches)
    if not held:
        return
    whole = Batch.concatenate(held)
    if whole.time is None:
        yield from held
        return
    order = np.argsort(whole.time, kind="stable")
    for start in range(0, len(order), BLOCK):
        yield whole.take(order[start : start + BLOCK], start)

"""A stream with delayed labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from streamgauge.delays._delay import Items, delay_of, delay_text, ticks_of_delay
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.names import resolve
from streamgauge.streams.columns import TICKS
from streamgauge.types import NEVER, Batch, Schema, Stream


@plain_numbers
def delay(stream: Stream, by: Any, unit: str = "item") -> Stream:
    """Delay the labels of a stream by items, a time, or a delay of `streamgauge.delays`.

    Parameters
    ----------
    stream
        The stream.
    by
        The additional delay, at least 0: a number, or a delay of `streamgauge.delays`:
        `exponential(100)`, `pareto(10)`, `by_class({"late": 100})`, `bursts(1000)`, `never(0.2)`, …
    unit
        `"item"`, or for a stream with timestamps `"us"`, `"ms"`, `"s"`, `"min"`, `"h"`,
        `"day"`. With `"item"`, the timestamps of a stream are replaced by item numbers; it
        must have no label times and no updates then.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> from streamgauge.delays import Bursts, Never
    >>> stream = from_arrays(np.zeros((3, 1)), np.arange(3.0))
    >>> [batch.label_time.tolist() for batch in delay(stream, by=168).batches()]
    [[168, 169, 170]]
    >>> [batch.label_time.tolist() for batch in delay(stream, by=Bursts(2)).batches()]
    [[0, 2, 2]]
    """
    return Delay(resolve("stream", stream), resolve("delay", by), unit)


@dataclass(frozen=True, slots=True)
class Delay:
    """See `delay`."""

    stream: Stream
    by: Any
    unit: str = "item"

    def __post_init__(self) -> None:
        delay_of("delay", "by", self.by)
        timed = self.stream.schema.clock == "us"
        units = ["item", *(unit for unit in TICKS if unit != "tick")] if timed else ["item"]
        if self.unit not in units:
            must = f"one of {', '.join(map(repr, units))} for {self.stream.name}"
            raise ParameterError.of("delay", "unit", must, self.unit)

    @property
    def name(self) -> str:
        """Name of the input stream, and the delay."""
        unit = "" if self.unit == "item" else f" {self.unit}"
        return f"delay({self.stream.name}, {delay_text(self.by)}{unit})"

    @property
    def schema(self) -> Schema:
        """Schema of the input stream without `ties`; by items, its clock is `item`."""
        schema = replace(self.stream.schema, ties=None)
        return replace(schema, clock="item") if self._untimed else schema

    @property
    def _untimed(self) -> bool:
        return self.unit == "item" and self.stream.schema.clock == "us"

    @property
    def length(self) -> int | None:
        """Number of items."""
        return self.stream.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        delay, unit = delay_of("delay", "by", self.by), TICKS.get(self.unit, 1)
        classes = self.stream.schema.classes
        for given in self.stream.batches(size, seed):
            batch = self._on_items(given) if self._untimed else given
            known = batch.label_times
            items = Items(batch.first, batch.times, batch.label, classes, seed, unit)
            more = ticks_of_delay(delay, items)
            never = (known == NEVER) | (more == NEVER) | (known > NEVER - np.minimum(more, NEVER))
            later = np.where(never, NEVER, np.where(never, 0, known) + np.where(never, 0, more))
            yield replace(batch, label_time=later)

    def _on_items(self, batch: Batch) -> Batch:
        late = (batch.label_times != batch.times) & (batch.label_times != NEVER)
        if late.any():
            raise self._not_on_items("label times", batch.first + int(np.flatnonzero(late)[0]))
        if batch.updates is not None:
            raise self._not_on_items("updates", int(batch.updates.item[0]))
        if batch.label_time is None:
            return replace(batch, time=None)
        item = np.arange(batch.first, batch.first + len(batch), dtype=np.int64)
        known = np.where(batch.label_time == NEVER, NEVER, item)
        return replace(batch, time=None, label_time=known)

    def _not_on_items(self, what: str, item: int) -> ParameterError:
        return ParameterError(
            f"delay: {self.stream.name} must have no {what} to be delayed by items, got one for "
            f"item {item:,}; pass a unit of time"
        )

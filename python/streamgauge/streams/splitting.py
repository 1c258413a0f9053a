"""A stream split in two by an attribute."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from streamgauge.errors import DataError, ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.streams.batches import replaced_at
from streamgauge.streams.columns import number
from streamgauge.streams.layout import listed
from streamgauge.streams.schemas import drifts_between, with_drifts
from streamgauge.types import Batch, Drift, Flags, Schema, Stream, Value


@plain_numbers
def split_on(
    stream: Stream,
    attribute: str,
    value: Value | None = None,
    at: float | None = None,
    seed: int = 0,
) -> tuple[Stream, Stream]:
    """The items that have a value, and those that have not; the attribute itself is removed.

    The stream is walked once to find the values and to count; known drifts come where they
    fall among the items of a part.

    Parameters
    ----------
    stream
        The stream; it must end.
    attribute
        Name of a feature. Its cells must not be missing.
    value
        The value of the first part; the lesser of the two that there are if None.
    at
        Instead, for a numeric attribute: the first part is at most `at`, the second above.
    seed
        Seed of the stream, if it draws from one: both parts are of the same walk, whatever
        seed they are walked with.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> x = np.array([[0, 5], [1, 6], [0, 7]])
    >>> low, high = split_on(from_arrays(x, np.array([0.1, 0.2, 0.3])), "x0")
    >>> [batch.x.tolist() for batch in low.batches()], high.length
    ([[[5.0], [7.0]]], 1)

    References
    ----------
    Shaker, Huellermeier. Recovery analysis for adaptive learning from non-stationary data
    streams. Neurocomputing 150 (2015).
    """
    column = number("split_on", "attribute", attribute, stream.schema.names)
    if stream.length is None:
        raise ParameterError(
            f"split_on: the stream must end, got {stream.name}; say take({stream.name}, n)"
        )
    if at is None:
        cell = first_part(stream, column, value, seed)
        rule = Rule(column, attribute, cell, cell)
    else:
        if stream.schema.features[column].nominal or value is not None:
            raise ParameterError.of("split_on", "at", "left out for nominal values", at)
        rule = Rule(column, attribute, -np.inf, at)
    flags = [rule.first(batch, stream.name) for batch in stream.batches(seed=seed)]
    first = np.concatenate(flags) if flags else np.empty(0, np.bool_)
    return part(stream, rule, True, seed, first), part(stream, rule, False, seed, ~first)


def part(stream: Stream, rule: Rule, first: bool, seed: int, of_part: Flags) -> Part:
    """One part, with its items counted."""

    def before(item: int) -> int:
        return int(of_part[:item].sum())

    drifts = [
        Drift(before(d.start), before(d.centre), before(d.end), d.kind)
        for d in stream.schema.drifts
    ]
    items = int(of_part.sum())
    return Part(stream, rule, first, seed, items, drifts_between(drifts, 0, items))


@dataclass(frozen=True, slots=True)
class Rule:
    """The first part has a cell from `low` to `high` in a column."""

    column: int
    attribute: str
    low: float
    high: float

    def first(self, batch: Batch, name: str) -> Flags:
        """Which items are of the first part."""
        cells = batch.x[:, self.column]
        missing = np.flatnonzero(np.isnan(cells))
        if len(missing):
            raise DataError(
                f"split_on: attribute {self.attribute!r} must be known, got a missing cell in "
                f"{name} at item {batch.first + missing[0]:,}; say impute({name})"
            )
        return np.asarray((cells >= self.low) & (cells <= self.high))


def first_part(stream: Stream, column: int, value: Value | None, seed: int) -> float:
    """The cell by which the first part is known."""
    feature = stream.schema.features[column]
    if feature.values is not None and value is not None:
        if value not in feature.values:
            must = f"one of {listed(feature.values)}"
            raise ParameterError.of("split_on", "value", must, value)
        return float(feature.values.index(value))
    if value is not None:
        return float(value)
    found: set[float] = set()
    for batch in stream.batches(seed=seed):
        found.update(np.unique(batch.x[:, column]).tolist())
        if len(found) > 2:
            raise ParameterError(
                f"split_on: attribute {feature.name!r} must have two values, got more; "
                "say value=… or at=…"
            )
    if not found:
        raise ParameterError(f"split_on: {stream.name} must have items, got none")
    return min(found)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a split stream; see `split_on`."""

    stream: Stream
    rule: Rule
    first: bool
    seed: int
    items: int
    drifts: tuple[Drift, ...]

    @property
    def name(self) -> str:
        """Its name, and which part."""
        which = "" if self.first else "not "
        return f"{self.stream.name}[{which}{self.rule.attribute}]"

    @property
    def schema(self) -> Schema:
        """That of the stream without the attribute."""
        schema = self.stream.schema
        features = tuple(f for i, f in enumerate(schema.features) if i != self.rule.column)
        return replace(with_drifts(schema, self.drifts), features=features)

    @property
    def length(self) -> int | None:
        """How many items."""
        return self.items

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Its items from the first on, at most `size` at a time."""
        first = 0
        for batch in self.stream.batches(size, self.seed):
            rows = self.rule.first(batch, self.stream.name)
            rows = rows if self.first else ~rows
            of_part = replaced_at(batch.take(rows, first), batch.times[rows])
            if len(of_part):
                yield self._narrowed(of_part)
            first += len(of_part)

    def _narrowed(self, batch: Batch) -> Batch:
        """The same items without the attribute."""
        x, updates = np.delete(batch.x, self.rule.column, axis=1), batch.updates
        if updates is not None:
            updates = replace(updates, x=np.delete(updates.x, self.rule.column, axis=1))
        return replace(batch, x=x, updates=updates)

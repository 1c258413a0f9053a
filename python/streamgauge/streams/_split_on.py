"""A stream split in two by an attribute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from streamgauge.errors import DataError, ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.names import resolve
from streamgauge.streams._is_endless import refuse_endless
from streamgauge.streams.batches import with_original_delays
from streamgauge.streams.columns import column_number
from streamgauge.streams.nominal import format_values
from streamgauge.streams.schemas import drifts_between, with_drifts
from streamgauge.types import Batch, Drift, Feature, Flags, Schema, Stream, Value


@plain_numbers
def split_on(
    stream: Stream,
    attribute: str,
    value: Value | Sequence[Value] | None = None,
    at: float | None = None,
    seed: int = 0,
) -> tuple[Stream, Stream]:
    """Split a stream into the items with a value of an attribute and the others.

    The attribute is removed. The stream is read once to find the values and to count items;
    known drifts are placed at their positions among the items of a part.

    Parameters
    ----------
    stream
        The stream; it must end.
    attribute
        Name of a feature. Its cells must not be missing.
    value
        The value of the first part, or a list of its values; by default the smaller one of two
        values.
    at
        Instead of `value`, for a numeric attribute: the first part is at most `at`, the second
        above it.
    seed
        Seed of the stream; both parts use it, independent of the seed passed to their
        `batches`.

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
    Shaker, Hüllermeier. Recovery analysis for adaptive learning from non-stationary data
    streams: experimental design and case study. Neurocomputing 150 (2015).
    """
    stream = resolve("stream", stream)
    column = column_number("split_on", "attribute", attribute, stream.schema.names)
    refuse_endless("split_on", stream)
    if at is None:
        rule = Rule(column, attribute, first_values(stream, column, value, seed))
    else:
        if stream.schema.features[column].nominal or value is not None:
            raise ParameterError.of("split_on", "at", "omitted for nominal values", at)
        rule = Rule(column, attribute, most=at)
    flags = [rule.first(batch, stream.name) for batch in stream.batches(seed=seed)]
    first = np.concatenate(flags) if flags else np.empty(0, np.bool_)
    return part(stream, rule, True, seed, first), part(stream, rule, False, seed, ~first)


def part(stream: Stream, rule: Rule, first: bool, seed: int, of_part: Flags) -> Part:
    """Create one part, with its number of items and its drifts."""

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
    """Condition of the first part: the cell in a column is one of `cells`, or at most `most`."""

    column: int
    attribute: str
    cells: tuple[float, ...] = ()
    most: float = -np.inf

    def first(self, batch: Batch, name: str) -> Flags:
        """Return which items are in the first part."""
        cells = batch.x[:, self.column]
        missing = np.flatnonzero(np.isnan(cells))
        if len(missing):
            raise DataError(
                f"split_on: attribute {self.attribute!r} must be known, got a missing cell in "
                f"{name} at item {batch.first + missing[0]:,}; pass impute({name})"
            )
        return np.asarray(np.isin(cells, self.cells) | (cells <= self.most))


def first_values(
    stream: Stream, column: int, value: Value | Sequence[Value] | None, seed: int
) -> tuple[float, ...]:
    """Return the cells that define the first part."""
    feature = stream.schema.features[column]
    if value is not None:
        given: list[Any] = list(value) if isinstance(value, list | tuple) else [value]
        if not given:
            raise ParameterError.of("split_on", "value", "at least one value", value)
        return tuple(cell_of(feature, one) for one in given)
    found: set[float] = set()
    for batch in stream.batches(seed=seed):
        found.update(np.unique(batch.x[:, column]).tolist())
        if len(found) > 2:
            raise ParameterError(
                f"split_on: attribute {feature.name!r} must have two values, got more; "
                "pass value=… or at=…"
            )
    if not found:
        raise ParameterError(f"split_on: {stream.name} must have items, got none")
    return (min(found),)


def cell_of(feature: Feature, value: Value) -> float:
    """Return the cell of a value."""
    if feature.values is None:
        if isinstance(value, str):
            raise ParameterError.of("split_on", "value", f"a number for {feature.name!r}", value)
        return float(value)
    if value not in feature.values:
        raise ParameterError.of(
            "split_on", "value", f"one of {format_values(feature.values)}", value
        )
    return float(feature.values.index(value))


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
        """Name of the input stream, and which part it is."""
        which = "" if self.first else "not "
        return f"{self.stream.name}[{which}{self.rule.attribute}]"

    @property
    def schema(self) -> Schema:
        """Schema of the input stream, without the attribute."""
        schema = self.stream.schema
        features = tuple(f for i, f in enumerate(schema.features) if i != self.rule.column)
        return replace(with_drifts(schema, self.drifts), features=features)

    @property
    def length(self) -> int | None:
        """Number of items."""
        return self.items

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        first = 0
        for batch in self.stream.batches(size, self.seed):
            rows = self.rule.first(batch, self.stream.name)
            rows = rows if self.first else ~rows
            of_part = with_original_delays(batch.take(rows, first), batch.times[rows])
            if len(of_part):
                yield self._without_attribute(of_part)
            first += len(of_part)

    def _without_attribute(self, batch: Batch) -> Batch:
        """Remove the attribute from the items."""
        x, updates = np.delete(batch.x, self.rule.column, axis=1), batch.updates
        if updates is not None:
            updates = replace(updates, x=np.delete(updates.x, self.rule.column, axis=1))
        return replace(batch, x=x, updates=updates)

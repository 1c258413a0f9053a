"""The interface of transformers, for native ones and your own."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from streamgauge.types import F64, Schema


@runtime_checkable
class Transformer(Protocol):
    """A description of a transformer, such as `StandardScaler()`, not bound to columns yet."""

    def bind(self, schema: Schema) -> BoundTransformer:
        """Make the transformer for the columns of a stream."""


class BoundTransformer(Protocol):
    """A transformer for the rows of a schema.

    `transform` changes nothing; only `learn` updates statistics. `Pipeline` calls both.
    """

    @property
    def schema(self) -> Schema:
        """The schema of the rows that it makes."""

    @property
    def fills_missing(self) -> bool:
        """Whether the rows that it makes have no missing cells."""

    def transform(self, rows: F64) -> F64:
        """The rows, transformed by the statistics of the rows learned so far; a new array."""

    def learn(self, row: F64, weight: float) -> None:
        """Update the statistics with one row, of shape (columns,); the weight is above 0."""

    def fresh(self) -> BoundTransformer:
        """One with the same parameters that has learned nothing."""

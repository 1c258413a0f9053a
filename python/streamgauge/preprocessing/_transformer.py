"""The interface of transformers, for native ones and your own."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np

from streamgauge.errors import DataError, ParameterError, StreamgaugeError, error_line
from streamgauge.types import F64, Schema

METHODS = ("transform", "learn", "fresh")


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


def bind_transformer(transformer: Any, schema: Schema) -> Any:
    """Bind a transformer; one of the user's own that lacks a part is refused in one sentence."""
    if type(transformer).__module__.startswith("streamgauge."):
        return transformer.bind(schema)
    name = type(transformer).__name__
    try:
        bound = transformer.bind(schema)
    except StreamgaugeError:
        raise
    except (Exception, SystemExit) as error:
        raise ParameterError(f"{name}: bind(schema) failed: {error_line(error)}") from error
    without = [method for method in METHODS if not callable(getattr(bound, method, None))]
    without += [] if isinstance(getattr(bound, "schema", None), Schema) else ["schema"]
    without += [] if isinstance(getattr(bound, "fills_missing", None), bool) else ["fills_missing"]
    if without:
        parts = ", ".join(("schema", "fills_missing", *METHODS))
        raise ParameterError(
            f"{name}: bind must return an object with {parts}, got a {type(bound).__name__} "
            f"without {', '.join(without)}"
        )
    return bound


def checked_rows(transformer: Any, rows: F64) -> F64:
    """The rows that a transformer makes, after a check of their shape and type."""
    made = transformer.transform(rows)
    shape = len(rows), len(transformer.schema.features)
    name = type(transformer).__name__
    try:
        out = np.ascontiguousarray(made, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(
            f"{name}: transform must return numbers, got {type(made).__name__}"
        ) from None
    if np.shape(made) != shape:
        raise DataError(
            f"{name}: transform must return the shape {shape}, one row per row and one column per "
            f"feature of its schema, got {np.shape(made)}"
        )
    return out

"""From the description of a transformer and a schema to the native transformer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from streamgauge._core import NativeTransformer
from streamgauge.errors import ParameterError
from streamgauge.types import F64, Feature, Flags, Schema


@dataclass(slots=True)
class NativeRows:
    """A native transformer with the schema of the rows that it makes."""

    native: NativeTransformer
    schema: Schema
    fills_missing: bool = False

    def transform(self, rows: F64) -> F64:
        """The rows, transformed by the statistics of the rows learned so far."""
        return self.native.transform(rows)

    def learn(self, row: F64, weight: float = 1.0) -> None:
        """Update the statistics with one row."""
        self.native.learn(row, weight)

    def transform_and_learn(
        self, before: F64, after: F64, learned: Flags, weights: F64 | None
    ) -> tuple[F64, F64]:
        """For each row in order: transform `before`; if `learned`, learn `after`; transform it."""
        return self.native.transform_and_learn(before, after, learned, weights)

    def fresh(self) -> NativeRows:
        """One that has learned nothing."""
        return replace(self, native=self.native.fresh())


def native(
    transformer: object,
    schema: Schema,
    columns: Sequence[str] | None,
    parameters: dict[str, Any],
    features: Sequence[Feature] | None = None,
    fills_missing: bool = False,
) -> NativeRows:
    """Make the native transformer of the same name; `features` are those of the rows it makes."""
    numbers = None if columns is None else chosen(transformer, schema, columns)
    given = {"columns": numbers if numbers is None else " ".join(map(str, numbers))}
    name = type(transformer).__module__.rpartition(".")[2]
    made = replace(schema, features=tuple(schema.features if features is None else features))
    twice = sorted({f.name for f in made.features if made.names.count(f.name) > 1})
    if twice:
        raise ParameterError.of(
            transformer, "columns", "columns that give new names, each once", twice[0]
        )
    bound = NativeTransformer(name, values_per_column(schema), {**given, **parameters})
    return NativeRows(bound, made, fills_missing)


def chosen(transformer: object, schema: Schema, columns: Sequence[str]) -> list[int]:
    """The numbers of the named columns, in their order in the schema."""
    for name in columns:
        if name not in schema.names:
            listed = ", ".join(map(repr, schema.names[:8])) + (", …" if schema.names[8:] else "")
            must = f"names of columns ({listed})" if schema.names else "None, there are no columns"
            raise ParameterError.of(transformer, "columns", must, name)
    return [i for i, name in enumerate(schema.names) if name in columns]


def check_kind(
    transformer: object, schema: Schema, columns: Sequence[str] | None, nominal: bool
) -> None:
    """Refuse a given column that is not of the kind that the transformer changes."""
    for i in chosen(transformer, schema, columns or ()):
        feature = schema.features[i]
        if feature.nominal != nominal:
            must = f"{'nominal' if nominal else 'numeric'} columns"
            raise ParameterError.of(transformer, "columns", must, feature.name)


def check_names(transformer: object, columns: object) -> None:
    """Refuse anything but names of columns, or None for all."""
    fits = isinstance(columns, list | tuple) and all(isinstance(name, str) for name in columns)
    if columns is not None and not (fits and columns):
        raise ParameterError.of(transformer, "columns", "None or names of columns", columns)
    object.__setattr__(transformer, "columns", tuple(columns) if fits else None)  # type: ignore[arg-type]


def values_per_column(schema: Schema) -> list[int]:
    """The number of values of each column; 0 stands for a numeric one.

    A nominal column without values gets one that does not occur.
    """
    return [0 if f.values is None else max(1, len(f.values)) for f in schema.features]

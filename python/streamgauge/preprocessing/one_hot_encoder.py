"""Nominal columns as indicators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from streamgauge.preprocessing._native import NativeRows, check_kind, check_names, chosen, native
from streamgauge.types import Feature, Schema


@dataclass(frozen=True, slots=True)
class OneHotEncoder:
    """One column of 0 and 1 for each declared value, in place of a nominal column.

    The indicators of a column `colour` are called `colour=red`, `colour=blue`, …, in the order of
    the declared values. For a missing or undeclared value all are 0. Nothing is learned. As
    scikit-learn's OneHotEncoder with these categories and `handle_unknown="ignore"`.

    Parameters
    ----------
    columns
        Names of the columns to encode; by default all nominal ones.

    Examples
    --------
    >>> import numpy as np
    >>> features = Feature("size"), Feature("colour", ("red", "blue"))
    >>> encoder = OneHotEncoder().bind(Schema(features))
    >>> encoder.schema.names
    ('size', 'colour=red', 'colour=blue')
    >>> encoder.transform(np.array([[3.5, 1.0], [1.5, np.nan]])).tolist()
    [[3.5, 0.0, 1.0], [1.5, 0.0, 0.0]]
    """

    aliases: ClassVar[tuple[str, ...]] = ()

    columns: Sequence[str] | None = None

    def __post_init__(self) -> None:
        check_names(self, self.columns)

    def bind(self, schema: Schema) -> NativeRows:
        """Make the transformer for the columns of a stream."""
        check_kind(self, schema, self.columns, nominal=True)
        which = range(len(schema.features))
        which = which if self.columns is None else chosen(self, schema, self.columns)  # type: ignore[assignment]
        features: list[Feature] = []
        for i, feature in enumerate(schema.features):
            if feature.values is None or i not in which:
                features.append(feature)
            else:  # a column without declared values has one indicator, which is always 0
                features += [Feature(f"{feature.name}={v}") for v in feature.values or ("(none)",)]
        return native(self, schema, self.columns, {}, features)

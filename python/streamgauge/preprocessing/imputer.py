"""Imputation of missing cells by the items so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import ClassVar, Literal, TypeAlias, get_args

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.preprocessing._native import NativeRows, check_names, native
from streamgauge.preprocessing.robust_scaler import check_window
from streamgauge.types import Schema

Strategy: TypeAlias = Literal["mean", "median", "most_frequent", "constant"]


@plain_numbers
@dataclass(frozen=True, slots=True)
class Imputer:
    """Missing cells, filled by a statistic of the known cells of the items learned so far.

    A nominal column is filled by its most frequent value, by weight (the first of equally frequent
    ones), whatever the strategy; by the first declared value before any is known. A numeric column
    is filled by `strategy`, and by `fill_value` before any cell is known. The learner inside gets
    no missing cell, so that models which do not take them can be run.

    Parameters
    ----------
    strategy
        For numeric columns: `"mean"`, weighted, of all known cells; `"median"` or
        `"most_frequent"` (the smallest of equally frequent ones) of the last `window_size` known
        cells; `"constant"`, `fill_value`.
    fill_value
        The number for `"constant"`, and before any cell is known.
    window_size
        Number of values of each column that are kept for `"median"` and `"most_frequent"`.
    columns
        Names of the columns to fill; by default all.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> imputer = Imputer("median").bind(Schema((Feature("x"), Feature("c", ("red", "blue")))))
    >>> for row in ([1.0, 1.0], [2.0, 1.0], [9.0, 0.0]):
    ...     imputer.learn(np.array(row), 1.0)
    >>> imputer.transform(np.array([[np.nan, np.nan], [5.0, 0.0]])).tolist()
    [[2.0, 1.0], [5.0, 0.0]]
    """

    aliases: ClassVar[tuple[str, ...]] = ()

    strategy: Strategy = "mean"
    fill_value: float = 0.0
    window_size: int = 1000
    columns: Sequence[str] | None = None

    def __post_init__(self) -> None:
        if self.strategy not in get_args(Strategy):
            must = f"one of {', '.join(get_args(Strategy))}"
            raise ParameterError.of(self, "strategy", must, self.strategy)
        if not isfinite(self.fill_value):
            raise ParameterError.of(self, "fill_value", "a finite number", self.fill_value)
        check_window(self, self.window_size)
        check_names(self, self.columns)

    def bind(self, schema: Schema) -> NativeRows:
        """Make the transformer for the columns of a stream."""
        parameters = {
            "strategy": self.strategy,
            "fill_value": float(self.fill_value),
            "window_size": self.window_size,
        }
        return native(self, schema, self.columns, parameters, fills_missing=self.columns is None)

"""Scaling by quantiles of the last values, which few outliers hardly change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, at_most, plain_numbers
from streamgauge.preprocessing._native import NativeRows, check_kind, check_names, native
from streamgauge.types import Schema

MOST_VALUES = 1_000_000
"""Largest window: a value that enters moves half of the sorted ones on average."""


@plain_numbers
@dataclass(frozen=True, slots=True)
class RobustScaler:
    r"""Numeric columns minus their median, divided by their interquartile range.

    .. math:: z = (x - q_{0.5}) / (q_{sup} - q_{inf})

    The quantiles are those of the last `window_size` known cells of the items learned so far:
    exact in the window (linear between two values, as NumPy's), memory bounded by the window. z is
    0 where the two quantiles are equal or nothing is known. A missing cell stays missing. Weights
    are not used. The same as scikit-learn's RobustScaler fitted on the window; river's estimates
    the quantiles of the whole past.

    Parameters
    ----------
    window_size
        Number of values of each column that are kept.
    q_inf
        The lower quantile.
    q_sup
        The upper quantile.
    columns
        Names of the columns to scale; by default all numeric ones.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> scaler = RobustScaler().bind(Schema((Feature("x"),)))
    >>> for x in (1.0, 2.0, 3.0, 4.0, 1e9):
    ...     scaler.learn(np.array([x]), 1.0)
    >>> scaler.transform(np.array([[5.0]])).tolist()
    [[1.0]]
    """

    aliases: ClassVar[tuple[str, ...]] = ()

    window_size: int = 1000
    q_inf: float = 0.25
    q_sup: float = 0.75
    columns: Sequence[str] | None = None

    def __post_init__(self) -> None:
        check_window(self, self.window_size)
        if not 0 <= self.q_inf <= 1:
            raise ParameterError.of(self, "q_inf", "from 0 to 1", self.q_inf)
        if not self.q_inf < self.q_sup <= 1:
            raise ParameterError.of(self, "q_sup", "above q_inf and at most 1", self.q_sup)
        check_names(self, self.columns)

    def bind(self, schema: Schema) -> NativeRows:
        """Make the transformer for the columns of a stream."""
        check_kind(self, schema, self.columns, nominal=False)
        quantiles = {"q_inf": float(self.q_inf), "q_sup": float(self.q_sup)}
        return native(self, schema, self.columns, {"window_size": self.window_size, **quantiles})


def check_window(transformer: object, size: int) -> None:
    """Refuse a window that is empty or larger than planned."""
    at_least(transformer, "window_size", size, 1)
    at_most(transformer, "window_size", size, MOST_VALUES)

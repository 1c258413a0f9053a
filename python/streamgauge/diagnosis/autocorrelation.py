"""How a learner's errors hang together."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.log import Log
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class Autocorrelation:
    """The autocorrelation of a learner's errors at lags 1 and on; NaN if it never varies."""

    items: int
    value: F64

    @property
    def band(self) -> float:
        """Within this, 95 times in 100, independent errors would stay."""
        return 1.96 / math.sqrt(self.items) if self.items else math.inf

    @property
    def dependent(self) -> bool:
        """Are neighbouring errors clearly correlated (more than 3 standard errors)?"""
        return bool(len(self.value) and abs(self.value[0]) > 3 / math.sqrt(max(self.items, 1)))

    @property
    def effective_items(self) -> float:
        """How many independent items, at most, would give an error rate as sure as these.

        n / (1 + 2 Σ ρ(l)), summed over the lags there are, until ρ first falls into the band.
        """
        total = 0.0
        for rho in self.value.tolist():
            if not rho > self.band:
                break
            total += rho
        return self.items / (1 + 2 * total)


@plain_numbers
def error_autocorrelation(log: Log, lags: int = 10, fold: int | None = None) -> Autocorrelation:
    """The autocorrelation of a log's errors (0 and 1; real targets: what was missed).

    An item to which nothing was said is an error; of a real target it is left out. With
    `fold`, of that copy of the learner alone.

    Examples
    --------
    >>> from streamgauge.log import from_columns
    >>> from streamgauge.types import Schema
    >>> label = np.tile(np.array([0] * 5 + [1] * 5, np.int32), 40)
    >>> log = from_columns(Schema((), classes=("no", "yes")), label, np.zeros(400, np.int32))
    >>> seen = error_autocorrelation(log, lags=5)
    >>> seen.value
    array([ 0.6025,  0.205 , -0.1925, -0.59  , -0.9875])
    >>> seen.effective_items
    152.96
    """
    if not isinstance(lags, int) or lags < 1:
        raise ParameterError.of("error_autocorrelation", "lags", "a whole number, at least 1", lags)
    parts = [
        (p.label != p.answer).astype(np.float64)
        if log.schema.classes is not None
        else (p.answer - p.label)[~np.isnan(p.answer)]
        for p in log.pairs(fold)
    ]
    errors = np.concatenate(parts) if parts else np.empty(0)
    return Autocorrelation(len(errors), correlated(errors, lags))


def correlated(values: F64, lags: int) -> F64:
    """The autocorrelation of a column at lags 1 to `lags`; NaN where it is not defined."""
    away = values - values.mean() if len(values) else values
    spread = float(away @ away)
    out = np.full(lags, np.nan)
    if spread > 0:
        for lag in range(1, min(lags, len(values) - 1) + 1):
            out[lag - 1] = float(away[lag:] @ away[:-lag]) / spread
    return out

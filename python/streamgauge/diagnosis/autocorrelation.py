"""Autocorrelation of the errors of a learner."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_most, plain_numbers
from streamgauge.log import Log
from streamgauge.log._one_fold import check_fold
from streamgauge.series_spread import series_spread
from streamgauge.types import F64

MOST_LAGS = 10_000
"""Largest lag."""

ALPHA = 0.05
"""Probability of calling independent errors dependent."""


@dataclass(frozen=True, slots=True)
class Autocorrelation:
    """Autocorrelation of the errors of a learner from lag 1 on; NaN if errors are constant.

    `effective_items` is about the number of independent items with an error rate of the same
    precision: n times the variance of single errors over that of sums of many, per item. The
    latter is the largest over batches of 1, 2, 4, … items, extrapolated while it still grows with
    their size, so it sees dependence over any number of lags (`LongRun`).
    """

    items: int
    value: F64
    effective_items: float

    @property
    def band(self) -> float:
        """The 95 % bound of the autocorrelation of independent errors."""
        return 1.96 / math.sqrt(self.items) if self.items else math.inf

    @property
    def dependent(self) -> bool:
        """Whether errors are correlated at any of the lags, at 5 % over all of them."""
        return self.strongest_lag is not None

    @property
    def strongest_lag(self) -> int | None:
        """The lag of the largest autocorrelation, in absolute value; None if it may be chance."""
        known = np.abs(np.nan_to_num(self.value))
        if not len(known):
            return None
        limit = NormalDist().inv_cdf(1 - ALPHA / 2 / len(known)) / math.sqrt(max(self.items, 1))
        lag = int(np.argmax(known))
        return lag + 1 if known[lag] > limit else None


@plain_numbers
def error_autocorrelation(log: Log, lags: int = 10, fold: int | None = None) -> Autocorrelation:
    """Autocorrelation of the errors of a log (0 or 1; in regression, prediction - label).

    An item without a prediction is an error; in regression it is left out. With `fold`, of that
    fold alone.

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
    209.6
    """
    if not isinstance(lags, int) or lags < 1:
        raise ParameterError.of("error_autocorrelation", "lags", "a whole number, at least 1", lags)
    at_most("error_autocorrelation", "lags", lags, MOST_LAGS)
    check_fold("error_autocorrelation", log, fold)
    parts = [
        (p.label != p.prediction).astype(np.float64)
        if log.schema.classes is not None
        else (p.prediction - p.label)[~np.isnan(p.prediction)]
        for p in log.labelled_predictions(fold)
    ]
    errors = np.concatenate(parts) if parts else np.empty(0)
    return autocorrelation_of(errors, lags)


def autocorrelation_of(errors: F64, lags: int) -> Autocorrelation:
    """The autocorrelation of a column of errors, and how many independent ones it is worth."""
    effective = min(float(len(errors)), series_spread(errors).effective_items)
    return Autocorrelation(len(errors), autocorrelation(errors, lags), effective)


def autocorrelation(values: F64, lags: int) -> F64:
    """The autocorrelation of a column at lags 1 to `lags`; NaN where it is not defined."""
    centred = values - values.mean() if len(values) else values
    variance = float(centred @ centred)
    out = np.full(lags, np.nan)
    if variance > 0:
        for lag in range(1, min(lags, len(values) - 1) + 1):
            out[lag - 1] = float(centred[lag:] @ centred[:-lag]) / variance
    return out

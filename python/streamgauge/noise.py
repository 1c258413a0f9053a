"""Noise in the features of items: its parameters, and its scale in each feature."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias, get_args

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import check_number
from streamgauge.types import F64, Feature, Noise, NoiseForm

NoiseArguments: TypeAlias = tuple[int, str, float, list[int]]
"""Seed, form, probability that a nominal value is replaced, number of values of each feature."""


def check_noise(who: object, scale: float, nominal: float, form: str) -> None:
    """Check the parameters of noise."""
    check_size(who, "scale", scale)
    check_share(who, "nominal", nominal)
    if form not in get_args(NoiseForm):
        raise ParameterError.of(who, "form", "'normal' or 'uniform'", form)


def check_size(who: object, what: str, size: float) -> None:
    """Raise unless a number is finite and not negative."""
    must = "a finite number, at least 0"
    check_number(who, what, size, must)
    if not 0 <= size < math.inf:
        raise ParameterError.of(who, what, must, size)


def check_share(who: object, what: str, share: float) -> None:
    """Raise unless a number is from 0 to 1."""
    check_number(who, what, share, "a number from 0 to 1")
    if not 0 <= share <= 1:
        raise ParameterError.of(who, what, "from 0 to 1", share)


def finite(before: F64, after: F64) -> F64:
    """The values after noise, of which none is infinite that was finite before.

    Examples
    --------
    >>> finite(np.array([1.0, 1e308]), np.array([2.0, np.inf])).tolist()
    [2.0, 1.7976931348623157e+308]
    """
    beyond = np.isinf(after) & np.isfinite(before)
    if not beyond.any():
        return after
    largest = np.finfo(np.float64).max
    return np.where(beyond, np.clip(after, -largest, largest), after)


class NoiseScales:
    """The scale of noise in each feature, which may follow the items that have arrived.

    Sums are added item by item, so they do not depend on how the items are divided into batches.
    """

    def __init__(self, features: Sequence[Feature]) -> None:
        self._values = [0 if f.values is None else max(1, len(f.values)) for f in features]
        self._origin = np.full(len(features), np.nan)  # first values: large ones do not cancel
        self._sums = np.zeros((3, len(features)))  # count, sum, sum of squares

    def arguments(self, noise: Noise) -> NoiseArguments:
        """The noise as the core takes it."""
        return noise.seed, noise.form, float(noise.nominal), self._values

    def scales(self, noise: Noise, rows: F64) -> F64:
        """The scales for items with these features: one row for all; or, if they are relative, one
        for the time before these items, and one after each.
        """
        if not noise.relative:
            return np.full((1, len(self._values)), float(noise.scale))
        return noise.scale * self.deviations(rows)

    def deviations(self, rows: F64) -> F64:
        """The standard deviation before these items, and after each; 0 without two values."""
        known = ~np.isnan(rows)
        if len(rows):
            first = rows[known.argmax(axis=0), np.arange(rows.shape[1])]
            self._origin = np.where(np.isnan(self._origin), first, self._origin)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            centred = np.where(known, rows - self._origin, 0.0)
            parts = np.stack([known.astype(np.float64), centred, centred**2], axis=1)
            sums = np.cumsum(np.concatenate([self._sums[None], parts]), axis=0)
            self._sums = sums[-1]
            count, total, squares = sums[:, 0], sums[:, 1], sums[:, 2]
            found = np.sqrt(np.maximum(squares - total**2 / count, 0.0) / (count - 1))
        found[(count < 2) | ~np.isfinite(found)] = 0.0
        return np.ascontiguousarray(found)

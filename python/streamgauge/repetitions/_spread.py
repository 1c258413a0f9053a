"""Mean, standard deviation and interval of a value over repetitions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers

LEVEL = 0.95
"""Level of the interval of a mean by default."""


@dataclass(frozen=True, slots=True)
class Spread:
    r"""A value over repetitions: its mean, its standard deviation and an interval of the mean.

    With the values :math:`x_1, …, x_n` of n repetitions,

    .. math:: s = \sqrt{\sum_i (x_i - \bar x)^2 / (n - 1)}

    is the sample standard deviation `sd`, NaN for one repetition. `low` and `high` are the
    bounds of the t interval of the mean at `level`, :math:`\bar x ± t_{n-1} s / \sqrt n`. The
    statement is about the mean over seeds, not about other streams, and assumes that the values of
    the repetitions are about normal. The interval is NaN for one repetition, and for equal values,
    which do not show how much others would differ. If one value is undefined, all are.

    Folds of one run learn overlapping items, so their values are correlated. With the ratio
    `overlap` of test to training items, the bounds are those of the corrected resampled t test,
    :math:`\bar x ± t_{n-1} s \sqrt{1/n + overlap}`.

    Parameters
    ----------
    values
        One per repetition, in their order.
    seeds
        The seeds of the repetitions, if known.
    identical
        Whether the repetitions have the same labels and predictions, so that they are one run.
    level
        Of the interval.
    overlap
        Ratio of test to training items of folds; 0 for repetitions, which have other seeds.

    Examples
    --------
    >>> found = Spread((0.81, 0.83, 0.85))
    >>> found.mean, found.sd, (found.low, found.high)
    (0.83, 0.02, (0.780, 0.880))
    """

    values: tuple[float, ...]
    seeds: tuple[str, ...] = ()
    identical: bool = False
    level: float = LEVEL
    overlap: float = 0.0
    mean: float = field(init=False)
    sd: float = field(init=False)
    low: float = field(init=False)
    high: float = field(init=False)

    def __post_init__(self) -> None:
        values = tuple(float(value) for value in self.values)
        if not values:
            raise ParameterError.of(self, "values", "at least one", self.values)
        if self.seeds and len(self.seeds) != len(values):
            raise ParameterError.of(self, "seeds", f"{len(values)}, one per value", self.seeds)
        if not 0 < self.level < 1:
            raise ParameterError.of(self, "level", "above 0 and below 1", self.level)
        if not self.overlap >= 0:
            raise ParameterError.of(self, "overlap", "at least 0", self.overlap)
        mean, sd = _moments(values)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "sd", sd)
        radius = quantile(self.level, len(values)) * self.error if sd else math.nan
        found = {
            "mean": mean,
            "low": mean - radius,
            "high": mean + radius,
        }
        for name, value in found.items():
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.values)

    def __float__(self) -> float:
        return self.mean

    @property
    def p(self) -> float:
        """Two-sided p of the t test of a mean of 0; NaN if there is no interval."""
        if math.isnan(self.low):
            return math.nan
        stats = import_module("scipy.stats")
        return float(2 * stats.t.sf(abs(self.mean) / self.error, len(self.values) - 1))

    @property
    def error(self) -> float:
        """Standard error of the mean; with the correction of folds."""
        return self.sd * math.sqrt(1 / len(self.values) + self.overlap)


@plain_numbers
def spread(
    values: Sequence[float],
    seeds: Iterable[str] = (),
    *,
    identical: bool = False,
    level: float = LEVEL,
) -> Spread:
    """The `Spread` of the values of repetitions.

    Examples
    --------
    >>> spread([0.81, 0.83, 0.85]).mean
    0.83
    """
    return Spread(tuple(values), tuple(seeds), identical, level)


@cache
def quantile(level: float, n: int) -> float:
    """The quantile of Student's t with n - 1 degrees of freedom; NaN for one value.

    Examples
    --------
    >>> quantile(0.95, 3)
    4.303
    """
    if n < 2:
        return math.nan
    return float(import_module("scipy.special").stdtrit(n - 1, (1 + level) / 2))


def _moments(values: tuple[float, ...]) -> tuple[float, float]:
    """Mean and sample standard deviation, without overflow; exact for equal values."""
    n, first = len(values), values[0]
    if not all(map(math.isfinite, values)):
        return sum(values) / n, math.nan
    if all(value == first for value in values):
        return first, 0.0 if n > 1 else math.nan
    scale = max(map(abs, values))
    shares = [value / scale for value in values]
    mean = math.fsum(shares) / n
    sd = math.hypot(*(share - mean for share in shares)) / math.sqrt(n - 1)
    return scale * mean, scale * sd

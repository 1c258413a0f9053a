"""The block bootstrap of the mean of dependent values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from streamgauge._core import autocovariances, resampled_means
from streamgauge.comparisons.verdict import FIXED, Validity
from streamgauge.errors import ParameterError
from streamgauge.kinds import at_most, plain_numbers
from streamgauge.seeds import child
from streamgauge.types import F64

MOST_DRAWS = 1_000_000
"""Largest number of draws."""

Blocks: TypeAlias = Literal["stationary", "moving", "circular"]
"""Blocks of random lengths on a circle; of one length; of one length on a circle."""


@dataclass(frozen=True, slots=True)
class BootstrapMean:
    """A mean with its percentile interval and standard error, from resampled series."""

    mean: float
    low: float
    high: float
    standard_error: float
    level: float
    block: float
    kind: Blocks
    draws: int
    validity: Validity = FIXED


@plain_numbers
def block_bootstrap(
    values: F64,
    *,
    level: float = 0.95,
    kind: Blocks = "stationary",
    block: float | None = None,
    draws: int = 1000,
    seed: int = 0,
) -> BootstrapMean:
    """Confidence interval of the mean of a series of dependent values.

    The series is resampled in blocks, within which its order is kept. For the difference of two
    learners, pass the differences of their losses. Valid at an end fixed beforehand, for a
    stationary series.

    Parameters
    ----------
    values
        The series.
    level
        Share of the resampled means within the interval.
    kind
        `"stationary"` (random lengths), `"moving"` or `"circular"` (one length).
    block
        The (mean) length of the blocks; by default that of `block_length`.
    draws
        Number of resampled series.
    seed
        The seed of the draws.

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.repeat([0.0, 1.0, 0.0, 0.0], 25)
    >>> found = block_bootstrap(losses, block=25, seed=1)
    >>> found.mean, found.standard_error > block_bootstrap(losses, block=1, seed=1).standard_error
    (0.25, True)

    References
    ----------
    Politis, Romano. The stationary bootstrap. JASA 89 (1994).
    Künsch. The jackknife and the bootstrap for general stationary observations.
    Annals of Statistics 17 (1989).
    """
    series = _finite("block_bootstrap", values)
    check_blocks("block_bootstrap", kind, block, level, draws)
    if not len(series):
        nothing = math.nan
        return BootstrapMean(nothing, nothing, nothing, nothing, level, nothing, kind, draws)
    length = block_length(series, kind) if block is None else block
    length = min(max(length, 1.0), float(len(series)))
    if kind != "stationary":
        length = float(round(length))
    means = resampled_means(series, kind, length, draws, child(seed, "bootstrap"))
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return BootstrapMean(
        float(series.mean()),
        float(low),
        float(high),
        float(means.std()),
        level,
        length,
        kind,
        draws,
    )


def block_length(values: F64, kind: Blocks = "stationary") -> float:
    """The optimal block length for the dependence of a series (Politis and White).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> noise = rng.normal(size=2000)
    >>> smooth = np.convolve(noise, np.ones(20), "valid")
    >>> block_length(noise) < 5 < block_length(smooth)
    True

    References
    ----------
    Politis, White. Automatic block-length selection for the dependent bootstrap.
    Econometric Reviews 23 (2004), corrected by Patton, Politis, White, ibid. 28 (2009).
    """
    check_kind("block_length", kind)
    series = _finite("block_length", values)
    n = len(series)
    if n < 8 or series.min() == series.max():
        return 1.0
    few = max(5, math.floor(math.log10(n)))
    most = min(math.ceil(math.sqrt(n)) + few, n - 1)
    _, _, covariances = autocovariances(series, most)
    small = np.abs(covariances / covariances[0]) < 2 * math.sqrt(math.log10(n) / n)
    # the first of `few` consecutive insignificant correlations, as in Patton's program
    runs = (lag for lag in range(1, most - few + 1) if small[lag : lag + few].all())
    first = next(runs, None)
    bandwidth = most if first is None else min(2 * first, most)
    lag = np.arange(1, bandwidth + 1)
    flat_top = np.minimum(1.0, 2 * (1 - lag / bandwidth))
    weighted = flat_top * covariances[1 : bandwidth + 1]
    spectrum = float(covariances[0] + 2 * weighted.sum())
    curvature = float(2 * (lag * weighted).sum())
    factor = 2.0 if kind == "stationary" else 4.0 / 3.0
    length = float((2 * curvature**2 / (factor * spectrum**2)) ** (1 / 3) * n ** (1 / 3))
    return max(1.0, min(length, math.ceil(min(3 * math.sqrt(n), n / 3))))


def check_kind(who: str, kind: str) -> None:
    """Raise ParameterError unless `kind` is valid."""
    if kind not in get_args(Blocks):
        raise ParameterError.of(who, "kind", f"one of {', '.join(get_args(Blocks))}", kind)


def check_blocks(who: str, kind: str, block: float | None, level: float, draws: int) -> None:
    """Raise ParameterError if an option of the bootstrap is invalid."""
    check_kind(who, kind)
    if block is not None and not (isinstance(block, int | float) and 1 <= block < math.inf):
        raise ParameterError.of(who, "block", "at least 1", block)
    if not (isinstance(level, int | float) and 0 < level < 1):
        raise ParameterError.of(who, "level", "above 0 and below 1", level)
    if not isinstance(draws, int) or isinstance(draws, bool) or draws < 2:
        raise ParameterError.of(who, "draws", "a whole number, at least 2", draws)
    at_most(who, "draws", draws, MOST_DRAWS)


def _finite(who: str, values: F64) -> F64:
    series = np.ascontiguousarray(values, np.float64)
    if series.ndim != 1 or not np.isfinite(series).all():
        raise ParameterError.of(who, "values", "a column of finite numbers", values)
    return series

"""By how much a band is wider than the quantiles of the resampled curves."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from streamgauge.comparisons._band_level import BandLevel
from streamgauge.comparisons._boundary import squared_quantile
from streamgauge.comparisons._resampled_curves import BlockScheme
from streamgauge.comparisons._window_dependence import memory_of
from streamgauge.types import F64, I64

WHOLE_START = 2_000
"""The item from which a time-uniform band around a curve over all items holds."""


def band_factors(
    level: BandLevel, spec: tuple[str, float], rows: I64, scheme: BlockScheme, shortfall: float
) -> F64:
    r"""The factor of the distances between a curve and the quantiles of its resampled curves.

    A window with k blocks shows the variance with about k degrees of freedom (1.5 k for blocks of
    one length), so the quantile is that of Student's t; a time-uniform band has a spread that all
    blocks of the stream show. Weights of k blocks have the variance :math:`(k-1)/(k+1)` of what
    they should have; blocks shorter than the dependence miss `shortfall`. NaN where a window holds
    fewer than two blocks, and before a time-uniform band begins.

    Parameters
    ----------
    level
        The level; it is that of the quantiles too.
    spec
        The window.
    rows
        Number of losses up to each point.
    scheme
        The blocks.
    shortfall
        Long-run variance over the variance that the blocks show.
    """
    blocks = np.minimum(rows, memory_of(spec)) / scheme.length
    quantile = float(ndtri((1 + level.level) / 2))
    wanted = (
        _uniform_quantiles(1 - level.level, spec, rows)
        if level.time_uniform
        else np.full(len(rows), quantile)
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        shown_in = rows[-1:] / scheme.length if level.time_uniform else blocks
        freedom = shown_in * (1.0 if scheme.kind == "stationary" else 1.5)
        student = -stdtrit(freedom, ndtr(-wanted))
        weights = (blocks + 1) / (blocks - 1) if scheme.reweight else 1.0
        factors: F64 = student / quantile * np.sqrt(weights * shortfall)
    factors[blocks < 2] = np.nan
    return factors


def _uniform_quantiles(alpha: float, spec: tuple[str, float], rows: I64) -> F64:
    r"""The quantiles that a normal curve leaves, at any point ever, with probability `alpha`.

    All items: the boundary of a Brownian path from `WHOLE_START` on. Tumbling windows: the i-th
    has the share :math:`\alpha / (i (i + 1))`. Other windows: the i-th section of the stream as
    long as the window has this share, within which the maximum is that of Slepian's process.
    """
    memory = memory_of(spec)
    quantiles: F64 = np.full(len(rows), math.nan)
    if memory == math.inf:
        on = rows >= WHOLE_START
        quantiles[on] = np.sqrt(squared_quantile(alpha) + np.log(rows[on] / WHOLE_START))
        return quantiles
    start = 2 * memory if spec[0] in ("fading", "ewma") else memory
    on = rows >= start
    section = np.floor((rows[on] - start) / memory) + 1
    numbers, which = np.unique(section, return_inverse=True)
    shares = alpha / (numbers * (numbers + 1))
    found = -ndtri(shares / 2) if spec[0] == "tumbling" else _slepian_quantiles(shares)
    quantiles[on] = found[which]
    return quantiles


def _slepian_quantiles(shares: F64) -> F64:
    low, high = np.zeros(len(shares)), np.full(len(shares), 40.0)
    for _ in range(64):
        middle = (low + high) / 2
        above = slepian_tail(middle) > shares
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return high


def slepian_tail(a: F64) -> F64:
    r"""Twice the probability that a window slid by its own length ever shows a mean above `a`.

    In standard errors, over independent normal values:
    :math:`2 (1 - \Phi^2 + \varphi (a \Phi + \varphi))`.

    Examples
    --------
    >>> [round(float(p), 4) for p in slepian_tail(np.array([1.959964, 3.0]))]
    [0.329, 0.032]

    References
    ----------
    Slepian. First passage time for a particular Gaussian process. Annals of Mathematical
    Statistics 32 (1961).
    """
    below, density = ndtr(a), np.exp(-a * a / 2) / math.sqrt(2 * math.pi)
    tail: F64 = 2 * (ndtr(-a) * (1 + below) + density * (a * below + density))
    return tail

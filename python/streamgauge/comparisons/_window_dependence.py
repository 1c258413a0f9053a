"""How many independent items a window of dependent losses is worth; warns of short windows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from streamgauge.types import F64

BLOCKS_IN_WINDOW = 8
"""Number of blocks in a window, at least; a window of fewer items has one block per item."""

CENTRED_WINDOWS = 10
"""Losses are centred in parts of this many windows, so that drifts do not look like dependence."""

LEAST_EFFECTIVE = 16
"""A window worth fewer independent items than this is too short for the dependence of losses."""

LEAST_PER_SKEWNESS = 5
"""Independent items that a window must be worth, over the squared skewness of the losses.

Of rare errors this is about their number: fewer than 5 independent errors are too few.
"""

MOST_SHORTFALL = 4.0
"""Largest factor by which the variance that blocks show is increased."""

LONGER = 4
"""Growth is that from blocks shorter than the longest ones by this factor."""

MOST_GROWTH = 1.8
"""A variance that still grows as much shows dependence over a large part of the window."""


@dataclass(frozen=True, slots=True)
class WindowDependence:
    """The dependence of losses within windows.

    `effective_items` is the number of independent items that a full window of `items` is worth,
    `needed` how many it should be worth.
    `growth` is that of the variance over the last factor of 4 of block lengths, and `shortfall`
    the long-run variance over the one that blocks of the chosen length show; both are 1 unless they
    are larger than their own errors.
    """

    items: int
    effective_items: float
    needed: float
    growth: float
    shortfall: float

    @property
    def warning(self) -> str:
        """The warning that the window is too short; empty if it is not."""
        if not self.effective_items < self.needed:
            return self._slow if self.growth >= MOST_GROWTH else ""
        if self.needed == math.inf:
            return "no item has a loss: a band without width shows nothing of how rare losses are"
        least = math.ceil(self.needed * self.items / self.effective_items)
        if self.growth >= MOST_GROWTH:
            least = max(least, LONGER * self.items)
        rare = self.needed > LEAST_EFFECTIVE
        why = "losses as rare as these" if rare else "a band that can be trusted"
        short = "the window is too short" + (
            " for the dependence of the losses" if not rare else ""
        )
        return (
            f"{short}: its {self.items:,} items "
            f"are worth about {self.effective_items:.0f} independent ones, too few for {why}; use "
            f"a window of {_rounded_up(least):,} items or more"
        )

    @property
    def _slow(self) -> str:
        """The warning that dependence fades too slowly for the window."""
        return (
            "the window is too short for the dependence of the losses, which fades slowly: the "
            f"variance of sums over an eighth of its {self.items:,} items is still "
            f"{self.growth:.1f} times that of sums a quarter as long, per item, so that the band "
            f"may be too narrow; use a window of {_rounded_up(LONGER * self.items):,} items or more"
        )


def memory_of(spec: tuple[str, float]) -> float:
    """Number of items that a window holds once it is full; infinite for all items."""
    kind, number = spec
    if kind in ("sliding", "tumbling"):
        return number
    if kind == "fading" and number < 1:
        return 1 / (1 - number)
    return 1 / number if kind == "ewma" else math.inf


def longest_block(memory: float, count: int) -> float:
    """The longest block of which a window of this memory over `count` losses holds 8."""
    return max(1.0, min(memory, max(count, 1)) / BLOCKS_IN_WINDOW)


def centred(losses: F64, memory: float) -> F64:
    """Losses minus their mean over parts of `CENTRED_WINDOWS` windows.

    Examples
    --------
    >>> centred(np.arange(40.0), 2)[[0, 19, 20, 39]]
    array([-9.5,  9.5, -9.5,  9.5])
    """
    size = round(CENTRED_WINDOWS * memory) if memory < math.inf else len(losses)
    parts = max(1, len(losses) // max(size, 1))
    ends = np.linspace(0, len(losses), parts + 1).astype(np.intp)
    made = [losses[a:b] - losses[a:b].mean() for a, b in pairwise(ends) if b > a]
    return np.concatenate(made) if made else losses


def window_dependence(losses: F64, memory: float, length: float) -> WindowDependence:
    r"""The dependence of losses within windows of this memory, for blocks of this length.

    Pooled over consecutive windows: with :math:`v_\ell` the variance of the means of
    :math:`\ell` items around the mean of their window, times :math:`\ell`, the long-run variance
    is :math:`2 v_\ell - v_{\ell/2}` for :math:`\ell` an eighth of the window, at least
    :math:`v_\ell`. If the growth :math:`v_\ell / v_{\ell/4}` is larger than its own error, the
    shortfall is that of a variance which grows once more as much. A window over all items is
    taken in quarters.

    References
    ----------
    Vats, Flegal. Lugsail lag windows for estimating time-average covariance matrices.
    Biometrika 109 (2022).
    """
    count = len(losses)
    items = round(min(memory, count))
    span = count // 4 if memory == math.inf else items
    longest = span // BLOCKS_IN_WINDOW
    single = _variance(losses, span, 1) if longest >= 2 else 0.0
    if not single > 0:
        needed = math.inf if count and not losses.any() else 0.0
        return WindowDependence(items, float(items), needed, 1.0, 1.0)
    seen = _variance(losses, span, longest)
    variance = max(2 * seen - _variance(losses, span, longest // 2), seen)
    freedom = (count // span) * (span // longest - 1)
    error = 1 + math.sqrt(2 / freedom)
    shorter = _variance(losses, span, max(1, longest // LONGER))
    growth = max(1.0, seen / (shorter * error)) if shorter > 0 else 1.0
    certain = variance * growth / error
    shown = _variance(losses, span, min(max(1, round(length)), longest))
    shortfall = min(max(1.0, certain / shown), MOST_SHORTFALL) if shown > 0 else 1.0
    effective = items * min(1.0, single / variance) if variance > 0 else float(items)
    needed = max(LEAST_EFFECTIVE, LEAST_PER_SKEWNESS * _squared_skewness(losses))
    return WindowDependence(items, effective, needed, growth, shortfall)


def _squared_skewness(values: F64) -> float:
    away = values - values.mean()
    return float(((away / away.std()) ** 3).mean() ** 2)


def _variance(losses: F64, span: int, length: int) -> float:
    """Variance of the means of `length` losses around that of their window, times `length`."""
    windows = losses[: len(losses) // span * span].reshape(-1, span)
    means = windows[:, : span // length * length].reshape(len(windows), -1, length).mean(2)
    return length * float(means.var(axis=1, ddof=1).mean())


def _rounded_up(number: int) -> int:
    """Rounded up to two digits."""
    unit = int(10 ** max(0, len(str(number)) - 2))
    return math.ceil(number / unit) * unit

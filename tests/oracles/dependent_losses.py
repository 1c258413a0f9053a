"""Losses of two learners with dependent errors, by kind of stream: differences A - B."""

from __future__ import annotations

import numpy as np


def runs(rng, n, mean_on, mean_off):
    """Flags that alternate between on and off, with geometric run lengths."""
    pairs = int(n / (mean_on + mean_off) * 1.5) + 50
    lengths = np.empty(2 * pairs, np.int64)
    lengths[::2] = rng.geometric(1 / mean_off, pairs)
    lengths[1::2] = rng.geometric(1 / mean_on, pairs)
    start = int(rng.integers(0, int(mean_on + mean_off) + 1))
    flags = np.repeat(np.arange(2 * pairs) % 2 == 1, lengths)[start : start + n]
    return flags if len(flags) == n else np.resize(flags, n)


def bursts(rng, n, length, error=0.2):
    """Errors in runs of this mean length."""
    return runs(rng, n, length, length * (1 - error) / error)


def regimes(rng, n, length):
    """+1 and -1 in turn, for geometric lengths."""
    return np.where(runs(rng, n, length, length), 1.0, -1.0)


def independent(rng, n, a=0.2, b=0.2):
    return (rng.random(n) < a) * 1.0 - (rng.random(n) < b)


def disagree(rng, n, share=0.02):
    """Learners that agree but for a share of the items."""
    u = rng.random(n)
    return (u < share / 2) * 1.0 - (u > 1 - share / 2)


def in_bursts(rng, n, length, a=0.2, b=0.2):
    return bursts(rng, n, length, a) * 1.0 - bursts(rng, n, length, b)


def shared_regimes(rng, n, length=200):
    error = 0.2 + 0.1 * regimes(rng, n, length)
    return (rng.random(n) < error) * 1.0 - (rng.random(n) < error)


def opposed_regimes(rng, n, length=200, points=0.1, gap=0.0):
    lead = points / 2 * regimes(rng, n, length)
    return (rng.random(n) < 0.2 + lead) * 1.0 - (rng.random(n) < 0.2 + gap - lead)


def heavy(rng, n):
    return np.abs(rng.standard_t(2, n)) - np.abs(rng.standard_t(2, n))


def heavier(rng, n):
    return rng.standard_t(3, n) ** 2 - rng.standard_t(3, n) ** 2


def autoregressive(rng, n, factor=0.9):
    d = rng.normal(size=n)
    for t in range(1, n):
        d[t] += factor * d[t - 1]
    return d


SLOWLY_FADING = 0.22147
"""The mean error of `slowly_fading`: that of a logistic of a normal number around -1.5."""


def slowly_fading(rng, n, time_constant):
    """Errors whose log-odds are autoregressive, with mean -1.5 and standard deviation 1."""
    factor = np.exp(-1 / time_constant)
    noise = rng.normal(size=n) * np.sqrt(1 - factor**2)
    level = rng.normal()
    odds = np.empty(n)
    for t in range(n):
        level = factor * level + noise[t]
        odds[t] = level
    return rng.random(n) < 1 / (1 + np.exp(1.5 - odds))


def lognormal(rng, n, sigma):
    """A constant against a log-normal loss of the same mean."""
    return np.exp(sigma**2 / 2) - rng.lognormal(0, sigma, n)


def rare_bursts(rng, n):
    """Errors of 2 % in runs of 10."""
    return in_bursts(rng, n, 10, 0.02, 0.02)


def outages(rng, n, length, error=0.01):
    """A errs in outages of this mean length, B as often in single items."""
    return bursts(rng, n, length, error) * 1.0 - (rng.random(n) < error)


def periodic(rng, n, period=100):
    """A leads in one half of each period, B in the other, by 20 points."""
    lead = 0.1 * np.where(np.arange(n) // (period // 2) % 2, 1.0, -1.0)
    return (rng.random(n) < 0.3 + lead) * 1.0 - (rng.random(n) < 0.3 - lead)


def long_runs(rng, n):
    """Bursts with heavy-tailed lengths (Pareto, exponent 2.5, mean about 5)."""
    lengths = np.ceil(3 * (1 + rng.pareto(2.5, n // 2))).astype(np.int64)
    u = np.repeat(rng.random(len(lengths)), lengths)[:n]
    return (u < 0.15) * 1.0 - (u > 0.85)


def moving_average(rng, n, width=25):
    """Sums of so many independent numbers."""
    noise = rng.normal(size=n + width)
    total = np.cumsum(noise)
    return total[width:] - total[:-width]

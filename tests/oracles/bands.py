"""Bands, slowly: dependence within windows by loops, factors point by point."""

from __future__ import annotations

import math
from statistics import NormalDist

from scipy import stats

NORMAL = NormalDist()


def memory(spec):
    """Items that a full window holds."""
    kind, number = spec
    if kind in ("sliding", "tumbling"):
        return number
    if kind == "ewma":
        return 1 / number
    return 1 / (1 - number) if kind == "fading" and number < 1 else math.inf


def variance(losses, span, length):
    """Mean over windows of the variance of the means of `length` losses, times `length`."""
    found = []
    for start in range(0, len(losses) - span + 1, span):
        window = losses[start : start + span]
        means = [sum(window[a : a + length]) / length for a in range(0, span - length + 1, length)]
        centre = sum(means) / len(means)
        found.append(sum((m - centre) ** 2 for m in means) / (len(means) - 1))
    return length * sum(found) / len(found)


def dependence(losses, held, length):
    """(items, effective items, needed items, growth, shortfall) of windows that hold so many."""
    n = len(losses)
    items = int(min(held, n))
    span = n // 4 if held == math.inf else items
    batch = span // 8
    if batch < 2 or variance(losses, span, 1) == 0:
        return items, items, 0.0 if any(losses) else math.inf, 1.0, 1.0
    single, long = variance(losses, span, 1), variance(losses, span, batch)
    total = max(long, 2 * long - variance(losses, span, batch // 2))
    shown = variance(losses, span, min(batch, max(1, round(length))))
    windows, batches = n // span, span // batch
    error = 1 + math.sqrt(2 / (windows * (batches - 1)))
    short = variance(losses, span, max(1, batch // 4))
    growth = max(1.0, long / short / error) if short else 1.0
    surely = total * growth / error
    shortfall = min(4.0, max(1.0, surely / shown)) if shown else 1.0
    mean = sum(losses) / n
    second, third = (sum((x - mean) ** k for x in losses) / n for k in (2, 3))
    skewness = third / second**1.5
    effective = items * min(1.0, single / total) if total else items
    return items, effective, max(16, 5 * skewness**2), growth, shortfall


def root(tail, share):
    """Where a falling function is `share`, by bisection."""
    low, high = 0.0, 40.0
    for _ in range(80):
        a = (low + high) / 2
        low, high = (a, high) if tail(a) > share else (low, a)
    return high


def brownian(a):
    return 2 * (NORMAL.cdf(-a) + a * NORMAL.pdf(a))


def slepian(a):
    below, density = NORMAL.cdf(a), NORMAL.pdf(a)
    return 2 * (NORMAL.cdf(-a) * (1 + below) + density * (a * below + density))


def uniform_quantile(alpha, spec, row):
    """The normal quantile of a time-uniform band after `row` losses; NaN before it begins."""
    held = memory(spec)
    if held == math.inf:
        if row < 2000:
            return math.nan
        return math.sqrt(root(brownian, alpha) ** 2 + math.log(row / 2000))
    start = held * (2 if spec[0] in ("fading", "ewma") else 1)
    if row < start:
        return math.nan
    stretch = math.floor((row - start) / held) + 1
    share = alpha / (stretch * (stretch + 1))
    if spec[0] == "tumbling":
        return root(lambda a: 2 * NORMAL.cdf(-a), share)
    return root(slepian, share)


def factor(level, uniform, spec, row, length, equal, weights, shortfall, rows=0):
    """By how much a limit is further from the curve than the quantile of the draws.

    `rows` is the number of all losses, which show the spread of a time-uniform band.
    """
    blocks = min(row, memory(spec)) / length
    quantile = NORMAL.inv_cdf((1 + level) / 2)
    wanted = uniform_quantile(1 - level, spec, row) if uniform else quantile
    if blocks < 2 or math.isnan(wanted):
        return math.nan
    shown_in = rows / length if uniform else blocks
    student = stats.t.isf(NORMAL.cdf(-wanted), shown_in * (1.5 if equal else 1.0))
    few = (blocks + 1) / (blocks - 1) if weights else 1.0
    return student / quantile * math.sqrt(few * shortfall)

"""The three statements about two learners, slowly: every batch a slice, every window a recount."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

NORMAL = NormalDist()


def batches(d, k):
    """Sums of 2^k consecutive items, aligned and half-overlapping."""
    size = 2**k
    return np.lib.stride_tricks.sliding_window_view(d, size)[:: max(1, size // 2)].sum(axis=1)


def spread(d):
    """(long-run variance, effective items, largest batch) of differences."""
    n = len(d)
    mean = d.mean()
    if n < 24 or np.ptp(d) == 0:
        return 0.0, float(n), 1
    top = math.floor(math.log2(n / 24))
    w, single = [], None
    for k in range(top + 1):
        size, m = 2**k, n // 2**k
        sums = batches(d, k)
        v = ((sums - size * mean) ** 2).sum() / (len(sums) * size) * m / (m - 1)
        single = v if k == 0 else single
        w.append(v / (1 + 0.5 * math.sqrt(1.5 / m)))
    r = max(w) / max(w[: max(top - 2, 0) + 1])
    variance = max(w) * r * r
    return variance, n * single / variance, 2**top


def tail(a):
    """Probability of ever crossing the boundary with quantile a."""
    return 2 * (1 - NORMAL.cdf(a) + a * NORMAL.pdf(a))


def quantile(alpha):
    low, high = 0.0, 50.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle) > alpha else (low, middle)
    return high


def long_run(d, alpha, spell, start=None):
    """(status, low, high, effective items) of the whole series."""
    d = np.asarray(d, np.float64)
    n = len(d)
    open_interval = (-math.inf, math.inf)
    if start is None:
        start = 10 * spell
        if n < start:
            return "too few items", *open_interval, math.nan
    if not d.any():
        return "always equal", *open_interval, math.nan
    mean = d.mean()
    variance, effective, largest = spread(d)
    if effective < 100:
        return "too few effective items", *open_interval, effective
    b = quantile(alpha) ** 2 + math.log(n / start)
    f = max(0, spell - largest)
    radius = math.sqrt(variance * b / (n - f * b)) if n > f * b else math.inf
    low, high = mean - radius, mean + radius
    if -np.sign(mean) * (d**3).sum() > 0.1 * (d**2).sum() ** 1.5:
        return (
            "undecided, one-sided tail",
            -math.inf if mean > 0 else low,
            math.inf if mean < 0 else high,
            effective,
        )
    return "decided" if low > 0 or high < 0 else "undecided", low, high, effective


def stretches(losses, length):
    """The sums of losses in stretches of so many items that each begin with a loss."""
    found, end = [], 0
    for item, loss in enumerate(losses):
        if loss > 0 and item >= end:
            end = item + length
            found.append(losses[item:end].sum())
    return found


def few_losses(d, winner, spell):
    """(effective stretches, lead, outages) of the caveat of winner 0 (A) or 1; None without one."""
    x = stretches(np.maximum(d if winner == 0 else -d, 0), spell // 4)
    effective = sum(x) ** 2 / sum(one * one for one in x) if x else 0
    lead = abs(d.sum())
    outages = lead / (spell * (d**2).sum() / np.abs(d).sum())
    return (effective, lead, outages) if effective < 9 and outages <= 3 else None


def bets():
    """(size, share) of each bet."""
    sizes = [0.98 * 2 ** (-k / 2) for k in range(32)]
    near = [1 / (1 + ((k - 8) / 4) ** 2) for k in range(32)]
    return [
        (size, 0.5 * h / sum(near) + 0.5 * size / sum(sizes))
        for size, h in zip(sizes, near, strict=True)
    ]


def log_wealth(x, total=0.0):
    """Logarithm of the mean wealth after bets on each x, against a sum of expectations."""
    logs = [
        math.log(share) + sum(math.log1p(size * one) for one in x) - size * total
        for size, share in bets()
    ]
    top = max(logs)
    return top + math.log(sum(math.exp(each - top) for each in logs))


def so_far(d, alpha, bound=1.0):
    """(log e-value of A, of B, low, high), by bisection."""
    x = [one / bound for one in d]
    threshold = math.log(2 / alpha)

    def least(values):
        low, high = -2.0 * len(values) - 1000, 2.0 * len(values) + 1000
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if log_wealth(values, middle) >= threshold else (low, middle)
        return high

    n = len(x)
    mirrored = [-one for one in x]
    low, high = least(x) * bound / n, -least(mirrored) * bound / n
    return log_wealth(mirrored), log_wealth(x), max(low, -bound), min(high, bound)


def windows(d, alpha, spell):
    """(length, mean, low, high, decided) of every window that ends now, shortest first."""
    found, n, j = [], len(d), 0
    while 2048 * 2**j <= n:
        w = 2048 * 2**j
        for start in range(0, n, w // 2):
            if w <= n - start < 2 * w:
                i = start // (w // 2) + 1
                share = alpha / ((j + 1) * (j + 2)) / (i * (i + 1))
                status, low, high, _ = long_run(d[start:], share, spell, w)
                found.append((n - start, d[start:].mean(), low, high, status == "decided"))
        j += 1
    return sorted(found)


def now(d, alpha, spell):
    """(mean, length) of the shortest window that decides; None if none does."""
    deciding = [
        (mean, length) for length, mean, _, _, decided in windows(d, alpha, spell) if decided
    ]
    return deciding[0] if deciding else None


def watched(d, alphas, spell):
    """When A, and B, won the long run at each level: first, and since when; a step is n / 192."""
    first, since = ([[None] * len(alphas), [None] * len(alphas)] for _ in range(2))
    n, checks = 10 * spell, []
    while n < len(d):
        checks.append(n)
        n += max(1, 2 ** (math.floor(math.log2(n / 24)) - 3))
    for n in [*checks, len(d)] if len(d) else []:
        for level, alpha in enumerate(alphas):
            status, _, high, _ = long_run(d[:n], alpha, spell)
            for side in (0, 1):
                if status == "decided" and (high < 0) == (side == 0):
                    first[side][level] = first[side][level] or n
                    since[side][level] = since[side][level] or n
                else:
                    since[side][level] = None
    return first, since


def p(d, spell):
    """The level at which the long run is just decided, by bisection."""
    if long_run(d, 0.9999, spell)[0] != "decided":
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if long_run(d, middle, spell)[0] == "decided" else (middle, high)
    return high

"""Mean, standard deviation, interval and bands over repetitions: slow and obvious."""

from __future__ import annotations

import math
from fractions import Fraction

from scipy import stats


def moments(values):
    """Mean and sample standard deviation, exact until the last step."""
    if any(math.isnan(v) or math.isinf(v) for v in values):
        return sum(values) / len(values), math.nan
    exact = [Fraction(v) for v in values]
    mean = sum(exact) / len(exact)
    if len(exact) == 1:
        return float(mean), math.nan
    variance = sum((v - mean) ** 2 for v in exact) / (len(exact) - 1)
    return float(mean), root(variance)


def root(square):
    """The square root of a fraction that may be too large or too small for a float."""
    if square == 0:
        return 0.0
    scale = 0
    while square > 10**20:
        square /= 10**20
        scale += 10
    while square < Fraction(1, 10**20):
        square *= 10**20
        scale -= 10
    return math.sqrt(square) * 10.0**scale


def interval(values, level):
    """The t interval of the mean; none for one value, or for equal values."""
    mean, sd = moments(values)
    n = len(values)
    if n < 2 or not sd > 0:
        return math.nan, math.nan
    return tuple(float(x) for x in stats.t.interval(level, n - 1, mean, sd / math.sqrt(n)))


def mean_curve(curves, level=None):
    """Points (position, mean, low, high) of curves, each a list of (position, value).

    The value of a curve at a position is its latest at or before it.
    """
    if any(not curve for curve in curves):
        return []
    begin = max(curve[0][0] for curve in curves)
    end = min(curve[-1][0] for curve in curves)
    points = []
    for at in sorted({p for curve in curves for p, _ in curve if begin <= p <= end}):
        values = [[v for p, v in curve if p <= at][-1] for curve in curves]
        mean, sd = moments(values)
        if level is None:
            low, high = mean - sd, mean + sd
        else:
            low, high = interval(values, level) if sd else (mean, mean)
        points.append((at, mean, low, high))
    return points


def verdict(losses_a, losses_b, alpha):
    """Which learner the paired t test over repetitions favours: "a", "b" or None; and its p."""
    differences = [Fraction(a) - Fraction(b) for a, b in zip(losses_a, losses_b, strict=True)]
    if len(differences) < 2 or len(set(differences)) == 1:
        return None, math.nan
    p = float(stats.ttest_rel(losses_a, losses_b).pvalue)
    return (None if p >= alpha else "a" if sum(differences) < 0 else "b"), p

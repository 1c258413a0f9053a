"""Recovery analysis, computed slowly and plainly: one point, one item at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence

NEAR = 1e-9


def share_of_old(t: int, t0: float, width: float) -> float:
    """Eq. 2 at t = 1, 2, …; a step with 1/2 at t0 if the width is 0."""
    away = t - t0
    if width == 0:
        return 0.5 if away == 0 else (1.0 if away < 0 else 0.0)
    exponent = 4 * away / width
    if exponent > 700:
        return 0.0
    if exponent < -700:
        return 1.0
    return 1 / (1 + math.exp(exponent))


def mixture(
    a: Sequence[object], b: Sequence[object], draws: Sequence[float], t0: float, width: float
) -> list[object]:
    """Eq. 1: position by position; A if the draw is below the share of A."""
    found = []
    for t in range(1, min(len(a), len(b)) + 1):
        take_a = draws[t - 1] < share_of_old(t, t0, width)
        found.append(a[t - 1] if take_a else b[t - 1])
    return found


def width_of(theta: float, items: int) -> float:
    return 0.0 if theta == math.pi / 2 else items / (100 * math.tan(theta))


def level(curve: Sequence[float], share: float = 0.1) -> float:
    """Mean of the last share of the points, at least one; undefined points are left out."""
    count = max(1, math.ceil(share * len(curve) - NEAR)) if curve else 0
    kept = [value for value in curve[len(curve) - count :] if not math.isnan(value)]
    return sum(kept) / len(kept) if kept else math.nan


def bound(
    shares: Sequence[float],
    a: Sequence[float],
    b: Sequence[float],
    worst_a: float,
    worst_b: float,
    better: str,
    root: bool,
) -> list[float]:
    """Eq. 4 to 7 as corrected; `a` and `b` are curves or levels written out."""
    found = []
    for share, own_a, own_b in zip(shares, a, b, strict=True):
        if root:
            by_a = math.sqrt(own_a**2 * share + worst_a**2 * (1 - share))
            by_b = math.sqrt(own_b**2 * (1 - share) + worst_b**2 * share)
        else:
            by_a = own_a * share + worst_a * (1 - share)
            by_b = own_b * (1 - share) + worst_b * share
        if math.isnan(by_a) or math.isnan(by_b):
            found.append(math.nan)
        else:
            found.append(max(by_a, by_b) if better == "high" else min(by_a, by_b))
    return found


def is_below(value: float, reference: float, better: str, share: float = 0.95) -> bool:
    """Worse than the reference by more than 1 - share of it; an undefined value is not."""
    if math.isnan(value) or math.isnan(reference):
        return False
    slack = (1 - share) * abs(reference)
    limit = reference - slack if better == "high" else reference + slack
    if math.isclose(value, limit, rel_tol=NEAR, abs_tol=0.0):
        return False
    return value < limit if better == "high" else value > limit


def duration(
    a: Sequence[float],
    b: Sequence[float],
    c: Sequence[float],
    better: str,
    sustained: bool = False,
    share: float = 0.95,
    start: int = 1,
) -> tuple[float, int, int, str]:
    """(t2 - t1) / T, t1, t2 (from 1 on; 0 if there is none) and how it ended.

    The drift begins at the point `start`: what is below before it is no drop.
    """
    T = len(c)
    defined = [t for t in range(T) if not any(math.isnan(x[t]) for x in (a, b, c))]
    if not defined:
        return math.nan, 0, 0, "undefined"
    t1 = 0
    for t in range(start, T + 1):
        if is_below(c[t - 1], a[t - 1], better, share):
            t1 = t
            break
    if t1 == 0:
        return 0.0, 0, 0, "no drop"
    below = [t for t in range(t1, T + 1) if is_below(c[t - 1], b[t - 1], better, share)]
    if not below:
        return 0.0, t1, t1, "recovered"
    if sustained:
        t2 = below[-1] + 1
        if t2 > T:
            return (T - t1) / T, t1, T, "not recovered"
        return (t2 - t1) / T, t1, t2, "recovered"
    t = below[0]
    while t <= T:
        if not is_below(c[t - 1], b[t - 1], better, share):
            return (t - t1) / T, t1, t, "recovered"
        t += 1
    return (T - t1) / T, t1, T, "not recovered"


def baseline(a: float, b: float, better: str) -> float:
    if math.isnan(a) or math.isnan(b):
        return math.nan
    return min(a, b) if better == "high" else max(a, b)


def maximum_loss(
    a: Sequence[float], b: Sequence[float], c: Sequence[float], better: str
) -> tuple[float, int]:
    """Eq. 8 and its analogue for losses, with the point (from 1 on; 0 if there is none)."""
    best, at = math.nan, 0
    for t in range(len(c)):
        S = baseline(a[t], b[t], better)
        if math.isnan(S) or math.isnan(c[t]):
            continue
        worse_by = S - c[t] if better == "high" else c[t] - S
        if S == 0:
            if better == "high" or c[t] <= 0:
                continue
            loss = math.inf
        else:
            loss = worse_by / abs(S)
        if math.isnan(best) or loss > best:
            best, at = loss, t + 1
    return best, at


def differences(
    a: Sequence[float], b: Sequence[float], c: Sequence[float], better: str
) -> list[tuple[int, float]]:
    found = []
    for t in range(len(c)):
        S = baseline(a[t], b[t], better)
        if not math.isnan(S) and not math.isnan(c[t]):
            found.append((t + 1, S - c[t] if better == "high" else c[t] - S))
    return found


def depth(
    a: Sequence[float], b: Sequence[float], c: Sequence[float], better: str
) -> tuple[float, int]:
    """The largest difference to the baseline, and its point."""
    best, at = math.nan, 0
    for t, worse_by in differences(a, b, c, better):
        if math.isnan(best) or worse_by > best:
            best, at = worse_by, t
    return best, at


def area(a: Sequence[float], b: Sequence[float], c: Sequence[float], better: str) -> float:
    """Mean over the points of the difference to the baseline where it is positive."""
    found = [max(0.0, worse_by) for _, worse_by in differences(a, b, c, better)]
    return sum(found) / len(found) if found else math.nan


def decline(c: Sequence[float], at: Sequence[float], t1: int, t2: int, better: str) -> float:
    """Deterioration per item from the point before t1 to the worst one up to t2."""
    if t1 == 0:
        return math.nan
    start = max(t1 - 1, 1)
    worst, where = math.nan, 0
    for t in range(t1, t2 + 1):
        value = c[t - 1]
        if math.isnan(value):
            continue
        if math.isnan(worst) or (value < worst if better == "high" else value > worst):
            worst, where = value, t
    if where == 0 or at[where - 1] == at[start - 1]:
        return math.nan
    drop = c[start - 1] - worst if better == "high" else worst - c[start - 1]
    return drop / (at[where - 1] - at[start - 1])


def mean_share(t0: float, width: float, first: int, last: int) -> float:
    """Mean share of A over the items first, …, last, counted from 1."""
    shares = [share_of_old(t, t0, width) for t in range(first, last + 1)]
    return sum(shares) / len(shares)

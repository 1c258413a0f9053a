"""Alarms and known drifts: the matching and every measure of it, slow and obvious.

A drift is (start, end), items count from 0, `w` is the tolerance W and `n` the number of items.
DEFINITIONS are those of the papers: Haug and others (2022), Bifet and others (2013), Gama and
others (2013).
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise
from statistics import fmean

NAN, INF = math.nan, math.inf


def ordered(alarms, drifts):
    """Alarms without duplicates, and drifts, in order."""
    return sorted(set(alarms)), sorted(drifts)


def window(drift, n, w):
    """The items of the acceptance window of a drift."""
    start, end = drift
    return [t for t in range(start, end + w + 1) if t < n]


def match(alarms, drifts, n, w):
    """Drift -> its alarm or None. Each alarm goes to the open window that ends first."""
    alarms, drifts = ordered(alarms, drifts)
    taken = [None] * len(drifts)
    for alarm in alarms:
        fitting = [
            (window(drift, n, w)[-1], i)
            for i, drift in enumerate(drifts)
            if taken[i] is None and alarm in window(drift, n, w)
        ]
        if fitting:
            taken[min(fitting)[1]] = alarm
    return taken


def most_matched(alarms, drifts, n, w):
    """The largest number of drifts with an alarm of their own, by trying all sets of drifts."""
    alarms, drifts = ordered(alarms, drifts)
    fits = [[a for a in alarms if a in window(d, n, w)] for d in drifts]

    def works(chosen, used=frozenset()):
        if not chosen:
            return True
        return any(works(chosen[1:], used | {a}) for a in fits[chosen[0]] if a not in used)

    sizes = range(len(drifts), -1, -1)
    return next(k for k in sizes if any(works(c) for c in combinations(range(len(drifts)), k)))


def false_alarms(alarms, drifts, n, w):
    """The alarms in no window."""
    alarms, drifts = ordered(alarms, drifts)
    return [a for a in alarms if not any(a in window(d, n, w) for d in drifts)]


def free_items(drifts, n, w):
    """Number of items in no window."""
    return sum(not any(t in window(d, n, w) for d in drifts) for t in range(n))


def quotient(a, b):
    """a / b; NaN for 0/0."""
    if b == 0:
        return INF if a > 0 else NAN
    return a / b


def mean(values):
    """The mean; NaN of nothing."""
    values = list(values)
    return fmean(values) if values else NAN


def until_next(alarms, drifts, n):
    """For each drift the first alarm before the next drift or the end; None for none."""
    alarms, drifts = ordered(alarms, drifts)
    found = []
    for i, (start, _) in enumerate(drifts):
        stop = drifts[i + 1][0] if i + 1 < len(drifts) else n
        found.append(next((a for a in alarms if start <= a < stop), None))
    return found


def dcr(alarms, drifts, n, w, exclusive=False):
    """Eq. 4, closed interval; exclusive: only the most recent drift before the alarm counts."""
    alarms, drifts = ordered(alarms, drifts)
    hits = []
    for i, drift in enumerate(drifts):
        own = [a for a in alarms if a in window(drift, n, w)]
        if exclusive:
            own = [a for a in own if max(j for j, d in enumerate(drifts) if d[0] <= a) == i]
        hits.append(bool(own))
    return mean(hits)


def fdr(alarms, drifts, n, w):
    """Eq. 5: the share of alarms in no window; 0 without alarms."""
    alarms, _ = ordered(alarms, drifts)
    return len(false_alarms(alarms, drifts, n, w)) / len(alarms) if alarms else 0.0


def mtfa(alarms, drifts, n, w):
    """Mean difference of consecutive false alarms; the length with fewer than two."""
    false = false_alarms(alarms, drifts, n, w)
    return mean(b - a for a, b in pairwise(false)) if len(false) > 1 else float(n)


def mean_delay(alarms, drifts, n, w, until=False):
    """First alarm in the window minus start; until: to the next drift, misses count it all."""
    alarms, drifts = ordered(alarms, drifts)
    delays = []
    for i, drift in enumerate(drifts):
        if until:
            stop = drifts[i + 1][0] if i + 1 < len(drifts) else n
            own = [a for a in alarms if drift[0] <= a < stop]
            delays.append((own[0] if own else stop) - drift[0])
        else:
            own = [a for a in alarms if a in window(drift, n, w)]
            delays += [own[0] - drift[0]] if own else []
    return mean(delays)


def mtr(alarms, drifts, n, w, exclusive=False, until=False):
    """Eq. 6. No drift: NaN; none detected: 0; no delay: infinite."""
    detected = dcr(alarms, drifts, n, w, exclusive)
    if not drifts:
        return NAN
    if detected == 0:
        return 0.0
    delay = mean_delay(alarms, drifts, n, w, until)
    return INF if delay == 0 else mtfa(alarms, drifts, n, w) / delay * detected


def bifet_mtfa(alarms, drifts, n, w):
    """Items at which an alarm would be false, by trying each; per false alarm."""
    alarms, drifts = ordered(alarms, drifts)
    first = until_next(alarms, drifts, n)
    exposed = 0
    for t in range(n):
        begun = [i for i, d in enumerate(drifts) if d[0] <= t]
        if not begun or (first[begun[-1]] is not None and first[begun[-1]] < t):
            exposed += 1
    return quotient(exposed, len([a for a in alarms if a not in first]))


def bifet_mtd(alarms, drifts, n, w):
    """Mean delay to the first alarm before the next drift."""
    first = until_next(alarms, drifts, n)
    starts = [d[0] for d in sorted(drifts)]
    return mean(a - s for a, s in zip(first, starts, strict=True) if a is not None)


def bifet_mdr(alarms, drifts, n, w):
    """Share of drifts without an alarm before the next."""
    return mean(a is None for a in until_next(alarms, drifts, n))


def bifet_mtr(alarms, drifts, n, w):
    """MTFA / MTD x (1 - MDR); 0 if all are missed."""
    missed = bifet_mdr(alarms, drifts, n, w)
    if missed == 1 or math.isnan(missed):
        return 1 - missed
    time = bifet_mtfa(alarms, drifts, n, w)
    delay = bifet_mtd(alarms, drifts, n, w)
    return quotient(time * (1 - missed), delay)


def gama_delay(alarms, drifts, n, w):
    """First alarm after c minus c, c the last item of the old concept."""
    first = until_next(alarms, drifts, n)
    lasts = [d[0] - 1 for d in sorted(drifts)]
    return mean(a - c for a, c in zip(first, lasts, strict=True) if a is not None)


def mtfa_exposure(alarms, drifts, n, w, censored=False):
    """Items in no window per false alarm."""
    free, false = free_items(drifts, n, w), len(false_alarms(alarms, drifts, n, w))
    return float(free) if censored and not false and free else quotient(free, false)


def counts(alarms, drifts, n, w):
    """Matched alarms, alarms in no window, repeated alarms in a window, missed drifts."""
    taken = match(alarms, drifts, n, w)
    hits = sum(a is not None for a in taken)
    false = len(false_alarms(alarms, drifts, n, w))
    return hits, false, len(set(alarms)) - hits - false, len(drifts) - hits


def precision(alarms, drifts, n, w, ignore=False):
    """Matched alarms / alarms."""
    hits, false, repeated, _ = counts(alarms, drifts, n, w)
    return quotient(hits, hits + false + (0 if ignore else repeated))


def recall(alarms, drifts, n, w):
    """Matched drifts / drifts."""
    hits, _, _, missed = counts(alarms, drifts, n, w)
    return quotient(hits, hits + missed)


def f1(alarms, drifts, n, w, ignore=False):
    """2 matched / (2 matched + wrong + missed)."""
    hits, false, repeated, missed = counts(alarms, drifts, n, w)
    return quotient(2 * hits, 2 * hits + false + (0 if ignore else repeated) + missed)


def fdp_matched(alarms, drifts, n, w):
    """Unmatched alarms / alarms."""
    hits, false, repeated, _ = counts(alarms, drifts, n, w)
    return quotient(false + repeated, hits + false + repeated)


def false_alarm_rate(alarms, drifts, n, w, per=1000, everywhere=False):
    """False alarms per so many items."""
    items = n if everywhere else free_items(drifts, n, w)
    return quotient(per * len(false_alarms(alarms, drifts, n, w)), items)


def missed_drifts(alarms, drifts, n, w):
    """Drifts without an alarm of their own."""
    return float(counts(alarms, drifts, n, w)[3]) if drifts else NAN


def restricted_mean_delay(alarms, drifts, n, w, horizon=None):
    """The sum of S(t) for t below the horizon, S by Kaplan and Meier, one t after the other."""
    if not drifts:
        return NAN
    drifts = sorted(drifts)
    if horizon is None:
        horizon = max(end - start for start, end in drifts) + w + 1
    taken = match(alarms, drifts, n, w)
    share, area = 1.0, 0.0
    for t in range(horizon):
        at_risk = events = 0
        for (start, end), alarm in zip(drifts, taken, strict=True):
            if alarm is not None:
                at_risk += alarm - start >= t
                events += alarm - start == t
            elif end + w <= n - 1:
                at_risk += 1  # observed to the end of its window: the delay is longer
            else:
                at_risk += n - 1 - start >= t
        if events:
            share *= 1 - events / at_risk
        area += share
    return area


def chance(k, m, n):
    """Probability that one of k random items of n is among m, in exact fractions."""
    return 1 - Fraction(math.comb(n - m, k), math.comb(n, k)) if k <= n else 1


def lift(alarms, drifts, n, w):
    """Drifts with an alarm in their window, over that number by chance."""
    alarms, drifts = ordered(alarms, drifts)
    windows = [window(d, n, w) for d in drifts]
    expected = sum(chance(len(alarms), len(items), n) for items in windows)
    return quotient(sum(any(a in items for a in alarms) for items in windows), float(expected))


def alarm_lift(alarms, drifts, n, w):
    """Alarms in windows, over that number by chance."""
    alarms, drifts = ordered(alarms, drifts)
    inside = len(alarms) - len(false_alarms(alarms, drifts, n, w))
    share = 1 - Fraction(free_items(drifts, n, w), n)
    return quotient(inside, float(len(alarms) * share))

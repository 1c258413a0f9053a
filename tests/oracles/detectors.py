"""The detectors, slow and obvious: whatever can be counted again from the losses themselves is.

Each takes a column of losses and gives a state a loss: 0 quiet, 1 warning, 2 alarm.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np

from oracles.draws import mix

QUIET, WARNING, ALARM = 0, 1, 2


def estimates(losses, kind, parameter):
    """The error after each loss: over the whole stream, the last so many, or fading."""
    for i in range(len(losses)):
        seen = [float(x) for x in losses[: i + 1]]
        if kind == "sliding":
            seen = seen[-int(parameter) :]
        if kind == "fading":
            total = count = 0.0
            for x in seen:
                total, count = x + parameter * total, 1 + parameter * count
            yield total / count
        else:
            yield math.fsum(seen) / len(seen)


def page_hinkley(losses, delta, threshold, anew=False):
    """DEFINITIONS 002-11 to 002-14: the running mean, >=, M = min(m_1..m_t)."""
    states, seen = [], []
    for x in losses:
        seen.append(float(x))
        sums, m = [], 0.0
        for t in range(1, len(seen) + 1):
            m = m + seen[t - 1] - sum(seen[:t]) / t - delta
            sums.append(m)
        states.append(ALARM if sums[-1] - min(sums) >= threshold else QUIET)
        if anew and states[-1] == ALARM:
            seen = []
    return states


def ratio(losses, short, long, delta, threshold, anew=False):
    """Algorithm 4: Page-Hinkley over the short-term error divided by the long-term one."""
    states, start = [], 0
    while start < len(losses):
        rest = losses[start:]
        pairs = zip(estimates(rest, *short), estimates(rest, *long), strict=True)
        ratios = [1.0 if b == 0 else a / b for a, b in pairs]
        found = page_hinkley(ratios, delta, threshold)
        stop = found.index(ALARM) + 1 if anew and ALARM in found else len(rest)
        states += found[:stop]
        start += stop
    return states


def ddm(losses, warning, alarm, warm_up):
    """Gama and others (2004): p + s against the smallest p + s since the last alarm."""
    states, seen, least = [], [], None
    for x in losses:
        seen.append(float(x))
        n = len(seen)
        p = sum(seen) / n
        s = math.sqrt(p * (1 - p) / n)
        state = QUIET
        if n > warm_up:
            if least is None or p + s <= sum(least):
                least = (p, s)
            if p + s > least[0] + alarm * least[1]:
                state = ALARM
            elif p + s > least[0] + warning * least[1]:
                state = WARNING
        states.append(state)
        if state == ALARM:
            seen, least = [], None
    return states


def eddm(losses, warning, alarm, warm_up):
    """Baena-García and others (2006): distance between errors, against its largest mean + 2 s.

    An error decides; what it decided holds until the next one.
    """
    states, at, n, largest, state = [], [0], 0, -1.0, QUIET
    for x in losses:
        n += 1
        if x == 1:
            state = QUIET
            at.append(n)
            gaps = [b - a for a, b in pairwise(at)]
            if n > warm_up:
                k, total, squares = len(gaps), sum(gaps), sum(g * g for g in gaps)
                spread = (k * squares - total * total) / (k * (k - 1)) if k > 1 else 0.0
                level = total / k + 2 * math.sqrt(spread)
                if level > largest:
                    largest = level
                elif k > warm_up and level / largest < alarm:
                    state = ALARM
                elif k > warm_up and level / largest < warning:
                    state = WARNING
        states.append(state)
        if state == ALARM:
            at, n, largest, state = [0], 0, -1.0, QUIET
    return states


def hddm_a(losses, warning, alarm, two_sided):
    """Frías-Blanco and others (2015), A-test: the mean of all against that at the cut."""

    def edge(part, sign):
        bound = math.sqrt(1.0 / (2 * len(part)) * math.log(1.0 / alarm))
        return sum(part) / len(part) + sign * bound

    def moved(part, sign, confidence):
        if len(part) == len(seen):
            return False
        m = (len(seen) - len(part)) / len(part) * (1.0 / len(seen))
        bound = math.sqrt(m / 2 * math.log(2.0 / confidence))
        return sign * (sum(seen) / len(seen) - sum(part) / len(part)) >= bound

    states, seen, low, high = [], [], None, None
    for x in losses:
        seen.append(float(x))
        if low is None or edge(low, 1) >= edge(seen, 1):
            low = list(seen)
        if high is None or edge(high, -1) <= edge(seen, -1):
            high = list(seen)
        sides = [(low, 1), (high, -1)][: 1 + two_sided]
        state = QUIET
        if any(moved(part, sign, alarm) for part, sign in sides):
            state = ALARM
        elif any(moved(part, sign, warning) for part, sign in sides):
            state = WARNING
        states.append(state)
        if state == ALARM:
            seen, low, high = [], None, None
    return states


def hddm_w(losses, warning, alarm, weight, two_sided, first_weight_is_1=True):
    """Frías-Blanco and others (2015), W-test: weighted means before and after the cut.

    river lets the first loss count as if there had been one before it: `first_weight_is_1=False`.
    """

    def mean(part):
        value = part[0]
        for x in part[1:]:
            value = weight * x + (1 - weight) * value
        return value

    def squares(part):
        """The squared weights of the losses in the mean, added up."""
        value = 1.0
        for _ in part[1:] if first_weight_is_1 else part:
            value = weight * weight + (1 - weight) ** 2 * value
        return value

    def bound(squared, confidence):
        return math.sqrt(squared * math.log(1 / confidence) / 2)

    def moved(before, after, sign, confidence):
        if not before or not after:
            return False
        gap = sign * (mean(after) - mean(before))
        return gap > bound(squares(before) + squares(after), confidence)

    def side(sign):
        """The losses before the best cut, and after it."""
        best, before, after = math.inf, [], []
        for t in range(1, len(seen) + 1):
            part = seen[:t]
            edge = sign * mean(part) + bound(squares(part), alarm)
            if edge < best:
                best, before, after = edge, part, []
            else:
                after = [*after, part[-1]]
        return before, after, sign

    states, seen = [], []
    for x in losses:
        seen.append(float(x))
        sides = [side(sign) for sign in (1, -1)[: 1 + two_sided]]
        state = QUIET
        if any(moved(*s, alarm) for s in sides):
            state = ALARM
        elif any(moved(*s, warning) for s in sides):
            state = WARNING
        states.append(state)
        if state == ALARM:
            seen = []
    return states


def rddm(losses, warning, alarm, warm_up, longest, keep, patience):
    """Barros and others (2017), as in MOA: DDM that shortens a long concept, and long warnings.

    After an alarm it goes on from the losses since the warning began (or from the last alone).
    """
    states, kept, seen = [], [], []
    least, warned, lost = None, None, False  # when the warning began; its loss is no longer kept
    for t, x in enumerate(losses):
        kept = [*kept, float(x)][-keep:]
        seen.append(float(x))
        if warned is not None and t - warned >= keep:
            lost = True
        state, rebuild = QUIET, False
        n = len(seen)
        p = sum(seen) / n
        s = math.sqrt(p * (1 - p) / n)
        if n + 1 > warm_up:
            if least is None or p + s < sum(least):
                least = (p, s)
            if p + s > least[0] + alarm * least[1]:
                state = ALARM
                if warned is None:
                    kept = kept[-1:]
            elif p + s > least[0] + warning * least[1]:
                if warned is not None and warned + patience <= t:
                    state, warned, kept = ALARM, None, kept[-1:]
                else:
                    state = WARNING
                    if warned is None:
                        warned, lost = t, False
            else:
                warned = None
            rebuild = n + 1 > longest and state == QUIET
        states.append(state)
        if state == ALARM or rebuild:
            if warned is not None and not lost:
                kept = kept[-(t - warned + 1) :]
            seen, warned = list(kept), None
            if state == ALARM:
                least = None
                for n in range(warm_up + 1, len(seen) + 1):
                    p = sum(seen[:n]) / n
                    s = math.sqrt(p * (1 - p) / n)
                    if least is None or p + s < sum(least):
                        least = (p, s)
    return states


def adwin(losses, delta, clock, buckets, shortest, grace, anew):
    """Bifet and Gavaldà (2007), ADWIN2: losses in buckets of 1, 2, 4, …; every cut between two."""
    steps = adwin_steps(losses, delta, clock, buckets, shortest, grace, anew)
    return [state for state, _ in steps]


def adwin_steps(losses, delta, clock, buckets, shortest, grace, anew, least=None):
    """After each loss the state, and the mean of the window."""
    rows, ticks = [[]], 0
    for x in losses:
        rows[0].append([float(x)])
        ticks += 1
        for i in range(len(rows)):
            if len(rows[i]) > buckets:
                if i + 1 == len(rows):
                    rows.append([])
                rows[i + 1].append(rows[i][0] + rows[i][1])
                del rows[i][:2]
        state = QUIET
        if ticks % clock == 0 and sum(len(b) for row in rows for b in row) > grace:
            while _cut(rows, delta, shortest, least):
                state = ALARM
                del rows[-1][0]
                if not rows[-1]:
                    del rows[-1]
        window = [x for row in rows for bucket in row for x in bucket]
        yield state, math.fsum(window) / len(window)
        if anew and state == ALARM:
            rows, ticks = [[]], 0


def _cut(rows, delta, shortest, least=None):
    """Whether the means on both sides of some cut differ by more than the bound."""
    least = shortest if least is None else least
    held = [bucket for row in reversed(rows) for bucket in row]
    window = [x for bucket in held for x in bucket]
    spread = float(np.var(window))
    confidence = math.log(2 * math.log(len(window)) / delta)
    at = 0
    for bucket in held[:-1]:
        at += len(bucket)
        old, new = window[:at], window[at:]
        if len(old) < least or len(new) < least:
            continue
        m = 1 / (len(old) - shortest + 1) + 1 / (len(new) - shortest + 1)
        bound = math.sqrt(2 * m * spread * confidence) + 2 / 3 * confidence * m
        if abs(math.fsum(old) / len(old) - math.fsum(new) / len(new)) > bound:
            return True
    return False


def uniform(seed, t):
    return (mix(mix(seed) ^ t) >> 11) / 2**53


def distance(a, b):
    """Kolmogorov-Smirnov of two columns of equal length, times that length."""
    return max(abs(sum(y <= x for y in a) - sum(y <= x for y in b)) for x in [*a, *b])


@cache
def chance(n, gap):
    """Probability that two columns of n differ by at least `gap`: every merge of them, counted."""
    near = {0: 1}  # how far the merge is ahead with the one column -> in how many ways, so far
    for _ in range(2 * n):
        further = {}
        for ahead, ways in near.items():
            for step in (-1, 1):
                if abs(ahead + step) < gap:
                    further[ahead + step] = further.get(ahead + step, 0) + ways
        near = further
    return float(1 - Fraction(near.get(0, 0), math.comb(2 * n, n)))


def kswin(losses, alpha, window, recent, seed, anew):
    """Raab and others (2020): Kolmogorov-Smirnov, recent losses against a draw of older ones.

    As in river: by the exact p-value, and a distance above 0.1.
    """
    states, held = [], []
    for t, x in enumerate(losses):
        held = [*held, float(x)][-window:]
        state = QUIET
        if len(held) == window:
            old, new = held[:-recent], held[-recent:]
            for i in range(recent):
                j = i + int(uniform(seed, t * recent + i) * (len(old) - i))
                old[i], old[j] = old[j], old[i]
            gap = distance(old[:recent], new)
            if chance(recent, gap) <= alpha and gap / recent > 0.1:
                state = ALARM
                held = [] if anew else new
        states.append(state)
    return states


def random_alarms(losses, p, warm_up, seed):
    """DEFINITIONS 001-16: an alarm iff count >= warm_up and u_t < p; then the count is 0."""
    states, count = [], 0
    for t in range(len(losses)):
        count += 1
        states.append(ALARM if count >= warm_up and uniform(seed, t) < p else QUIET)
        if states[-1] == ALARM:
            count = 0
    return states


def delays(alarms, drift):
    """DEFINITIONS 002-18: false alarms up to the drift; how long after it the first came."""
    false = [a for a in alarms if a <= drift]
    hits = [a - drift for a in alarms if a > drift]
    return len(false), hits[0] if hits else None

"""Statistics of two learners, Holm's correction and block resampling: every sum a loop."""

from __future__ import annotations

import math
from fractions import Fraction

from oracles.draws import mix
from oracles.verdicts import bets
from oracles.windows import points, weights


def meet(a, b):
    """Rows (item, label, predictions of A and B) of common items, in A's order, and the others."""
    there = {item: prediction for item, _, prediction in b}
    both = [(item, label, made, there[item]) for item, label, made in a if item in there]
    return both, len(a) - len(both), len(b) - len(both)


def losses(rows, loss="zero_one", cold_start="count_wrong", bound=math.inf):
    """(loss of A, loss of B), or None where the item is left out."""
    made = []
    for _, label, *predictions in rows:
        pair = []
        for prediction in predictions:
            if prediction is None and cold_start == "default_class":
                prediction = 0
            if prediction is None:
                pair.append(1.0 if cold_start == "count_wrong" else None)
            elif loss == "zero_one":
                pair.append(float(prediction != label))
            else:
                difference = abs(prediction - label)
                pair.append(
                    min(difference if loss == "absolute" else difference * difference, bound)
                )
        made.append(None if None in pair else tuple(pair))
    return made


def windowed(pairs, kind, size, every):
    """(pairs so far, Q, M) at each point of a window."""
    found = []
    for at in points(kind, size, every, len(pairs)):
        loss_sum_a = loss_sum_b = worse_a = worse_b = 0.0
        for row, weight in weights(kind, size, at).items():
            if pairs[row] is None:
                continue
            a, b = pairs[row]
            loss_sum_a += weight * a
            loss_sum_b += weight * b
            worse_a += weight * (a > b)
            worse_b += weight * (b > a)
        found.append((at, q(loss_sum_a, loss_sum_b), mcnemar(worse_a, worse_b)))
    return found


def q(loss_sum_a, loss_sum_b):
    if loss_sum_a == 0 and loss_sum_b == 0:
        return math.nan
    if loss_sum_a == 0:
        return -math.inf
    if loss_sum_b == 0:
        return math.inf
    return math.log(loss_sum_a / loss_sum_b)


def mcnemar(worse_a, worse_b):
    if worse_a + worse_b == 0:
        return 0.0
    size = (worse_a - worse_b) ** 2 / (worse_a + worse_b)
    return size if worse_a > worse_b else -size


def binomial_p(worse_a, worse_b, side="either"):
    """Exact: the probability of at most as many heads of fair coins."""
    n = worse_a + worse_b
    few = sum(Fraction(math.comb(n, k), 2**n) for k in range(worse_a + 1))
    many = sum(Fraction(math.comb(n, k), 2**n) for k in range(worse_a, n + 1))
    both = min(Fraction(1), 2 * min(few, many))
    return float({"either": both, "a": few, "b": many}[side])


def log_capital(wins, losses):
    """Logarithm of the wealth of bets on coins."""
    logs = [
        math.log(share) + wins * math.log1p(size) + losses * math.log1p(-size)
        for size, share in bets()
    ]
    top = max(logs)
    return top + math.log(sum(math.exp(each - top) for each in logs))


def watched(pairs, threshold):
    """When the wealth for A, and for B, first reached the threshold, and since when it has."""
    first, since = [None, None], [None, None]
    worse = [0, 0]
    for number, pair in enumerate(pairs, 1):
        if pair is None:
            continue
        worse[0] += pair[0] > pair[1]
        worse[1] += pair[0] < pair[1]
        for side in (0, 1):
            if log_capital(worse[1 - side], worse[side]) >= threshold:
                first[side] = first[side] or number
                since[side] = since[side] or number
            else:
                since[side] = None
    return first, since


def diebold_mariano(differences, lags):
    n = len(differences)
    mean = sum(differences) / n
    off = [d - mean for d in differences]
    gamma = [sum(off[t] * off[t - lag] for t in range(lag, n)) / n for lag in range(lags + 1)]
    spread = gamma[0] + 2 * sum((1 - lag / (lags + 1)) * gamma[lag] for lag in range(1, lags + 1))
    return mean / math.sqrt(spread / n)


def uniform(seed, item):
    return (mix(mix(seed) ^ item) >> 11) / 2**53


def resampled_means(values, kind, block, draws, seed):
    """Every value of every resampled series, one by one."""
    n = len(values)
    means = []
    for draw in range(draws):
        own = mix(mix(seed) ^ draw)
        series, turn = [], 0
        while len(series) < n:
            u, v = uniform(own, 2 * turn), uniform(own, 2 * turn + 1)
            turn += 1
            starts = n - int(block) + 1 if kind == "moving" else n
            start = int(u * starts)
            if kind != "stationary":
                length = int(block)
            elif block > 1:
                length = 1 + int(math.log(1 - v) / math.log(1 - 1 / block))
            else:
                length = 1
            for k in range(length):
                if len(series) < n:
                    series.append(values[(start + k) % n])
        means.append(sum(series) / n)
    return means


def holm(crossed, pairs):
    """The decision at each time, step by step.

    `crossed` maps (winner, loser) to the times at which each threshold (1, 2, … open duels) was
    first reached, None for never.
    """
    still, made = pairs, []
    done = set()
    times = sorted({t for ts in crossed.values() for t in ts if t is not None})
    for now in times:
        again = True
        while again and still:
            again = False
            ready = [
                (max(ts[still - 1], 0), duel)
                for duel, ts in crossed.items()
                if frozenset(duel) not in done
                and ts[still - 1] is not None
                and ts[still - 1] <= now
            ]
            if ready:
                _, duel = ready[0]
                made.append((*duel, now))
                done.add(frozenset(duel))
                still -= 1
                again = True
    return made


def resampled(rows, cuts, sizes, length, kind, nearby):
    """A resampled log, row by row: each row with its weight, or each row from elsewhere.

    `cuts` and `sizes` are seeds: of where blocks end, and of what is drawn for each. `nearby` is
    how many lengths away a block may begin; None: blocks keep their places and are weighed.
    """
    block, blocks = 0, []
    offset = int(uniform(cuts, 0) * round(length))
    for row in range(len(rows)):
        if kind == "stationary":
            block += uniform(cuts, row) * length < 1
            blocks.append(block)
        else:
            blocks.append((row + offset) // round(length))
    if nearby is None:
        return [
            (*row, -math.log1p(-uniform(sizes, b))) for row, b in zip(rows, blocks, strict=True)
        ]
    last = len(rows) - 1
    reach = min(round(nearby * length), last)
    made = []
    for row, b in enumerate(blocks):
        at = abs(row + math.floor(uniform(sizes, b) * (2 * reach + 1)) - reach)
        made.append(rows[at if at <= last else 2 * last - at])
    return made

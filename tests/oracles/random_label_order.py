"""Labels against a random order, slow and obvious: block by block, pair by pair."""

from __future__ import annotations

import math
from itertools import pairwise

from scipy import stats

BLOCK, LAGS, LEVEL, SPANS, MOST_CLASSES = 50, 10, 0.05 / 3, 256, 64


def blocks(labels):
    """Blocks of 50 labels; the last may be shorter."""
    cut = [labels[i : i + BLOCK] for i in range(0, len(labels), BLOCK)]
    return [block for block in cut if len(block) > 1]


def z_repeats(labels):
    """Repeats within blocks, in standard errors of a random order of each block."""
    seen = expected = variance = 0.0
    for block in blocks(labels):
        n, c = len(block), [block.count(x) for x in set(block)]
        two, three = sum(x**2 for x in c), sum(x**3 for x in c)
        seen += sum(a == b for a, b in pairwise(block))
        expected += sum(x * (x - 1) for x in c) / n
        variance += (two * (two + n * (n + 1)) - 2 * n * three - n**3) / (n * n * (n - 1))
    return (seen - expected) / math.sqrt(variance) if variance > 0 else math.nan


def succession(labels, lag, i, j):
    """(starts, how often j follows, how often in random order) within blocks."""
    starts = seen = 0
    expected = 0.0
    for block in blocks(labels):
        own = sum(block[t] == i for t in range(len(block) - lag))
        starts += own
        seen += sum(block[t] == i and block[t + lag] == j for t in range(len(block) - lag))
        expected += own * (block.count(j) - (i == j)) / (len(block) - 1)
    return starts, seen, expected


def log_ratio(seen, expected):
    if seen == 0:
        return 0.0
    return seen * math.log(seen / expected) if expected > 0 else math.inf


def successions(labels, classes=2):
    """(lag, i, j, rate, expected rate, corrected p) of the significant ones, largest effect first.

    Of two classes only the rarer one after itself.
    """
    if len(labels) < BLOCK:
        return []
    present = sorted(set(labels))
    pairs = [(i, j) for i in present for j in present]
    if classes > MOST_CLASSES:
        pairs = [(i, i) for i in present]
    if len(present) == 2:
        rarer = min(present, key=lambda c: (labels.count(c), c))
        pairs = [(rarer, rarer)]
    tests, found = LAGS * len(pairs), []
    for lag in range(1, LAGS + 1):
        for i, j in pairs:
            starts, seen, expected = succession(labels, lag, i, j)
            if not starts or labels.count(i) == len(labels):
                continue
            ratio = log_ratio(seen, expected) + log_ratio(starts - seen, starts - expected)
            squared = 2 * ratio / (1 - labels.count(i) / len(labels) + 1 / BLOCK)
            p = tests * 2 * stats.norm.sf(math.sqrt(max(squared, 0.0)))
            if math.isfinite(squared) and p <= LEVEL:
                found.append((lag, i, j, seen / starts, expected / starts, min(1.0, p)))
    return sorted(found, key=lambda one: -abs(one[3] - one[4]))


def p_shares(labels):
    """Corrected p-value of the counts of classes in spans, by Wilson and Hilferty's formula."""
    size = BLOCK
    while len(labels) // size >= 2 * SPANS:
        size *= 2
    spans = [labels[i : i + size] for i in range(0, len(labels) // size * size, size)]
    classes = sorted(set(labels))
    classes = [] if len(classes) < 2 else classes[:1] if len(classes) == 2 else classes
    found = []
    while len(spans) >= 4:
        for c in classes:
            counts = [span.count(c) for span in spans]
            share = sum(counts) / (size * len(spans))
            if min(share, 1 - share) * size >= 5:
                squares = sum((n - size * share) ** 2 for n in counts)
                squares /= size * share * (1 - share)
                part = 2 / (9 * (len(spans) - 1))
                z = ((squares / (len(spans) - 1)) ** (1 / 3) - 1 + part) / math.sqrt(part)
                found.append(float(stats.norm.sf(z)))
        spans = [a + b for a, b in zip(spans[::2], spans[1::2], strict=False)]
        size *= 2
    return min([1.0, *(len(found) * p for p in found)])


def limit(labels, c, classes=2):
    """Excess of the rate of a class after itself that is found in 95 % of cases."""
    present = len(set(labels))
    tests = LAGS * (1 if present == 2 else present if classes > MOST_CLASSES else present**2)
    count = labels.count(c)
    expected = count * count / len(labels)
    quantiles = stats.norm.isf(LEVEL / 2 / tests) + stats.norm.isf(0.05)
    return ((math.sqrt(expected) + quantiles / 2) ** 2 - expected) / count

"""Tests of many learners on many streams by enumeration: slow and obvious."""

from __future__ import annotations

from itertools import combinations, permutations, product


def ranks(row, high=True):
    """1 for the best; ties share the mean of their ranks."""
    better = (lambda a, b: a > b) if high else (lambda a, b: a < b)
    return [1 + sum(better(other, own) for other in row) + (row.count(own) - 1) / 2 for own in row]


def mean_ranks(table, high=True):
    by_stream = [ranks(list(row), high) for row in table]
    return [sum(r[j] for r in by_stream) / len(by_stream) for j in range(len(by_stream[0]))]


def friedman_chi2(table):
    """The textbook formula, for tables without ties."""
    n, k = len(table), len(table[0])
    sums = [n * m for m in mean_ranks(table)]
    return 12 / (n * k * (k + 1)) * sum(r * r for r in sums) - 3 * n * (k + 1)


def friedman_f(table):
    n, k = len(table), len(table[0])
    chi2 = friedman_chi2(table)
    return (n - 1) * chi2 / (n * (k - 1) - chi2)


def agreeing_by_chance(table):
    """The share of all permutations of the rows after the first in which all rows agree."""
    first = ranks(list(table[0]))
    shuffled = [list(permutations(first)) for _ in table[1:]]
    ways = list(product(*shuffled))
    return sum(all(list(row) == first for row in way) for way in ways) / len(ways)


def signed_rank(a, b, zero_method="zsplit"):
    """Two-sided p by enumerating all signs."""
    differences = [x - y for x, y in zip(a, b, strict=True)]
    if zero_method == "wilcox":
        differences = [d for d in differences if d]
    if not any(differences):
        return 1.0
    places = ranks([abs(d) for d in differences], high=False)
    half = sum(r for d, r in zip(differences, places, strict=True) if d == 0) / 2
    extra = half if zero_method == "zsplit" else 0.0
    moving = [r for d, r in zip(differences, places, strict=True) if d]
    seen = extra + sum(r for d, r in zip(differences, places, strict=True) if d > 0)
    sums = [
        extra + sum(r for s, r in zip(signs, moving, strict=True) if s)
        for signs in product((0, 1), repeat=len(moving))
    ]
    low = sum(s <= seen for s in sums) / len(sums)
    high = sum(s >= seen for s in sums) / len(sums)
    return min(1.0, 2 * min(low, high))


def signed_rank_side(a, b, zero_method="zsplit"):
    """1 if the ranks of the positive differences have the larger sum, -1 if the smaller, or 0."""
    differences = [x - y for x, y in zip(a, b, strict=True)]
    if zero_method == "wilcox":
        differences = [d for d in differences if d]
    places = ranks([abs(d) for d in differences], high=False)
    above = sum(r for d, r in zip(differences, places, strict=True) if d > 0)
    below = sum(r for d, r in zip(differences, places, strict=True) if d < 0)
    return int(above > below) - int(above < below)


def holm(p):
    """The definition of the paper: each p with all smaller ones."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    return [
        min(1.0, max((len(p) - j) * p[order[j]] for j in range(order.index(i) + 1)))
        for i in range(len(p))
    ]


def groups(different):
    """The maximal sets of nodes without a different pair, by enumerating all sets."""
    k = len(different)
    good = [
        set(c)
        for size in range(1, k + 1)
        for c in combinations(range(k), size)
        if not any(different[i][j] for i, j in combinations(c, 2))
    ]
    return {frozenset(c) for c in good if len(c) > 1 and not any(c < other for other in good)}


def signed_rank_shares(weights, differences, rope):
    """One draw of the Bayesian test: worse, equal, better."""
    z = [0.0, *differences]
    worse = better = 0.0
    for wi, zi in zip(weights, z, strict=True):
        for wj, zj in zip(weights, z, strict=True):
            total = zi + zj
            better += wi * wj * (1.0 if total > 2 * rope else 0.5 if total == 2 * rope else 0.0)
            worse += wi * wj * (1.0 if -total > 2 * rope else 0.5 if -total == 2 * rope else 0.0)
    return worse, 1 - worse - better, better


def corrected_t(a, b, runs=1):
    d = [x - y for x, y in zip(a, b, strict=True)]
    n = len(d)
    mean = sum(d) / n
    variance = sum((x - mean) ** 2 for x in d) / (n - 1)
    share = 1 / (n / runs - 1)
    return mean / (variance * (1 / n + share)) ** 0.5

"""Temporal dependence, slow and obvious: every item looks back over the whole list of labels."""

from __future__ import annotations

import math
from itertools import pairwise, permutations


def known(labels):
    return [y for y in labels if y is not None and y >= 0]


def p_majority(labels):
    y = known(labels)
    return max(y.count(c) for c in y) / len(y) if y else math.nan


def p_repeat(labels):
    y = known(labels)
    pairs = list(pairwise(y))
    return sum(a == b for a, b in pairs) / len(pairs) if pairs else math.nan


def transitions(labels, classes):
    """Row j, column i: how often i came right after j."""
    y = known(labels)
    return [
        [sum(1 for t in range(1, len(y)) if (y[t - 1], y[t]) == (j, i)) for i in range(classes)]
        for j in range(classes)
    ]


def conditional(labels, i, back):
    """P(y_t = i | the `back` labels before are all i), over the times where that is so."""
    y = known(labels)
    times = [t for t in range(back, len(y)) if all(y[t - s] == i for s in range(1, back + 1))]
    return sum(y[t] == i for t in times) / len(times) if times else math.nan


def delta(labels, i, lag):
    return conditional(labels, i, lag) - conditional(labels, i, lag - 1)


def autocorrelation(values, lag):
    """Autocorrelation of a list around its mean; NaN if it is constant."""
    n = len(values)
    mean = sum(values) / n
    spread = sum((v - mean) ** 2 for v in values)
    if lag >= n or spread == 0:
        return math.nan
    return sum((values[t] - mean) * (values[t - lag] - mean) for t in range(lag, n)) / spread


def columns(labels, order, pad):
    """Of each item, the last `order` labels known before it, newest first."""
    out = []
    for t in range(len(labels)):
        before = known(labels[:t])[::-1][:order]
        out.append(before + [pad] * (order - len(before)))
    return out


def corrected(scores, labels, classes):
    """Predictions and scores of temporal correction, from the scores of the learner inside."""
    predictions, sheet = [], []
    for t, given in enumerate(scores):
        if any(math.isnan(s) for s in given):
            predictions.append(-1)
            sheet.append(list(given))
            continue
        y = known(labels[:t])
        after = [b for a, b in pairwise(y) if y and a == y[-1]]
        raw = []
        for i in range(classes):
            factor = 1.0
            if after and y.count(i):
                factor = (after.count(i) / len(after)) / (y.count(i) / len(y))
            raw.append(given[i] * factor)
        if not any(raw):
            raw = list(given)
        predictions.append(raw.index(max(raw)))
        total = sum(raw)
        sheet.append([r / total for r in raw] if total > 0 else raw)
    return predictions, sheet


def hoeffding_items(precision, confidence, span=1.0):
    """The least whole n with 2 exp(-2 n (precision / span)²) at most 1 - confidence."""
    n = 1
    while 2 * math.exp(-2 * n * (precision / span) ** 2) > 1 - confidence:
        n += 1
    return n


def repeats_in_every_order(labels):
    """The mean and the variance of the number of repeats over all orders of the labels."""
    found = [sum(a == b for a, b in pairwise(order)) for order in permutations(labels)]
    mean = sum(found) / len(found)
    return mean, sum((f - mean) ** 2 for f in found) / len(found)


def quick(labels, items=100):
    """Right predictions of the majority so far (ties: lowest code) and of the last label again."""
    y = known(labels)[:items]
    majority = persistent = 0
    for t in range(1, len(y)):
        past = y[:t]
        majority += y[t] == min(past, key=lambda c: (-past.count(c), c))
        persistent += y[t] == y[t - 1]
    pairs = len(y) - 1
    return (majority / pairs, persistent / pairs) if pairs > 0 else (math.nan, math.nan)


def only_right(labels, items=100):
    """How often only the last label was right, and how often only the majority so far."""
    y = known(labels)[:items]
    last = most = 0
    for t in range(1, len(y)):
        past = y[:t]
        majority = min(past, key=lambda c: (-past.count(c), c))
        last += y[t] == y[t - 1] != majority
        most += y[t] == majority != y[t - 1]
    return last, most

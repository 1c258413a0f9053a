"""Findings of a diagnosis, slow and obvious: from the list of labels and the learners' results."""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from oracles import random_label_order, temporal, verdicts

BASELINES = ("majority_class", "prior_random", "persistent")


def percent(value):
    return f"{100 * value:.1f}\u00a0%"


def points(value):
    return f"{100 * abs(value):.1f}\u00a0points"


def chance(labels):
    """The share of repeats expected in random order."""
    n = len(labels)
    return sum(labels.count(c) * (labels.count(c) - 1) for c in set(labels)) / (n * (n - 1))


def dependence(labels, z, show):
    """`z` is that of the runs test, `show` writes a real number."""
    if len(labels) < 2:
        return "note", "There are fewer than two labels."
    if math.isnan(z):
        return "note", "All orders of these labels are alike, so there is no dependence to test."
    repeat, random = temporal.p_repeat(labels), chance(labels)
    numbers = (
        f"{percent(repeat)} of labels repeat the previous one (P(T)), "
        f"{percent(random)} would in random order (z = {show(z)})"
    )
    if not dependent(labels, z):
        return not_repeated(labels, numbers)
    if repeat < random:
        return "note", f"Labels tend to alternate: {numbers}."
    majority = percent(temporal.p_majority(labels))
    if repeat > temporal.p_majority(labels):
        return "warning", (
            f"Labels depend strongly on the previous ones: {numbers}. P(T) is above the share of "
            f"the majority class, P(M) = {majority}: repeating the last label beats the majority "
            "class. Judge learners by kappa_temporal or kappa_plus, not by accuracy."
        )
    return "note", (
        f"Labels depend on the previous ones: {numbers}; not enough for repeating the last one to "
        f"beat the majority class, P(M) = {majority}."
    )


def not_repeated(labels, numbers):
    """Labels that repeat about as often as by chance."""
    found = random_label_order.successions(labels)
    if found:
        lag, i, j, rate, expected, _ = found[0]
        later = "directly" if lag == 1 else f"{lag} labels"
        return "note", (
            f"Labels depend on earlier ones, although they repeat about as often as by chance: {j} "
            f"comes {later} after {i} in {percent(rate)} of cases, in random order in "
            f"{percent(expected)} (the share of {j} is {percent(labels.count(j) / len(labels))}; "
            f"{numbers})."
        )
    if random_label_order.p_shares(labels) < 0.05 / 3:
        return "note", (
            "The shares of the classes vary over the stream more than in random order, by drift or "
            "by dependence over more than 50 labels; within 50 labels no dependence was found "
            f"({numbers})."
        )
    limits = {c: random_label_order.limit(labels, c) for c in set(labels) if labels.count(c) >= 30}
    most = max(sorted(set(labels)), key=labels.count)
    if not limits.get(most, 1) <= 0.1:
        return "note", (
            f"No dependence between labels was found, but {len(labels):,} labels are too few to "
            f"exclude it: {numbers}."
        )
    rest = (
        ""
        if len(limits) == len(set(labels))
        else ("; of classes with fewer than 30 labels nothing is stated")
    )
    return "good", (
        "No temporal dependence between labels was found, at lags 1 to 10, and no drift of their "
        f"shares: {numbers}. A class that follows itself more often by "
        f"{points(max(limits.values()))} than in random order would have been found in "
        f"95\u00a0% of cases{rest}."
    )


def dependent(labels, z):
    within = random_label_order.z_repeats(labels)
    clear = min(abs(z), abs(within)) > 3 and z * within > 0
    return clear and abs(temporal.p_repeat(labels) - chance(labels)) >= 0.01


def order(labels, classes, lags):
    """The number of lags, from 1 on, at which some Delta(l) is a point and significant."""
    limit = stats.norm.isf(0.05 / 2 / (classes * lags))
    for lag in range(1, lags + 1):
        relevant = False
        for i in range(classes):
            given = [
                labels[t]
                for t in range(lag, len(labels))
                if all(labels[t - s] == i for s in range(1, lag + 1))
            ]
            if given:
                before, seen = temporal.conditional(labels, i, lag - 1), given.count(i)
                rest = len(given) - seen
                ratio = random_label_order.log_ratio(seen, len(given) * before)
                ratio += random_label_order.log_ratio(rest, len(given) * (1 - before))
                effect = abs(temporal.delta(labels, i, lag))
                relevant = relevant or (effect >= 0.01 and 2 * ratio > limit**2)
        if not relevant:
            return lag - 1
    return lags


def order_sentence(found, lags):
    if found == 1 < lags:
        which = "label carries"
    else:
        which = f"{found}{' or more' if found == lags else ''} labels carry"
    return (
        f"The last {which} information about the next (Delta(l) of a point or more); "
        f"try temporally_augmented(…, order={found})."
    )


def quick_sentence(labels, majority, persistent, items):
    """`labels` are all; the first `items` were compared."""
    text = (
        f"Quick test on the first {items} labels: repeating the last label is right in "
        f"{100 * persistent:.0f} %, the majority so far in {100 * majority:.0f} %"
    )
    last, most = temporal.only_right(labels, items)
    p = float(stats.binomtest(last, last + most).pvalue) if last + most else 1.0
    if p > 0.05:
        return (
            f"{text}: too few labels to tell which is the better baseline; if neither is, a lead "
            f"like this one is seen in up to {100 * p:.0f} % of streams."
        )
    which = "the last label" if last > most else "the majority"
    bound = f"{100 * p:.2g} %" if p >= 0.001 else "0.1 %"
    text = (
        f"{text}: {which} is the better baseline; if it were not, a lead like this one would be "
        f"seen in at most {bound} of streams."
    )
    whole = temporal.p_repeat(labels), temporal.p_majority(labels)
    if (last > most) == (whole[0] > whole[1]):
        return text
    return f"{text} On the whole stream it is the opposite: {percent(whole[0])} and " + (
        f"{percent(whole[1])}."
    )


def effective_items(errors):
    """Number of independent errors whose mean has the same variance."""
    variance, effective, _ = verdicts.spread(np.array(errors, float))
    return min(effective, len(errors)) if variance else len(errors)


def strongest_lag(errors, lags):
    """The lag of the largest correlation, if it is significant over all lags at 5 %."""
    found = [abs(temporal.autocorrelation(errors, lag)) for lag in range(1, lags + 1)]
    found = [0.0 if math.isnan(rho) else rho for rho in found]
    limit = stats.norm.isf(0.05 / 2 / lags) / math.sqrt(len(errors))
    return found.index(max(found)) + 1 if max(found) > limit else None


def precision_sentence(labels):
    n = len(labels)
    return (
        f"Over all {n:,} labels the precision of an accuracy is ±{points(1 / math.sqrt(n))} (by "
        f"Hoeffding's bound: ±{points(math.sqrt(math.log(2 / 0.05) / 2 / n))}), over "
        f"sliding(1000) ±{points(1 / math.sqrt(1000))}, over fading(0.999) "
        f"±{points(1 / math.sqrt(1999))}, if items are independent."
    )

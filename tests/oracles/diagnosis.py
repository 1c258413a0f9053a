"""Findings of a diagnosis, slow and obvious: from the list of labels and the learners' results."""

from __future__ import annotations

import math

from oracles import temporal

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
        return "good", f"There is no temporal dependence between labels: {numbers}."
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


def dependent(labels, z):
    return abs(z) > 3 and abs(temporal.p_repeat(labels) - chance(labels)) >= 0.01


def order(labels, classes, lags):
    """The number of lags, from 1 on, at which some Delta(l) is a point and 3 standard errors."""
    for lag in range(1, lags + 1):
        relevant = False
        for i in range(classes):
            given = [
                t
                for t in range(lag, len(labels))
                if all(labels[t - s] == i for s in range(1, lag + 1))
            ]
            before = temporal.conditional(labels, i, lag - 1)
            if given:
                error = math.sqrt(before * (1 - before) / len(given))
                effect = abs(temporal.delta(labels, i, lag))
                relevant = relevant or (effect >= 0.01 and effect > 3 * error)
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
    better = "the last label is" if persistent > majority else "the majority is"
    if persistent == majority:
        better = "neither is"
    text = (
        f"Quick test on the first {items} labels: repeating the last label is right in "
        f"{100 * persistent:.0f} %, the majority so far in {100 * majority:.0f} %: "
        f"{better} the better baseline."
    )
    whole = temporal.p_repeat(labels), temporal.p_majority(labels)
    if (persistent > majority) == (whole[0] > whole[1]):
        return text
    return f"{text} On the whole stream it is the opposite: {percent(whole[0])} and " + (
        f"{percent(whole[1])}."
    )


def effective_items(errors, lags):
    """n / (1 + 2 Σ rho), over the lags before the first rho that is not above 1.96 / sqrt(n)."""
    total = 0.0
    for lag in range(1, lags + 1):
        rho = temporal.autocorrelation(errors, lag)
        if not rho > 1.96 / math.sqrt(len(errors)):
            break
        total += rho
    return len(errors) / (1 + 2 * total)


def precision_sentence(labels):
    n = len(labels)
    return (
        f"Over all {n:,} labels the precision of an accuracy is ±{points(1 / math.sqrt(n))} (by "
        f"Hoeffding's bound: ±{points(math.sqrt(math.log(2 / 0.05) / 2 / n))}), over "
        f"sliding(1000) ±{points(1 / math.sqrt(1000))}, over fading(0.999) "
        f"±{points(1 / math.sqrt(1999))}, if items are independent."
    )

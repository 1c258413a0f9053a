"""Baselines that use labels only, driven by single orders. Slow and obvious."""

from __future__ import annotations

from fractions import Fraction


def persistent(learned):
    """The last label learned."""
    return learned[-1][0] if learned else None


def majority(learned):
    """The class with the largest total weight; ties go to the first class."""
    weights = {}
    for label, weight in learned:
        weights[label] = weights.get(label, 0) + Fraction(weight)
    return min(weights, key=lambda label: (-weights[label], label), default=None)


def mean(learned):
    """The weighted mean of the labels."""
    total = sum(Fraction(weight) for _, weight in learned)
    if not total:
        return None
    return float(sum(Fraction(label) * Fraction(weight) for label, weight in learned) / total)


RULES = {
    "persistent": persistent,
    "last_value": persistent,
    "majority_class": majority,
    "target_mean": mean,
}


def predictions(rule, orders, labels, weights):
    """(item, fold, turn, prediction) of every order to predict; orders are (verb, item, fold,
    turn, weight), in execution order."""
    learned, made = {}, []
    for verb, item, fold, turn, weight in orders:
        if verb == "predict":
            made.append((item, fold, turn, RULES[rule](learned.get(fold, []))))
        elif verb == "learn" and weight * weights[item] > 0:
            learned.setdefault(fold, []).append((labels[item], weight * weights[item]))
    return made


def changes(made):
    """First predictions of each item and fold, and those that differ from the previous one."""
    last, kept = {}, []
    for item, fold, turn, value in made:
        if turn == 0 or last[item, fold] != value:
            kept.append((item, fold, turn, value))
        last[item, fold] = value
    return kept


def known_before(arrived, labelled, labels_first=True):
    """Number of labels known at the arrival of each item, by item.

    `arrived` maps items to arrival times, `labelled` lists items and label times in order.
    """
    events = [((time, 1, item, 0), item) for item, time in arrived.items()]
    for item, time in labelled:
        late = (time, 0 if labels_first else 2, item, 0)
        events.append(((time, 1, item, 1) if arrived[item] == time else late, None))
    known, labels = {}, 0
    for _, item in sorted(events, key=lambda event: event[0]):
        labels += item is None
        if item is not None:
            known[item] = labels
    return known

"""Continuous re-evaluation as it is printed: Algorithm 1 and Appendix A, slow and obvious.

Events are ("item", k, x, t), ("label", k, y, t) and ("update", k, x, t), in the order they happen.
A model has `predict(k, x)` and `learn(x, y)`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import nan


def in_order(items, labels_first=True):
    """Events of items [(t, x, y, label time or None, [(t, x), …])]: the rules for equal times."""
    events = []
    for k, (t, x, y, until, updates) in enumerate(items):
        now = until is not None and until == t
        events.append(((t, 1, k, 0), ("item", k, x, t)))
        if now:
            events.append(((t, 1, k, 1), ("label", k, y, t)))
        elif until is not None:
            events.append(((until, 0 if labels_first else 2, k, 0), ("label", k, y, until)))
        for at, new in updates:
            if until is None or at <= until:
                events.append(((at, -1, k, 0), ("update", k, new, at)))
    return [event for _, event in sorted(events, key=lambda e: e[0])]


@dataclass
class Delays:
    x: object
    arrival: int
    labels: int = 0


@dataclass
class Labelled:
    """P(k), the label and when it arrives."""

    label: object
    until: int
    predictions: list = field(
        default_factory=list
    )  # (prediction, time, "first" | "again" | "last")


@dataclass
class Run:
    labelled: list = field(default_factory=list)  # in the order labels arrive: (k, Labelled)
    made: list = field(default_factory=list)  # C after each event
    over: list = field(default_factory=list)  # C_L after each event
    buffered: list = field(default_factory=list)  # N_B after each event
    labels: list = field(default_factory=list)  # labels after each event


def algorithm_1(events, model, every, at_zero=True):
    pending, predictions, run = {}, {}, Run()
    made = over = 0
    for what, k, value, t in events:
        if what == "item":
            pending[k] = Delays(value, t)
            predictions[k] = [(model.predict(k, value), t, "first")]
        elif what == "update":
            if k in pending:
                pending[k].x = value
        else:
            own = pending.pop(k)
            predictions[k].append((model.predict(k, own.x), t, "last"))
            over += sum(kind == "again" for _, _, kind in predictions[k])
            run.labelled.append((k, Labelled(value, t, predictions[k])))
            for m, other in pending.items():
                if other.labels % every == 0 and (at_zero or other.labels > 0):
                    predictions[m].append((model.predict(m, other.x), t, "again"))
                    made += 1
                other.labels += 1
            model.learn(own.x, value)
        run.made.append(made)
        run.over.append(over)
        run.buffered.append(sum(kind == "again" for m in pending for _, _, kind in predictions[m]))
        run.labels.append(len(run.labelled))
    return run


def current_pieces(labelled, bins, b):
    """Pieces (length, prediction) of bin b, from 1 to `bins`: at each moment the latest made."""
    shown = [(a, t) for a, t, kind in labelled.predictions if kind != "last"]
    arrival = shown[0][1]
    delay = labelled.until - arrival
    begin, end = arrival + Fraction(delay * (b - 1), bins), arrival + Fraction(delay * b, bins)
    cuts = sorted({begin, end, *(Fraction(t) for _, t in shown if begin < t < end)})
    pieces = []
    for low, high in pairwise(cuts):
        pieces.append((high - low, [a for a, t in shown if t <= low][-1]))
    if not pieces:  # no time passes
        pieces.append((Fraction(0), [a for a, t in shown if t <= begin][-1]))
    return pieces


def value(labelled, bins, b, reals=False):
    """V: the one prediction of bin b, from 0 to `bins` + 1."""
    if b == 0:
        return labelled.predictions[0][0]
    if b == bins + 1:
        return labelled.predictions[-1][0]
    pieces = current_pieces(labelled, bins, b)
    whole = sum(length for length, _ in pieces)
    if reals:
        if whole == 0:
            return pieces[-1][1]
        if any(a != a for _, a in pieces):
            return nan
        return sum(length * Fraction(a) for length, a in pieces) / whole
    sums = {}
    for length, prediction in pieces:
        sums[prediction] = sums.get(prediction, 0) + length
    most = max(sums.values())
    return [prediction for _, prediction in pieces if sums[prediction] == most][-1]


def program_value(labelled, bins, b, reals=False):
    """The same as the authors' program has it (bins >= 1)."""
    if b in (0, bins + 1):
        return value(labelled, bins, b, reals)
    shown = [(a, t) for a, t, kind in labelled.predictions if kind != "last"]
    arrival, until = shown[0][1], labelled.until

    def bin_of(t):
        place = 1 + (bins * (t - arrival)) // (until - arrival) if until > arrival else bins
        return min(place, bins)

    inside = [i for i in range(1, len(shown)) if bin_of(shown[i][1]) == b]
    if not inside:
        before = [i for i in range(len(shown)) if i == 0 or bin_of(shown[i][1]) < b]
        return shown[before[-1]][0]
    if len(inside) == 1:
        return shown[inside[0]][0]
    begin = arrival + (until - arrival) * (b - 1) // bins
    end = arrival + (until - arrival) * b // bins
    moments = [(shown[inside[0] - 1][0], begin), *(shown[i] for i in inside), (None, end)]
    pieces = [(high - low, a) for (a, low), (_, high) in pairwise(moments)]
    whole = sum(length for length, _ in pieces)
    if reals:
        if whole == 0:
            return pieces[-1][1]
        if any(a != a for length, a in pieces if length):
            return nan
        return sum(length * Fraction(a) for length, a in pieces if length) / whole
    sums = {}
    for length, prediction in pieces:
        sums[prediction] = sums.get(prediction, 0) + length
    if whole == 0:
        return pieces[-1][1]
    return min(prediction for prediction, total in sums.items() if total == max(sums.values()))


def zero_one(run, bins, b):
    """Lambda(T, b) at the end: the share of wrong predictions; NaN without labels."""
    wrong = [value(labelled, bins, b) != labelled.label for _, labelled in run.labelled]
    return sum(wrong) / len(wrong) if wrong else nan


def n_c(run, last=100):
    """N_C after each event: C(T) - C(T - last)."""
    before = [0] * last + run.made
    return [made - before[i] for i, made in enumerate(run.made)]


def n_r(run):
    return [over / n if n else nan for over, n in zip(run.over, run.labels, strict=True)]


def changes(labelled):
    predictions = [a for a, _, _ in labelled.predictions]
    return sum(different(a, b) for a, b in pairwise(predictions))


def different(a, b):
    """Two times no prediction (NaN) is no change."""
    return a != b and not (a != a and b != b)


def time_to_correct(labelled, within=0):
    """Ticks until the prediction is right for good; None if the last one is wrong."""
    since = None
    for prediction, t, _ in labelled.predictions:
        if prediction is None or not abs(prediction - labelled.label) <= within:
            since = None
        elif since is None:
            since = t
    return None if since is None else since - labelled.predictions[0][1]

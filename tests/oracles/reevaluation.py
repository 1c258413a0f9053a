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
class Waits:
    x: object
    came: int
    heard: int = 0


@dataclass
class Told:
    """P(k), the label and when it came."""

    label: object
    until: int
    askings: list = field(default_factory=list)  # (answer, time, "first" | "again" | "last")


@dataclass
class Run:
    told: list = field(default_factory=list)  # in the order labels came: (k, Told)
    made: list = field(default_factory=list)  # C after each event
    over: list = field(default_factory=list)  # C_L after each event
    buffered: list = field(default_factory=list)  # N_B after each event
    labels: list = field(default_factory=list)  # labels after each event


def algorithm_1(events, model, every, at_zero=True):
    waiting, askings, run = {}, {}, Run()
    made = over = 0
    for what, k, value, t in events:
        if what == "item":
            waiting[k] = Waits(value, t)
            askings[k] = [(model.predict(k, value), t, "first")]
        elif what == "update":
            if k in waiting:
                waiting[k].x = value
        else:
            own = waiting.pop(k)
            askings[k].append((model.predict(k, own.x), t, "last"))
            over += sum(kind == "again" for _, _, kind in askings[k])
            run.told.append((k, Told(value, t, askings[k])))
            for m, other in waiting.items():
                if other.heard % every == 0 and (at_zero or other.heard > 0):
                    askings[m].append((model.predict(m, other.x), t, "again"))
                    made += 1
                other.heard += 1
            model.learn(own.x, value)
        run.made.append(made)
        run.over.append(over)
        run.buffered.append(sum(kind == "again" for m in waiting for _, _, kind in askings[m]))
        run.labels.append(len(run.told))
    return run


def displayed(told, bins, b):
    """Pieces (length, answer) of bin b, from 1 to `bins`: at each moment the latest made."""
    shown = [(a, t) for a, t, kind in told.askings if kind != "last"]
    came = shown[0][1]
    wait = told.until - came
    begin, end = came + Fraction(wait * (b - 1), bins), came + Fraction(wait * b, bins)
    cuts = sorted({begin, end, *(Fraction(t) for _, t in shown if begin < t < end)})
    pieces = []
    for low, high in pairwise(cuts):
        pieces.append((high - low, [a for a, t in shown if t <= low][-1]))
    if not pieces:  # no time passes
        pieces.append((Fraction(0), [a for a, t in shown if t <= begin][-1]))
    return pieces


def value(told, bins, b, reals=False):
    """V: the one answer of bin b, from 0 to `bins` + 1."""
    if b == 0:
        return told.askings[0][0]
    if b == bins + 1:
        return told.askings[-1][0]
    pieces = displayed(told, bins, b)
    whole = sum(length for length, _ in pieces)
    if reals:
        if whole == 0:
            return pieces[-1][1]
        if any(a != a for _, a in pieces):
            return nan
        return sum(length * Fraction(a) for length, a in pieces) / whole
    sums = {}
    for length, answer in pieces:
        sums[answer] = sums.get(answer, 0) + length
    most = max(sums.values())
    return [answer for _, answer in pieces if sums[answer] == most][-1]


def program_value(told, bins, b, reals=False):
    """The same as the authors' program has it (bins >= 1)."""
    if b in (0, bins + 1):
        return value(told, bins, b, reals)
    shown = [(a, t) for a, t, kind in told.askings if kind != "last"]
    came, until = shown[0][1], told.until

    def bin_of(t):
        place = 1 + (bins * (t - came)) // (until - came) if until > came else bins
        return min(place, bins)

    inside = [i for i in range(1, len(shown)) if bin_of(shown[i][1]) == b]
    if not inside:
        before = [i for i in range(len(shown)) if i == 0 or bin_of(shown[i][1]) < b]
        return shown[before[-1]][0]
    if len(inside) == 1:
        return shown[inside[0]][0]
    begin = came + (until - came) * (b - 1) // bins
    end = came + (until - came) * b // bins
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
    for length, answer in pieces:
        sums[answer] = sums.get(answer, 0) + length
    if whole == 0:
        return pieces[-1][1]
    return min(answer for answer, total in sums.items() if total == max(sums.values()))


def zero_one(run, bins, b):
    """Lambda(T, b) at the end: the share of wrong answers; NaN without labels."""
    wrong = [value(told, bins, b) != told.label for _, told in run.told]
    return sum(wrong) / len(wrong) if wrong else nan


def n_c(run, last=100):
    """N_C after each event: C(T) - C(T - last)."""
    before = [0] * last + run.made
    return [made - before[i] for i, made in enumerate(run.made)]


def n_r(run):
    return [over / n if n else nan for over, n in zip(run.over, run.labels, strict=True)]


def changes(told):
    answers = [a for a, _, _ in told.askings]
    return sum(different(a, b) for a, b in pairwise(answers))


def different(a, b):
    """Two times no answer (NaN) is no change."""
    return a != b and not (a != a and b != b)


def right_after(told, within=0):
    """Ticks until the answer is right for good; None if the last one is wrong."""
    since = None
    for answer, t, _ in told.askings:
        if answer is None or not abs(answer - told.label) <= within:
            since = None
        elif since is None:
            since = t
    return None if since is None else since - told.askings[0][1]

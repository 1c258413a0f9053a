"""The join of predictions and labels, written out: slow and obvious."""

from __future__ import annotations


def pairs(made, true, fold=None):
    """(item, fold, label, prediction, previous label) of every label and copy, as labels arrive.

    `made` are (item, fold, turn, prediction), `true` are (item, label). The previous label is that
    of the closest labelled item before; None if there is none.
    """
    rows = []
    for item, label in true:
        earlier = [(i, y) for i, y in true if i < item]
        before = max(earlier)[1] if earlier else None
        first = [(f, a) for i, f, turn, a in made if i == item and turn == 0]
        rows += [(item, f, label, a, before) for f, a in sorted(first) if fold in (None, f)]
    return rows


def predictions(made, true, fold=None):
    """(item, fold, label, [prediction by turn]) of every label and copy, as labels arrive."""
    rows = []
    for item, label in true:
        for copy in sorted({f for i, f, _, _ in made if i == item and fold in (None, f)}):
            own = sorted((turn, a) for i, f, turn, a in made if (i, f) == (item, copy))
            rows.append((item, copy, label, [a for _, a in own]))
    return rows


def common(a, b):
    """(item, prediction of A, prediction of B) of items in both, and how many are in one only."""
    of_b = dict(b)
    both = [(item, one, of_b[item]) for item, one in a if item in of_b]
    return both, len(a) - len(both), len(b) - len(both)

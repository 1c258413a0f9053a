"""Learners of neighbours, slow and obvious: every distance is worked out from its definition."""

from __future__ import annotations

import math

NAN = float("nan")


def kept(values, x):
    """A cell as it counts: what is no code is missing from a nominal column."""
    return x if values is None or (x == x and x >= 0 and x == math.trunc(x)) else NAN


def scaler(column):
    """A number scaled to the range of its column; 0 if the range is empty."""
    known = [x for x in column if x == x]
    low, high = min(known, default=0.0), max(known, default=0.0)
    if low == high:
        return lambda x: x if x != x else 0.0
    half = 1.0 if math.isfinite(high - low) else 0.5
    return lambda x: (x * half - low * half) / (high * half - low * half)


def squared(values, scale, a, b):
    """The square of what two cells of a column differ by."""
    if values is not None:
        return float(a != b)
    if a != a and b != b:
        return 1.0
    if a != a or b != b:
        z = scale(b if a != a else a)
        far = 1.0 - z if z < 0.5 else z
        return far * far
    gap = scale(a) - scale(b)
    return gap * gap


def distances(columns, rows, query):
    """Squared distances of a query to rows, columns scaled by the rows."""
    scales = [scaler([row[j] for row in rows]) for j in range(len(columns))]
    query = [kept(v, x) for v, x in zip(columns, query, strict=True)]
    out = []
    for row in rows:
        total = 0.0
        for values, scale, a, b in zip(columns, scales, query, row, strict=True):
            total += squared(values, scale, a, b)
        out.append(total)
    return out


class Window:
    def __init__(self, columns, classes=0, seed=0, k=10, window_size=1000):
        self.columns, self.classes, self.k, self.window_size = columns, classes, k, window_size
        self.items = []

    def learn(self, row, label, weight):
        row = [kept(v, x) for v, x in zip(self.columns, row, strict=True)]
        self.items = [*self.items, (row, label, weight)][-self.window_size :]

    def nearest(self, row):
        """Labels and weights of the k nearest and of all as near as the last of them."""
        far = distances(self.columns, [row for row, _, _ in self.items], row)
        limit = sorted(far)[: self.k][-1:]
        return [(y, w) for (_, y, w), d in zip(self.items, far, strict=True) if d <= limit[0]]


class NearestNeighbours(Window):
    def votes(self, row):
        votes = [0.0] * self.classes
        for label, weight in self.nearest(row):
            votes[label] += weight
        return votes

    def predict(self, item, row):
        votes = self.votes(row)
        return votes.index(max(votes)) if self.items else -1

    def scores(self, item, row):
        votes = self.votes(row)
        return [v / sum(votes) if self.items else NAN for v in votes]


class NearestNeighboursRegression(Window):
    def predict(self, item, row):
        near = self.nearest(row)
        total = math.fsum(w for _, w in near)
        return math.fsum(w / total * y for y, w in near) if near else NAN

"""Evolving fuzzy pattern trees, slow and obvious: every tree scores every item anew.

A tree is the number of a term (a leaf) or a tuple (operator, lambda, left tree, right tree).
"""

from __future__ import annotations

import math

NONE = -1
OPERATORS = ("MIN", "ALG", "LUK", "EIN", "MAX", "COALG", "COLUK", "COEIN", "WA", "OWA")
EXPANDING = ("OWA", "WA", "MIN", "MAX")


def operate(op, share, a, b):
    value = {
        "MIN": lambda: min(a, b),
        "ALG": lambda: a * b,
        "LUK": lambda: a + b - 1.0,
        "EIN": lambda: a * b / (2.0 - (a + b - a * b)),
        "MAX": lambda: max(a, b),
        "COALG": lambda: a + b - a * b,
        "COLUK": lambda: a + b,
        "COEIN": lambda: (a + b) / (1.0 + a * b),
        "WA": lambda: share * a + (1.0 - share) * b,
        "OWA": lambda: share * max(a, b) + (1.0 - share) * min(a, b),
    }[op]()
    return min(max(value, 0.0), 1.0)


def value(tree, memberships):
    if isinstance(tree, int):
        return memberships[tree]
    op, share, left, right = tree
    return operate(op, share, value(left, memberships), value(right, memberships))


def score(tree, item):
    """The middle of the bounds: an item holds its memberships with missing ones at 0, and at 1."""
    least, most = item
    return (value(tree, least) + value(tree, most)) * 0.5


def leaves(tree, path=()):
    """The path to every leaf, from left to right; 2 is the left child, 3 the right one."""
    if isinstance(tree, int):
        return [path]
    return leaves(tree[2], (*path, 2)) + leaves(tree[3], (*path, 3))


def inner(tree, path=()):
    """The path to every inner node, a node before its children and left before right."""
    if isinstance(tree, int):
        return []
    return [path, *inner(tree[2], (*path, 2)), *inner(tree[3], (*path, 3))]


def part(tree, path):
    for child in path:
        tree = tree[child]
    return tree


def replaced(tree, path, new):
    """The tree with another subtree at the end of the path."""
    if not path:
        return new
    changed = list(tree)
    changed[path[0]] = replaced(tree[path[0]], path[1:], new)
    return tuple(changed)


def depth(tree):
    return 0 if isinstance(tree, int) else 1 + max(depth(tree[2]), depth(tree[3]))


def same(a, b):
    """Equal, or equal once children are exchanged; WA depends on the order of its children."""
    if isinstance(a, int) or isinstance(b, int):
        return a == b
    if a[:2] != b[:2]:
        return False
    straight = same(a[2], b[2]) and same(a[3], b[3])
    return straight or (a[0] != "WA" and same(a[2], b[3]) and same(a[3], b[2]))


def error(tree, items, targets, weights):
    """Root mean squared error."""
    total = weight = 0.0
    for item, y, w in zip(items, targets, weights, strict=True):
        gap = y - score(tree, item)
        total += w * (gap * gap)
        weight += w
    return math.sqrt(total / weight)


def fitted(op, leaf, new, items, targets, weights):
    """Lambda of WA and OWA by least squares; 0 for the other operators, which have none."""
    if op not in ("WA", "OWA"):
        return 0.0
    above = below = 0.0
    for item, y, w in zip(items, targets, weights, strict=True):
        u, v = score(leaf, item), score(new, item)
        if op == "OWA":
            u, v = max(u, v), min(u, v)
        above += w * ((u - v) * (y - v))
        below += w * ((u - v) * (u - v))
    return min(max(above / below, 0.0), 1.0) if below > 0.0 else 0.5


def potential(tree, path, items, targets, weights):
    """How far the score moves, per unit, if the leaf agrees with the target."""
    total = weight = 0.0
    term = part(tree, path)
    for (least, most), g, w in zip(items, targets, weights, strict=True):
        weight += w
        m = (least[term] + most[term]) * 0.5
        if g != m:
            moved = replaced(tree, path, len(least))  # one more term, whose membership is g
            there = score(moved, ([*least, g], [*most, g]))
            total += w * (abs(there - score(tree, (least, most))) / abs(g - m))
    return total / weight


def chosen(tree, limit, *data):
    """The leaves that are expanded: all, or those of highest potential, from left to right."""
    every = leaves(tree)
    if limit == 0 or len(every) <= limit:
        return every
    potentials = [potential(tree, path, *data) for path in every]
    order = sorted(range(len(every)), key=lambda i: (-potentials[i], i))
    return [every[i] for i in sorted(order[:limit])]


def expanded(tree, path, op, term, *data):
    leaf = part(tree, path)
    return replaced(tree, path, (op, fitted(op, leaf, term, *data), leaf, term))


def induced(terms, data, beam_width, min_improvement, expanded_leaves, max_leaves):
    """The tree of a top-down beam search."""

    def kept(trees):
        ranked = sorted(((error(t, *data), i) for i, t in enumerate(trees)))
        found = []
        for err, i in ranked:
            if len(found) < beam_width and not any(same(trees[i], t) for _, t in found):
                found.append((err, trees[i]))
        return found

    beam = kept(range(terms))
    best, model = 1.0, beam[0][1]
    while beam[0][0] < best * (1.0 - min_improvement):
        best, model = beam[0]
        children = [
            expanded(tree, path, op, term, *data)
            for _, tree in beam
            if len(leaves(tree)) < max_leaves
            for path in chosen(tree, expanded_leaves, *data)
            for op in OPERATORS
            for term in range(terms)
            if term != part(tree, path)
        ]
        beam = kept([tree for _, tree in beam] + children)
    return model


def held(x):
    return x if x != x else min(max(x, -1e100), 1e100)


def triangle(v, low, peak, high):
    if v <= low or v >= high:
        return 1.0 if v == peak else 0.0
    if v == peak:
        return 1.0
    return (v - low) / (peak - low) if v < peak else (high - v) / (high - peak)


def correlation(xs, ys):
    """Pearson's correlation; 0 where it is not defined."""
    count, x_sum, y_sum = len(xs), 0.0, 0.0
    for x, y in zip(xs, ys, strict=True):
        x_sum, y_sum = x_sum + x, y_sum + y
    x_mean, y_mean = x_sum / count, y_sum / count
    xy = xx = yy = 0.0
    for x, y in zip(xs, ys, strict=True):
        xy += (x - x_mean) * (y - y_mean)
        xx += (x - x_mean) * (x - x_mean)
        yy += (y - y_mean) * (y - y_mean)
    return xy / math.sqrt(xx * yy) if xx * yy > 0.0 else 0.0


def membership(term, row):
    """Nan where the cell is missing."""
    kind, column, *numbers = term
    v = row[column]
    if v != v:
        return v
    if kind == "is":
        return float(v == numbers[0])
    if kind == "mid":
        low, peak, high, negative = numbers
        value = triangle(v, low, peak, high)
        return 1.0 - value if negative else value
    low, high = numbers
    share = min(max((v - low) / (high - low), 0.0), 1.0)
    return share if kind == "high" else 1.0 - share


def fuzzified(terms, row):
    found = [membership(term, row) for term in terms]
    least = [0.0 if m != m else m for m in found]
    return least, [1.0 if m != m else m for m in found]


def fuzzy_sets(columns, rows, targets, mid):
    """The terms of a class, attribute by attribute."""
    terms = []
    for j, values in enumerate(columns):
        known = [(row[j], y) for row, y in zip(rows, targets, strict=True) if row[j] == row[j]]
        if values is not None:
            if len({v for v, _ in known if v in range(values)}) > 1:
                terms += [("is", j, code) for code in range(values)]
            continue
        if len({v for v, _ in known}) < 2:
            continue
        low, high = min(v for v, _ in known), max(v for v, _ in known)
        terms += [("low", j, low, high), ("high", j, low, high)]
        best, at, negative = 0.0, 0, False
        for i in range(101 if mid else 0):
            peak = low + i * (high - low) / 100.0
            r = correlation([triangle(v, low, peak, high) for v, _ in known], [y for _, y in known])
            if abs(r) > best:
                best, at, negative = abs(r), i, r < 0.0
        peak = low + at * (high - low) / 100.0
        if 0 < at < 100 and low < peak < high:
            terms.append(("mid", j, low, peak, high, negative))
    return terms


def refitted(terms, rows):
    """LOW and HIGH over the range of these rows; a column that does not vary keeps its range."""
    new = []
    for term in terms:
        known = [row[term[1]] for row in rows if row[term[1]] == row[term[1]]]
        if term[0] in ("low", "high") and len(set(known)) > 1:
            term = (*term[:2], min(known), max(known))
        new.append(term)
    return new


def z_paired(e0, e1):
    """Paired one-sided z of losses; inf where the differences are one positive number."""
    size, total = len(e0), 0.0
    for a, b in zip(e0, e1, strict=True):
        total += a - b
    mean, squares = total / size, 0.0
    if not mean > 0.0:
        return 0.0
    for a, b in zip(e0, e1, strict=True):
        gap = (a - b) - mean
        squares += gap * gap
    variance = squares / (size - 1)
    return mean * math.sqrt(size) / math.sqrt(variance) if variance > 0.0 else math.inf


def z_shares(p0, p1, size):
    """One-sided z of two error rates."""
    if not p0 > p1:
        return 0.0
    variance = (p0 * (1.0 - p0) + p1 * (1.0 - p1)) / size
    return (p0 - p1) / math.sqrt(variance) if variance > 0.0 else math.inf


class PatternTree:
    """The tree of one class with its neighbours and their latest losses."""

    def __init__(self, learner, target):
        self.learner, self.target = learner, target
        rows = [row for row, _, _ in learner.buffer]
        targets = [self.wanted(label) for _, label, _ in learner.buffer]
        self.terms = fuzzy_sets(learner.columns, rows, targets, learner.mid)
        items = [fuzzified(self.terms, row) for row in rows]
        data = items, targets, [w for _, _, w in learner.buffer]
        self.tree = induced(
            len(self.terms),
            data,
            learner.beam_width,
            learner.min_improvement,
            learner.expanded_leaves,
            learner.max_leaves,
        )
        self.error = error(self.tree, *data)
        self.changes = []
        self.largest_z = 0.0
        self.surround()

    def wanted(self, label):
        return float(label == self.target)

    def surround(self):
        """Make the neighbours, and begin to compare them."""
        recent = self.learner.recent
        items = [fuzzified(self.terms, row) for row, _, _ in recent]
        data = items, [self.wanted(label) for _, label, _ in recent], [w for _, _, w in recent]
        self.neighbours = []
        if len(leaves(self.tree)) < self.learner.max_leaves:
            self.neighbours += [
                ("expansion", expanded(self.tree, path, op, term, *data))
                for path in chosen(self.tree, self.learner.expanded_leaves, *data)
                for op in EXPANDING
                for term in range(len(self.terms))
                if term != part(self.tree, path)
            ]
        for path in inner(self.tree):
            for child in part(self.tree, path)[2:]:
                self.neighbours.append(("pruning", replaced(self.tree, path, child)))
        self.losses = []

    def score(self, row):
        return score(self.tree, fuzzified(self.terms, row))

    def loss(self, y, s):
        if self.learner.loss == "zero_one":
            return float((s >= 0.5) != (y == 1.0))
        return (y - s) * (y - s) if self.learner.loss == "squared" else abs(y - s)

    def learn(self, row, label, at):
        item, y = fuzzified(self.terms, row), self.wanted(label)
        trees = [self.tree, *(tree for _, tree in self.neighbours)]
        self.losses.append([self.loss(y, score(tree, item)) for tree in trees])
        self.losses = self.losses[-self.learner.loss_window :]
        if len(self.losses) == self.learner.loss_window:
            self.compare(at)

    def compare(self, at):
        size = self.learner.loss_window
        rings = list(zip(*self.losses, strict=True))
        shares = self.learner.loss == "zero_one" and self.learner.classes == 2
        best, self.largest_z = None, 0.0
        for i, ring in enumerate(rings[1:]):
            z = z_shares(sum(rings[0]) / size, sum(ring) / size, size) if shares else 0.0
            z = z if shares else z_paired(rings[0], ring)
            self.largest_z = max(self.largest_z, min(z, 1.7976931348623157e308))
            lost = 0.0
            for loss in ring:
                lost += loss
            if z > self.learner.z_threshold and (best is None or lost < best[0]):
                best = lost, i, z
        if best is not None:
            kind, self.tree = self.neighbours[best[1]]
            self.changes.append((at, kind, best[2]))
            if self.learner.refit_ranges:
                self.terms = refitted(self.terms, [row for row, _, _ in self.learner.recent])
            self.surround()


class EFPT:
    def __init__(
        self,
        columns,
        classes,
        seed=0,
        *,
        warm_start=500,
        beam_width=5,
        min_improvement=0.0025,
        expanded_leaves=3,
        max_leaves=32,
        loss="squared",
        loss_window=100,
        z_threshold=2.32,
        recent_size=None,
        mid=True,
        refit_ranges=False,
    ):
        self.columns, self.classes = columns, classes
        self.warm_start, self.beam_width, self.min_improvement = (
            warm_start,
            beam_width,
            min_improvement,
        )
        self.expanded_leaves, self.max_leaves = expanded_leaves, max_leaves
        self.loss, self.loss_window, self.z_threshold = loss, loss_window, z_threshold
        self.recent_size = min(500, warm_start) if recent_size is None else recent_size
        self.mid, self.refit_ranges = mid, refit_ranges
        self.buffer, self.recent, self.learned = [], [], 0
        self.seen, self.shares, self.trees = set(), None, []

    def scores(self, item, row):
        if not self.trees:
            return self.shares or [math.nan] * self.classes
        row = [held(x) for x in row]
        found = [tree.score(row) for tree in self.trees]
        if self.classes == 2:
            found.append(1.0 - found[0])
        found = [s if c in self.seen else 0.0 for c, s in enumerate(found)]
        total = 0.0
        for s in found:
            total += s
        if total == 0.0:
            return [float(c in self.seen) / len(self.seen) for c in range(self.classes)]
        return [s / total for s in found]

    def predict(self, item, row):
        found = self.scores(item, row)
        return NONE if found[0] != found[0] else found.index(max(found))

    def learn(self, row, label, weight):
        row = [held(x) for x in row]
        self.seen.add(label)
        self.learned += 1
        if self.trees:
            self.recent = [*self.recent, (row, label, weight)][-self.recent_size :]
            for tree in self.trees:
                tree.learn(row, label, self.learned)
            return
        self.buffer.append((row, label, weight))
        if len(self.buffer) == self.warm_start:
            self.begin()

    def begin(self):
        """Make the trees; without a column that varies, the shares of the classes predict."""
        rows = [row for row, _, _ in self.buffer]
        if fuzzy_sets(self.columns, rows, [0.0] * len(rows), mid=False):
            self.recent = self.buffer[-self.recent_size :]
            described = [0] if self.classes == 2 else range(self.classes)
            self.trees = [PatternTree(self, target) for target in described]
        else:
            total = 0.0
            self.shares = [0.0] * self.classes
            for _, label, w in self.buffer:
                self.shares[label] += w
                total += w
            self.shares = [share / total for share in self.shares]
        self.buffer = []

"""The Hoeffding tree, slow and obvious: VFDT as MOA writes it down, one object a node.

A row is a list of floats (NaN: missing); `columns` holds None for a numeric column and the number
of declared values for a nominal one. Distributions are lists that grow up to the last class met,
as MOA's do: their length is the number of classes that the range of the merit is made of.
"""

from __future__ import annotations

import math

from scipy.special import ndtr

from oracles.learners import Counts, Gaussian

NONE = -1
WORST = -math.inf


def add(vector, at, weight):
    vector.extend([0.0] * (at + 1 - len(vector)))
    vector[at] += weight


def first_of_largest(vector):
    return max(range(len(vector)), key=lambda i: (vector[i], -i), default=NONE)


class Numeric(Gaussian):
    """One class of a numeric column: its normal distribution and its extremes."""

    def __init__(self):
        super().__init__()
        self.lowest, self.highest = math.inf, -math.inf

    def learn(self, x, weight):
        super().learn(x, weight)
        self.lowest, self.highest = min(self.lowest, x), max(self.highest, x)

    def sides(self, threshold):
        """Weights at most and above a threshold; None if the value is ignored."""
        if threshold < self.lowest:
            return None, self.weight
        if threshold >= self.highest:
            return self.weight, None
        variance = self.squares / (self.weight - 1.0) if self.weight > 1.0 else 0.0
        if variance == 0.0:
            return (self.weight, 0.0) if threshold <= self.mean else (0.0, self.weight)
        # Added and taken away as MOA does: a last bit can decide when a leaf is looked at again.
        deviation, away = math.sqrt(variance), threshold - self.mean
        height = 1.0 / (math.sqrt(2 * math.pi) * deviation)
        equal = height * math.exp(-(away * away / (2.0 * deviation * deviation))) * self.weight
        less = float(ndtr(away / deviation)) * self.weight - equal
        return less + equal, max(0.0, self.weight - equal - less)


def entropy(weights):
    total = sum(weights)
    return -sum(w / total * math.log2(w / total) for w in weights if w > 0)


def gini(weights):
    total = sum(weights)
    return 1.0 - sum((w / total) ** 2 for w in weights) if total > 0 else 0.0


class Leaf:
    def __init__(self, weights):
        self.weights = list(weights)
        self.last = sum(self.weights)
        self.observed = None  # a dictionary of classes for every column, once it has learned
        self.right_majority = self.right_bayes = 0.0


class Split:
    def __init__(self, column, kind, value, weights, children):
        self.column, self.kind, self.value = column, kind, value
        self.weights, self.children = list(weights), children

    def branch(self, row, declared):
        x = row[self.column]
        if x != x:
            return None
        if self.kind == "at most":
            return 0 if x <= self.value else 1
        if self.kind == "is":
            return 0 if x == self.value else 1
        return int(x) if is_declared(x, declared) else None


def is_declared(x, values):
    return x == x and x == int(x) and 0 <= x < values


class HoeffdingTree:
    def __init__(self, columns, classes, **parameters):
        self.columns, self.classes = columns, classes
        self.grace_period, self.delta = parameters["grace_period"], parameters["delta"]
        self.tau = parameters["tau"]
        self.leaf_kind = parameters.get("leaf_prediction", "nb_adaptive")
        self.gini = parameters.get("split_criterion", "info_gain") == "gini"
        self.binary_split = parameters.get("binary_split", False)
        self.merit_preprune = parameters.get("merit_preprune", True)
        self.root = Leaf([])

    def find(self, row):
        """The node where a row ends (None: an absent branch), and the splits and branches above."""
        node, way = self.root, []
        while isinstance(node, Split):
            branch = node.branch(row, self.columns[node.column])
            if branch is None:
                return node, way
            way.append((node, branch))
            node = node.children.get(branch)
        return node, way

    def filled(self, row):
        for j, (x, values) in enumerate(zip(row, self.columns, strict=True)):
            if x == x and (values is None or is_declared(x, values)):
                yield j, x

    def bayes(self, leaf, row):
        """Logarithms of prior times density; None if there is no class at all."""
        scores = []
        for c in range(len(leaf.weights)):
            score = math.log(leaf.weights[c]) if leaf.weights[c] > 0 else -math.inf
            for j, x in self.filled(row) if leaf.observed else ():
                known = leaf.observed[j].get(c)
                met = any(c in column for column in leaf.observed)
                score += known.log_density(x) if known else -1e300 if met else -math.inf
            scores.append(score)
        return scores

    def says(self, leaf, row):
        majority = first_of_largest(leaf.weights)
        if not leaf.observed or self.leaf_kind == "majority":
            return majority, majority
        scores = self.bayes(leaf, row)
        best = max(scores, default=-math.inf)
        return majority, scores.index(best) if best > -math.inf else majority

    def predict(self, row):
        node, way = self.find(row)
        while node is None or (sum(node.weights) == 0 and way):
            node = way.pop()[0]
        if isinstance(node, Split):
            return first_of_largest(node.weights)
        majority, bayes = self.says(node, row)
        if self.leaf_kind == "nb":
            return bayes
        return majority if node.right_majority > node.right_bayes else bayes

    def learn(self, row, label, weight):
        leaf, way = self.find(row)
        if leaf is None:
            leaf = Leaf([])
            way[-1][0].children[way[-1][1]] = leaf
        if isinstance(leaf, Leaf):
            self.learn_leaf(leaf, way, row, label, weight)

    def learn_leaf(self, leaf, way, row, label, weight):
        majority, bayes = self.says(leaf, row)
        bayes = bayes if sum(leaf.weights) > 0 else 0
        leaf.right_majority += weight * (majority == label)
        leaf.right_bayes += weight * (bayes == label)
        add(leaf.weights, label, weight)
        if leaf.observed is None:
            leaf.observed = [{} for _ in self.columns]
        for j, x in self.filled(row):
            kind = Numeric if self.columns[j] is None else Counts
            leaf.observed[j].setdefault(label, kind()).learn(x, weight)
        seen = sum(leaf.weights)
        if seen - leaf.last >= self.grace_period:
            self.attempt(leaf, way, seen)
            leaf.last = seen

    def attempt(self, leaf, way, seen):
        if sum(w != 0 for w in leaf.weights) < 2:
            return
        suggestions = [(WORST if not self.gini else 1.0 - gini(leaf.weights), None, None)]
        if not self.merit_preprune:
            suggestions = []
        for j, values in enumerate(self.columns):
            tried = self.numeric(leaf, j) if values is None else self.nominal(leaf, j)
            best = None
            for kind, value, branches in tried:
                merit = self.merit(leaf.weights, branches)
                if best is None or merit > best[0] + (1e-12 if kind == "is" else 0.0):
                    best = merit, (j, kind, value), branches
            if best:
                suggestions.append(best)
        suggestions.sort(key=lambda s: s[0])  # of equals, the last wins
        if not suggestions:
            return
        classes = max(2, len(leaf.weights))
        span = 1.0 if self.gini else math.log2(classes)
        bound = math.sqrt(span * span * math.log(1 / self.delta) / (2 * seen))
        if len(suggestions) > 1 and not bound < self.tau:
            gap = suggestions[-1][0] - suggestions[-2][0]
            if not gap > bound:  # nan where both are the worst
                return
        _, test, branches = suggestions[-1]
        if test is None:  # not to split has won: MOA lets the leaf begin anew
            leaf.observed, leaf.right_majority, leaf.right_bayes = None, 0.0, 0.0
            return
        split = Split(*test, leaf.weights, {i: Leaf(b) for i, b in enumerate(branches)})
        if way:
            way[-1][0].children[way[-1][1]] = split
        else:
            self.root = split

    def numeric(self, leaf, j):
        classes = leaf.observed[j]
        lowest = min((c.lowest for c in classes.values()), default=math.inf)
        highest = max((c.highest for c in classes.values()), default=-math.inf)
        for i in range(10):
            threshold = (highest - lowest) / 11 * (i + 1) + lowest
            if lowest < threshold < highest:
                branches = [], []
                for c in sorted(classes):
                    for branch, weight in zip(branches, classes[c].sides(threshold), strict=True):
                        if weight is not None:
                            add(branch, c, weight)
                yield "at most", threshold, branches

    def nominal(self, leaf, j):
        classes = leaf.observed[j]
        span = max((max(c.counts) + 1 for c in classes.values()), default=0)

        def branches(where, count):
            lists = [[] for _ in range(int(count))]
            for c in sorted(classes):
                for code in range(int(max(classes[c].counts)) + 1):
                    add(lists[where(code)], c, classes[c].counts.get(code, 0.0))
            return lists

        if not self.binary_split:
            yield "which", None, branches(lambda code: code, span)
        for value in range(int(span)):
            yield "is", value, branches(lambda code, value=value: int(code != value), 2)

    def merit(self, before, branches):
        sums = [sum(branch) for branch in branches]
        total = sum(sums)
        if self.gini:
            if total == 0:
                return WORST
            return 1.0 - sum(s / total * gini(b) for s, b in zip(sums, branches, strict=True))
        if total == 0 or sum(s / total > 0.01 for s in sums) < 2:
            return WORST
        after = sum(s / total * entropy(b) for s, b in zip(sums, branches, strict=True) if s > 0)
        return entropy(before) - after

    def leaves(self):
        def below(node):
            children = node.children.values() if isinstance(node, Split) else ()
            return sum(map(below, children)) if isinstance(node, Split) else 1

        return below(self.root)

"""Ensembles of trees as MOA's sources read: one item, one member after the other.

Trees are handed in (`plant` makes one that knows nothing); what they do is not repeated here.
"""

from __future__ import annotations

import math

import numpy as np

from oracles.detectors import _cut, mix


def poisson(lambda_value, seed, member, nth):
    """How often a member learns the `nth` item: inverse of the distribution, by counters."""
    draw = mix(mix(mix(seed) ^ member) ^ nth) / 2**64
    k, chance, total = 0, math.exp(-lambda_value), math.exp(-lambda_value)
    while draw >= total and k < 1000:
        k += 1
        chance *= lambda_value / k
        total += chance
    return k


class Window:
    """ADWIN over wrong predictions, every cut tried every 32."""

    def __init__(self, delta):
        self.delta, self.rows, self.ticks = delta, [[]], 0

    def all(self):
        return [x for row in self.rows for bucket in row for x in bucket]

    def mean(self):
        held = self.all()
        return sum(held) / len(held) if held else 0.0

    def rises(self, wrong):
        """Add a prediction; return whether the error has risen."""
        before = self.mean()
        return self.cuts(wrong) and self.mean() > before

    def cuts(self, wrong):
        """Add a prediction; return whether the window was cut."""
        self.rows[0].append([float(wrong)])
        self.ticks += 1
        for i in range(len(self.rows)):
            if len(self.rows[i]) > 5:
                if i + 1 == len(self.rows):
                    self.rows.append([])
                self.rows[i + 1].append(self.rows[i][0] + self.rows[i][1])
                del self.rows[i][:2]
        cut = False
        if self.ticks % 32 == 0 and len(self.all()) > 10:
            while _cut(self.rows, self.delta, 5, least=7):
                cut = True
                del self.rows[-1][0]
                if not self.rows[-1]:
                    del self.rows[-1]
        return cut


def right(tree, row, label):
    return max(0, tree.says(row)) == label


class Bagging:
    """Leveraging bagging, and with `at_once` ADWIN bagging."""

    def __init__(self, plant, classes, members, lambda_value, delta, seed, at_once):
        self.plant, self.classes, self.lambda_value, self.seed = plant, classes, lambda_value, seed
        self.delta, self.at_once, self.learned, self.drifts = delta, at_once, 0, 0
        self.trees = [plant() for _ in range(members)]
        self.windows = [Window(delta) for _ in range(members)]

    def votes(self, row):
        votes = np.zeros(self.classes)
        for tree in self.trees:
            shares = tree.shares(row)
            if not np.isnan(shares[0]):
                votes += shares
        return votes

    def learn(self, row, label, weight=1.0):
        risen = False
        for member, tree in enumerate(self.trees):
            times = poisson(self.lambda_value, self.seed, member, self.learned)
            if times:
                tree.learn(row, label, times * weight)
            risen |= self.windows[member].rises(not right(tree, row, label))
        self.learned += 1
        if risen:
            self.drifts += 1
            means = [window.mean() for window in self.windows]
            worst = int(np.argmax(means))
            if means[worst] > 0:
                self.trees[worst], self.windows[worst] = self.plant(), Window(self.delta)
                if self.at_once:
                    self.trees[worst].learn(row, label, weight)


class Forest:
    """Adaptive random forest; the trees choose the columns of their leaves."""

    def __init__(self, plant, classes, members, lambda_value, warning, drift, seed, weighted=True):
        self.plant, self.classes, self.lambda_value, self.seed = plant, classes, lambda_value, seed
        self.warning, self.drift, self.weighted, self.learned = warning, drift, weighted, 0
        self.trees = [plant() for _ in range(members)]
        self.next = [None] * members
        self.warnings = [Window(warning) for _ in range(members)]
        self.drifts = [Window(drift) for _ in range(members)]
        self.right = [0.0] * members
        self.predicted = [0.0] * members
        self.replaced = self.warned = 0

    def votes(self, row):
        votes = np.zeros(self.classes)
        for member, tree in enumerate(self.trees):
            shares = tree.shares(row)
            if not np.isnan(shares[0]):
                by_accuracy = self.weighted and self.right[member] > 0
                voice = 100 * self.right[member] / self.predicted[member] if by_accuracy else 1.0
                votes += shares * voice
        return votes

    def learn(self, row, label, weight=1.0):
        for m in range(len(self.trees)):
            times = poisson(self.lambda_value, self.seed, m, self.learned)
            self.predicted[m] += weight
            self.right[m] += weight * right(self.trees[m], row, label)
            if not times:
                continue
            self.trees[m].learn(row, label, times * weight)
            if self.next[m] is not None:
                self.next[m].learn(row, label, weight)
            wrong = not right(self.trees[m], row, label)
            if self.warnings[m].rises(wrong):
                self.warned += 1
                self.next[m], self.warnings[m] = self.plant(), Window(self.warning)
            if self.drifts[m].rises(wrong):
                self.replaced += 1
                if self.next[m] is None:
                    self.trees[m] = self.plant()
                else:
                    self.trees[m], self.next[m] = self.next[m], None
                    self.warnings[m] = Window(self.warning)
                self.drifts[m] = Window(self.drift)
                self.right[m] = self.predicted[m] = 0.0
        self.learned += 1

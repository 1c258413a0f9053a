"""The Hoeffding adaptive tree, slow and obvious: MOA's, on top of the slow Hoeffding tree.

`times(leaf, nth, learned)` is how often a leaf learns an item: the `nth` leaf that learns this
item, after `learned` items. `by_counter` draws as the native tree does, `JavaDraws` as MOA.
"""

from __future__ import annotations

import math

from oracles.detectors import uniform
from oracles.draws import mix
from oracles.ensembles import Window
from oracles.hoeffding_tree import HoeffdingTree, Leaf, Split

LONG, DOUBT = 300, 0.05


def by_counter(seed):
    def times(leaf, nth, learned):
        draw, k, chance = uniform(mix(seed) ^ nth, learned), 0, math.exp(-1.0)
        total = chance
        while draw >= total and k < 8:
            k += 1
            chance /= k
            total += chance
        return max(1, k)

    return times


class JavaDraws:
    """Every leaf of MOA's draws from a `java.util.Random(1)` of its own."""

    def __call__(self, leaf, nth, learned):
        if not hasattr(leaf, "java"):
            leaf.java = (1 ^ 0x5DEECE66D) & (2**48 - 1)
        draw = ((self._bits(leaf, 26) << 27) + self._bits(leaf, 27)) * 2.0**-53
        product = total = 1.0
        threshold, i = draw * math.exp(1.0), 1
        while i < 100 and total <= threshold:
            product /= i
            total += product
            i += 1
        return max(1, i - 1)

    def _bits(self, leaf, count):
        leaf.java = (leaf.java * 0x5DEECE66D + 0xB) & (2**48 - 1)
        return leaf.java >> (48 - count)


class HoeffdingAdaptiveTree(HoeffdingTree):
    def __init__(self, columns, classes, times, drift_delta=0.002, **parameters):
        super().__init__(columns, classes, **parameters)
        self.times, self.drift_delta, self.learned = times, drift_delta, 0
        self.started = self.switched = self.dropped = 0

    def learn(self, row, label, weight):
        guess = max(0, self.predict(row))
        self.learn_rows(self.root, [], row, (label, weight), guess)
        self.learned += 1

    def learn_rows(self, node, way, row, item, guess):
        """Learn at a node of the tree, and at all below it on the row's way."""
        label, nth = item[0], 0
        while isinstance(node, Split):
            beside, replaced = self.weigh(node, way, guess != label)
            if beside is not None:
                if not replaced:
                    self.watch(beside, self.says_beside(beside, row) != label)
                self.learn_often(beside, way, row, item, nth)
                nth += 1
                if self.at(way) is not node:
                    self.switched += not replaced
                    return
            branch = node.branch(row, self.columns[node.column])
            if branch is None:
                return
            way = [*way, (node, branch)]
            node = node.children.setdefault(branch, Leaf([]))
        self.learn_often(node, way, row, item, nth)

    def at(self, way):
        """The node at the end of a path."""
        return way[-1][0].children[way[-1][1]] if way else self.root

    def put(self, way, node):
        if way:
            way[-1][0].children[way[-1][1]] = node
        else:
            self.root = node

    def watch(self, node, wrong):
        """Give a node its error; return whether the error has risen."""
        if not hasattr(node, "window"):
            node.window = Window(self.drift_delta)
        before = node.window.mean()
        return node.window.cuts(wrong) and not before > node.window.mean()

    def weigh(self, split, way, wrong):
        """The leaf beside a split, and whether it has just replaced the split."""
        if self.watch(split, wrong):
            split.beside = Leaf([])
            self.started += 1
            return split.beside, False
        beside = getattr(split, "beside", None)
        if beside is None or not hasattr(beside, "window"):
            return beside, False
        width, wide = len(split.window.all()), len(beside.window.all())
        if width > LONG and wide > LONG:
            old, new = split.window.mean(), beside.window.mean()
            by_size = 1 / wide + 1 / width
            bound = math.sqrt(2 * old * (1 - old) * math.log(2 / DOUBT) * by_size)
            if bound < old - new:
                self.put(way, beside)
                self.switched += 1
                return beside, True
            if bound < new - old:
                split.beside = None
                self.dropped += 1
        return split.beside, False

    def says_beside(self, leaf, row):
        """Prediction of the leaf beside a split: the first class before any label."""
        majority, bayes = self.says(leaf, row)
        by_majority = self.leaf_kind == "nb_adaptive" and leaf.right_majority > leaf.right_bayes
        return max(0, majority if by_majority else bayes)

    def learn_often(self, leaf, way, row, item, nth):
        label, weight = item
        self.learn_leaf(leaf, way, row, label, weight * self.times(leaf, nth, self.learned))

"""FIMT-DD and its option trees, slow and obvious: leaves keep their items and count anew."""

from __future__ import annotations

import math

from oracles.detectors import ALARM, adwin_steps, uniform
from oracles.draws import MASK, mix

NAN = math.nan


class JavaRandom:
    """`java.util.Random`."""

    def __init__(self, seed):
        self.state = (seed ^ 0x5DEECE66D) & ((1 << 48) - 1)

    def bits(self, count):
        self.state = (self.state * 0x5DEECE66D + 0xB) & ((1 << 48) - 1)
        return self.state >> (48 - count)

    def unit(self):
        high = self.bits(26) << 27
        return (high + self.bits(27)) / (1 << 53)

    def below(self, bound):
        if bound & (bound - 1) == 0:
            return (bound * self.bits(31)) >> 31
        while True:
            bits = self.bits(31)
            if bits - bits % bound + bound - 1 < 1 << 31:
                return bits % bound


class Moments:
    """Mean and deviation of weighted numbers."""

    def __init__(self):
        self.seen = []

    def add(self, x, weight):
        if not math.isnan(x):
            self.seen.append((x, weight))

    @property
    def weight(self):
        return math.fsum(w for _, w in self.seen)

    @property
    def mean(self):
        return math.fsum(w * x for x, w in self.seen) / self.weight if self.seen else 0.0

    @property
    def deviation(self):
        if len({x for x, _ in self.seen}) < 2:
            return 0.0
        mean = self.mean
        return math.sqrt(math.fsum(w * (x - mean) ** 2 for x, w in self.seen) / self.weight)

    def scaled(self, x):
        deviation = self.deviation
        return 0.0 if math.isnan(x) or deviation == 0 else (x - self.mean) / (3 * deviation)


class Watch:
    """Page-Hinkley."""

    def __init__(self, seen=0.0, errors=0.0, detect=True):
        self.seen, self.errors, self.detect = seen, errors, detect
        self.path = [0.0]
        self.began = False

    def restart(self):
        self.path, self.began, self.detect = [0.0], False, True

    def alarm(self, error, page_hinkley_delta, threshold):
        if self.seen == 0:
            return False
        step = self.path[-1] + error - self.errors / self.seen - page_hinkley_delta
        self.path = [*self.path, step] if self.began else [step]
        self.began = True
        return step - min(self.path) > threshold


class Leaf:
    orphan = False

    def __init__(self, tree, prior, plane=None, detect=True):
        self.items, self.prior, self.plane, self.detect = [], prior, plane, detect
        self.steps = 0.0
        self.errors = 0.0
        self.checked = 0.0
        self.columns = tree.columns_of_a_leaf()

    @property
    def seen(self):
        return sum(w for _, _, w in self.items)

    def mean(self):
        if not self.items:
            return self.prior
        return math.fsum(w * y for _, y, w in self.items) / self.seen


class Split:
    other = None
    orphan = False

    def __init__(self, column, value, low, high, watch):
        self.column, self.value, self.children, self.watch = column, value, [low, high], watch

    @property
    def seen(self):
        return self.watch.seen

    def branch(self, row):
        x = row[self.column]
        if math.isnan(x):
            return int(self.children[1].seen > self.children[0].seen)
        return int(x > self.value)


class Options:
    other = None
    orphan = False

    def __init__(self, children, watch):
        self.children, self.watch = children, watch
        self.lost = [0.0] * len(children)

    @property
    def seen(self):
        return self.watch.seen


class Beside:
    def __init__(self, root):
        self.children = [root]
        self.seen = self.checked = 0
        self.here = self.there = 0.0


def times(weight):
    return min(100, math.ceil(weight))


class FIMTDD:
    inherit = True
    options = None

    def __init__(
        self,
        columns,
        classes=0,
        seed=0,
        *,
        grace_period=200,
        delta=1e-7,
        tau=0.05,
        leaf_prediction="perceptron",
        learning_rate=0.02,
        learning_rate_decay=0.001,
        page_hinkley_delta=0.005,
        page_hinkley_threshold=50.0,
        fading_factor=0.995,
        alternate_tree_t_min=150,
        alternate_tree_time=1500,
        as_moa=False,
    ):
        self.grace_period, self.delta, self.tau, self.leaf_prediction = (
            grace_period,
            delta,
            tau,
            leaf_prediction,
        )
        # As MOA does: a node whose parent is unknown there (an orphan) becomes the root.
        self.as_moa, self.heir = as_moa, None
        self.learning_rate, self.learning_rate_decay = learning_rate, learning_rate_decay
        self.page_hinkley_delta = page_hinkley_delta
        self.page_hinkley_threshold = page_hinkley_threshold
        self.fading_factor = fading_factor
        self.alternate_tree_t_min = alternate_tree_t_min
        self.alternate_tree_time = alternate_tree_time
        self.kinds = columns
        self.inputs = [Moments() for _ in columns]
        self.target = Moments()
        self.random = JavaRandom(seed)
        self.trees = 1
        self.alarms = self.switches = 0
        # The root hangs on a hook, so that every node is somebody's child.
        self.hook = [Leaf(self, 0.0)]

    def columns_of_a_leaf(self):
        return [j for j, values in enumerate(self.kinds) if values is None]

    # predicting

    def predict(self, item, row):
        if self.as_moa and self.leaf_prediction == "perceptron" and 0 < self.target.weight <= 1:
            return 0.0
        return self.say(self.hook[0], row) if self.target.seen else NAN

    def say(self, node, row):
        if isinstance(node, Split):
            return self.say(node.children[node.branch(row)], row)
        if isinstance(node, Options):
            predictions = [self.say(child, row) for child in node.children]
            if self.options["best"]:
                return predictions[node.lost.index(min(node.lost))]
            return sum(predictions) / len(predictions)
        if self.leaf_prediction == "mean":
            return node.mean()
        if node.plane is None:
            return self.target.mean
        return self.target.mean + 3 * self.target.deviation * self.linear(node.plane, row)

    def scaled(self, row):
        numbers = [
            moments.scaled(x) if values is None else 0.0
            for moments, x, values in zip(self.inputs, row, self.kinds, strict=True)
        ]
        return [*numbers, 1.0 if self.target.weight > 1 else 0.0]

    def linear(self, plane, row):
        return math.fsum(w * x for w, x in zip(plane, self.scaled(row), strict=True))

    def relative(self, error):
        deviation = self.target.deviation
        return abs(error) / (3 * deviation) if deviation else 0.0

    # learning

    def learn(self, row, label, weight):
        for moments, x in zip(self.inputs, row, strict=True):
            moments.add(x, weight)
        self.target.add(label, weight)
        predicted = self.say(self.hook[0], row)
        error = self.relative(label - predicted)
        level = int(isinstance(self.hook[0], Options))
        self.learn_rows(self.hook, 0, (row, label, weight), predicted, error, True, False, level)
        if self.heir is not None:
            self.hook[0], self.heir = self.heir, None

    def learn_rows(self, home, at, item, predicted, error, grow, beside, level, below=False):
        """`below`: from a split on, and not from above."""
        node = home[at]
        _, label, weight = item
        if isinstance(node, Leaf):
            self.learn_leaf(home, at, item, grow, beside, level)
            return
        if self.as_moa and isinstance(node, Options) and not below:
            self.learn_options(node, item, predicted, error, grow, beside, level)
            return
        node.watch.seen += weight
        node.watch.errors += weight * error
        switched = False
        if node.other is not None and not beside:
            other = node.other
            lost_there = (label - self.say(other.children[0], item[0])) ** 2
            for _ in range(times(weight)):
                other.here = (label - predicted) ** 2 + self.fading_factor * other.here
                other.there = lost_there + self.fading_factor * other.there
                other.seen += 1
            due = other.seen - other.checked >= self.alternate_tree_t_min
            if due:
                other.checked = other.seen
            if due and other.here > other.there:
                home[at] = other.children[0]
                self.forget_options(node)
                self.switches += 1
                self.restart(home[at])
                switched = True
                if self.as_moa and node.orphan:
                    self.heir = home[at]
                home[at].orphan = True
            elif due and other.seen >= self.alternate_tree_time:
                node.other = None
                self.forget_options(other)
                if grow:
                    self.restart(node)
                if self.as_moa and isinstance(node, Options):
                    self.learn_each(node, item, error, grow, beside, level)
                    return
            else:
                left_out = int(self.as_moa and isinstance(node, Options))
                where = max(0, level - left_out)
                self.learn_rows(other.children, 0, item, predicted, error, True, True, where)
                grow = False
        node = home[at]
        if isinstance(node, Leaf):
            self.learn_leaf(home, at, item, grow, beside, level)
            return
        if (
            not switched
            and not beside
            and node.watch.detect
            and node.watch.alarm(error, self.page_hinkley_delta, self.page_hinkley_threshold)
        ):
            self.begin_beside(node)
        if isinstance(node, Split):
            side = node.branch(item[0])
            self.learn_rows(
                node.children, side, item, predicted, error, grow, beside, level + 1, below=True
            )
            return
        self.learn_options(node, item, predicted, error, grow, beside, level)

    def begin_beside(self, node):
        self.alarms += 1
        node.other = Beside(Leaf(self, 0.0 if self.as_moa else self.target.mean))
        node.other.children[0].orphan = self.as_moa and self.options is not None
        self.silence(node)

    def learn_options(self, node, item, predicted, error, grow, beside, level):
        row, label, weight = item
        if self.as_moa and node.watch.detect:
            node.watch.errors += abs(predicted - label)
            if node.watch.alarm(
                abs(predicted - label), -self.page_hinkley_delta, self.page_hinkley_threshold
            ):
                self.begin_beside(node)
        grow = grow and node.other is None
        each = [self.say(child, row) for child in node.children]
        for _ in range(times(weight)):
            node.lost = [
                lost * self.options["fading"] + (one - label) ** 2
                for lost, one in zip(node.lost, each, strict=True)
            ]
        self.learn_each(node, item, error, grow, beside, level)

    def learn_each(self, node, item, error, grow, beside, level):
        each = [self.say(child, item[0]) for child in node.children]
        for i, one in enumerate(each):
            self.learn_rows(node.children, i, item, one, error, grow, beside, level)

    def silence(self, node):
        if isinstance(node, Leaf):
            node.detect = False
            return
        node.watch.detect = False
        for child in node.children:
            self.silence(child)

    def restart(self, node):
        if isinstance(node, Leaf):
            node.detect = True
        elif node.other is None:
            node.watch.restart()
            for child in node.children:
                self.restart(child)

    def forget_options(self, node):
        if isinstance(node, Leaf):
            return
        if isinstance(node, Options) and not self.as_moa:
            self.trees = max(1, self.trees - len(node.children))
        for child in node.children:
            self.forget_options(child)
        if getattr(node, "other", None) is not None:
            self.forget_options(node.other)

    def learn_leaf(self, home, at, item, grow, beside, level):
        leaf = home[at]
        row, label, weight = item
        if self.as_moa and leaf.orphan and not beside:
            level = 0
        if leaf.columns is None:
            leaf.columns = self.drawn_columns()
        leaf.items.append(item)
        error = label - self.say(leaf, row)
        if self.as_moa:
            leaf.errors += weight * abs(self.target.scaled(abs(error)))
        else:
            leaf.errors += weight * self.relative(error)
        if self.leaf_prediction == "perceptron":
            if leaf.plane is None:
                leaf.plane = [2 * self.random.unit() - 1 for _ in range(len(row) + 1)]
            leaf.steps += weight
            rate = self.learning_rate / (1 + leaf.steps * self.learning_rate_decay)
            counted = min(weight, 100.0)
            for step in [1.0] * int(counted) + [counted % 1] * (counted % 1 > 0):
                gap = self.target.scaled(label) - self.linear(leaf.plane, row)
                leaf.plane = [
                    w + rate * step * gap * x
                    for w, x in zip(leaf.plane, self.scaled(row), strict=True)
                ]
        if grow and leaf.seen - leaf.checked >= self.grace_period:
            leaf.checked = leaf.seen
            self.look_for_split(home, at, level)
            if home[at] is not leaf and self.as_moa and leaf.orphan:
                self.heir = home[at]
                home[at].orphan = True

    def cuts(self, leaf):
        """(merit, column, value) of each column's best cut, the best last.

        Two columns can part a few items in the same way, and rounding then decides between them:
        so sums are added up here in the order of the values, as they are in the learner.
        """
        first = self.target.seen[0][0]
        found = []
        for column in leaf.columns:
            sums = {}
            for row, label, weight in leaf.items:
                if not math.isnan(row[column]):
                    w, y = sums.get(row[column], (0.0, 0.0))
                    weight = 1.0 if self.as_moa else weight
                    sums[row[column]] = (w + weight, y + weight * (label - first))
            if not sums:
                continue
            weight = total = 0.0
            for value in sorted(sums):
                weight, total = weight + sums[value][0], total + sums[value][1]
            if self.as_moa:
                weight = total = 0.0
                for _, label, w in leaf.items:
                    weight, total = weight + w, total + w * (label - first)
            best = (0.0, column, min(sums))
            left = low = 0.0
            for value in sorted(sums):
                left, low = left + sums[value][0], low + sums[value][1]
                right = weight - left
                if left >= 5 and right >= 5:
                    gap = low * right - (total - low) * left
                    merit = gap * gap / (left * right) * (1 / (weight * weight))
                    if merit > best[0]:
                        best = (merit, column, value)
            found.append(best)
        return sorted(found, key=lambda cut: cut[0])

    def look_for_split(self, home, at, level):
        leaf = home[at]
        found = self.cuts(leaf)
        if not found or (found[-1][0] <= 0 and not self.as_moa):
            return
        best = found[-1]
        bound = math.sqrt(math.log(1 / self.delta) / (2 * leaf.seen))
        near = [cut for cut in reversed(found) if best[0] > 0 and cut[0] / best[0] >= 1 - bound]
        options = self.options
        if len(found) == 1 or len(near) == 1:
            home[at] = self.split(leaf, best)
        elif options and self.trees < options["trees"] and level <= options["level"]:
            if self.as_moa:
                near = near[::-1]
            factor = len(near) * options["decay"] ** level
            remaining = options["trees"] - self.trees
            if near and (factor < 2 or remaining <= 1):
                home[at] = self.split(leaf, near[0])
            elif near:
                taken = [cut for i, cut in enumerate(near) if i <= factor and i < remaining]
                watch = Watch(detect=leaf.detect or self.as_moa)
                home[at] = Options([self.split(leaf, cut) for cut in taken], watch)
                self.trees += len(taken)
        elif bound < self.tau:
            home[at] = self.split(leaf, found[0] if options and self.as_moa else best)

    def split(self, leaf, cut):
        _, column, value = cut
        plane = leaf.plane if self.inherit else None
        prior = 0.0 if self.as_moa else leaf.mean()
        low, high = (Leaf(self, prior, plane, leaf.detect) for _ in range(2))
        if self.options is None:
            watch = Watch(leaf.seen, leaf.errors, leaf.detect)
        else:
            watch = Watch(detect=leaf.detect or self.as_moa)
        return Split(column, value, low, high, watch)


class ORTO(FIMTDD):
    def __init__(
        self,
        columns,
        classes=0,
        seed=0,
        *,
        max_trees=10,
        max_option_level=10,
        option_decay_factor=0.9,
        aggregation_method="average",
        option_fading_factor=0.9995,
        inherit=True,
        as_moa=False,
        **rest,
    ):
        self.inherit = inherit and not as_moa
        self.options = {
            "trees": max_trees,
            "level": max_option_level,
            "decay": option_decay_factor,
            "best": aggregation_method == "best",
            "fading": option_fading_factor,
        }
        super().__init__(columns, classes, seed, as_moa=as_moa, **rest)


class Rooted(FIMTDD):
    """A tree of a forest: each leaf may split on some columns only."""

    def __init__(self, columns, seed, size, as_moa, **rest):
        self.size = size
        super().__init__(columns, 0, seed, leaf_prediction="mean", as_moa=as_moa, **rest)

    def columns_of_a_leaf(self):
        # MOA draws when the leaf sees its first item.
        return None if self.as_moa else self.drawn_columns()

    def drawn_columns(self):
        columns = list(range(len(self.kinds)))
        if self.as_moa:
            drawn = []
            while len(drawn) < min(self.size, len(columns)):
                column = self.random.below(len(columns))
                if column not in drawn:
                    drawn.append(column)
            columns = drawn
        else:
            for i in range(min(self.size, len(columns))):
                left = len(columns) - i
                pick = i + min(int(self.random.unit() * left), left - 1)
                columns[i], columns[pick] = columns[pick], columns[i]
        return sorted(j for j in columns[: self.size] if self.kinds[j] is None)


class AdaptiveRandomForestRegression:
    def __init__(
        self,
        columns,
        classes=0,
        seed=0,
        *,
        n_models=10,
        lambda_value=6.0,
        max_features=0.6,
        warning_delta=0.01,
        drift_delta=0.001,
        background_learner=True,
        monitored="prediction",
        as_moa=False,
        **tree,
    ):
        self.columns, self.seed, self.tree, self.as_moa = columns, seed, tree, as_moa
        share = 1.0 if max_features is None else max_features
        self.size = min(max(1, math.floor(share * len(columns) + 0.5)), max(1, len(columns)))
        self.lambda_value, self.background, self.watch = lambda_value, background_learner, monitored
        self.deltas = {"warning": warning_delta, "drift": drift_delta}
        self.learned = 0
        self.random = JavaRandom(seed)
        self.members = [
            {"tree": self.plant(i, 0), "beside": None, "born": 0, "warning": [], "drift": []}
            for i in range(n_models)
        ]
        self.alarms = {"warning": 0, "drift": 0}

    def plant(self, member, born):
        seed = 1 if self.as_moa else mix(mix(self.seed) ^ mix(member << 32 | born))
        return Rooted(self.columns, seed, self.size, self.as_moa, **self.tree)

    def times(self, member):
        draw = uniform(mix(self.seed) ^ mix(~member & MASK), self.learned)
        if self.as_moa:
            draw = self.random.unit()
        chance = total = math.exp(-self.lambda_value)
        k = 0
        while draw >= total and k < 40:
            k += 1
            chance *= self.lambda_value / k
            total += chance
        return max(k, int(self.learned == 0 and not self.as_moa))

    def predict(self, item, row):
        predictions = [member["tree"].predict(item, row) for member in self.members]
        if self.as_moa and self.learned:
            predictions = [0.0 if math.isnan(x) else x for x in predictions]
        predictions = [x for x in predictions if not math.isnan(x)]
        return sum(predictions) / len(predictions) if predictions else NAN

    def alarm(self, member, which, seen):
        """Whether an ADWIN that has observed this column detects an increase at its end."""
        member[which].append(seen)
        steps = adwin_steps(member[which], self.deltas[which], 32, 5, 5, 10, False, least=7)
        (_, before), (state, after) = [(None, 0.0), *steps][-2:]
        return state == ALARM and after > before

    def learn(self, row, label, weight):
        for i, member in enumerate(self.members):
            k = self.times(i)
            if k == 0:
                continue
            member["tree"].learn(row, label, weight * k)
            if member["beside"] is not None:
                member["beside"].learn(row, label, weight)
            predicted = member["tree"].predict(0, row)
            seen = abs(predicted - label) if self.watch == "error" else predicted
            if self.background and self.alarm(member, "warning", seen):
                self.alarms["warning"] += 1
                member["born"] += 1
                member["beside"] = self.plant(i, member["born"])
                member["warning"] = []
            if self.alarm(member, "drift", seen):
                self.alarms["drift"] += 1
                member["drift"] = []
                if member["beside"] is not None:
                    member["tree"], member["beside"] = member["beside"], None
                    member["warning"] = []
                else:
                    member["born"] += 1
                    member["tree"] = self.plant(i, member["born"])
        self.learned += 1

"""Slow, obvious twins of the native feature selectors, and of the measures of selections.

A row is a list of floats (NaN: missing); `columns` holds None for a numeric column and the number
of declared values for a nominal one; a label is a class code. `selected` gives one boolean per
feature.
"""

from __future__ import annotations

import math

from oracles.learners import Inputs, hold, in_eights, mix

NAN = math.nan


def largest(scores, count, last=False):
    """One boolean per score: whether it is one of the `count` largest; of equals the first."""
    order = sorted(range(len(scores)), key=lambda j: (-scores[j], -j if last else j))
    chosen = set(order[:count])
    return [j in chosen for j in range(len(scores))]


def without_noise(size):
    """A size rounded to 41 binary digits: OFS compares sizes so."""
    mantissa, exponent = math.frexp(size)
    return math.ldexp(math.floor(mantissa * 2**41 + 0.5), exponent - 41)


def uniform(seed, item):
    return (mix(mix(seed) ^ item) >> 11) / 2**53


def draws(seed, key, count):
    return [uniform(mix(seed ^ mix(key)), j) for j in range(count)]


def padded(count):
    """The next multiple of eight."""
    return -(-count // 8) * 8


def groups(columns):
    """The inputs of each feature: numbers in groups of eight, then indicators of nominal ones."""
    number, indicator = 0, padded(sum(values is None for values in columns))
    out = []
    for values in columns:
        if values is None:
            out.append([number])
            number += 1
        else:
            out.append(list(range(indicator, indicator + values)))
            indicator += values
    return out


class AllFeatures:
    def __init__(self, columns, classes, seed=0):
        self.width = len(columns)

    def learn(self, row, label, weight):
        pass

    def selected(self):
        return [True] * self.width

    def scores(self):
        return [NAN] * self.width


class RandomFeatures:
    def __init__(self, columns, classes, seed=0, n_features=1, every=100):
        self.width, self.seed, self.count, self.every = len(columns), seed, n_features, every
        self.learned = 0

    def learn(self, row, label, weight):
        self.learned += 1

    def scores(self):
        return draws(self.seed, self.learned // self.every, self.width)

    def selected(self):
        return largest(self.scores(), self.count)


class LargestVariance:
    def __init__(self, columns, classes, seed=0, n_features=1, every=100):
        self.columns, self.count, self.every = columns, n_features, every
        self.items = []
        self.chosen = largest([0.0] * len(columns), n_features)

    def learn(self, row, label, weight):
        self.items.append((row, weight))
        if len(self.items) % self.every == 0:
            scores = [-math.inf if s != s else s for s in self.scores()]
            self.chosen = largest(scores, self.count)

    def scores(self):
        return [self.variance(j) for j in range(len(self.columns))]

    def variance(self, j):
        values = self.columns[j]
        if values is not None:
            weights = [sum(w for row, w in self.items if row[j] == code) for code in range(values)]
            total = sum(weights)
            return 1 - sum((w / total) ** 2 for w in weights) if total else NAN
        cells = [(hold(row[j]), w) for row, w in self.items if row[j] == row[j]]
        total = math.fsum(w for _, w in cells)
        if not total:
            return NAN
        mean = math.fsum(w / total * x for x, w in cells)
        return math.fsum(w / total * (x - mean) * (x - mean) for x, w in cells)

    def selected(self):
        return self.chosen


def entropy(weights):
    total = sum(weights)
    return -sum(w / total * math.log2(w / total) for w in weights if w > 0)


class InformationGain:
    def __init__(self, columns, classes, seed=0, n_features=1, window=1000, every=100, bins=10):
        self.columns, self.classes, self.count = columns, classes, n_features
        self.window, self.every, self.bins = window, every, bins
        self.items = []
        self.gains = [0.0] * len(columns)

    def learn(self, row, label, weight):
        self.items.append((row, label, weight))
        if len(self.items) % self.every == 0:
            self.gains = [self.gain(j) for j in range(len(self.columns))]

    def bin(self, j, x, low, high):
        if x != x:
            return None
        if self.columns[j] is not None:
            return int(x) if x in range(self.columns[j]) else None
        return min(int((x - low) / (high - low) * self.bins), self.bins - 1) if high > low else 0

    def gain(self, j):
        last = self.items[-self.window :]
        known = [row[j] for row, _, _ in last if row[j] == row[j]]
        low, high = min(known, default=0.0), max(known, default=0.0)
        tables = {}
        for row, label, weight in last:
            at = self.bin(j, row[j], low, high)
            tables.setdefault(at, [0.0] * self.classes)[label] += weight
        totals = [sum(column) for column in zip(*tables.values(), strict=True)]
        inside = sum(sum(t) / sum(totals) * entropy(t) for t in tables.values())
        return entropy(totals) - inside

    def scores(self):
        return self.gains

    def selected(self):
        return largest(self.gains, self.count)


class Plain(Inputs):
    """Numbers as they are; a missing one becomes the sum of those so far by their weight."""

    def __init__(self, columns):
        super().__init__(columns, standardise=False)
        self.sums = [[0.0, 0.0] for _ in columns]

    def learn(self, row, weight):
        for values, x, sums, moments in zip(
            self.columns, row, self.sums, self.moments, strict=True
        ):
            if values is None and x == x:
                sums[:] = sums[0] + weight, sums[1] + weight * hold(x)
                moments[:] = sums[0], sums[1] / sums[0], 0.0


class Linear:
    """Features as inputs: the numbers, then the indicators."""

    def __init__(self, columns, classes, standardise):
        self.inputs = Inputs(columns, True) if standardise else Plain(columns)
        self.groups = groups(columns)
        self.numbers = padded(sum(values is None for values in columns))
        self.width = self.numbers + sum(values or 0 for values in columns)
        self.positives = [1] if classes <= 2 else list(range(classes))

    def encoded(self, row, weight):
        self.inputs.learn(row, weight)
        numbers, indicators = self.inputs.encode(row)
        numbers += [0.0] * (self.numbers - len(numbers))
        return numbers + [on for column in indicators for on in column]


class OFS(Linear):
    def __init__(
        self,
        columns,
        classes,
        seed=0,
        n_features=1,
        learning_rate=0.2,
        penalty=0.01,
        variant="paper",
        epsilon=0.2,
        standardise=True,
    ):
        super().__init__(columns, classes, standardise)
        self.seed, self.count, self.rate, self.penalty = seed, n_features, learning_rate, penalty
        self.variant, self.epsilon = variant, epsilon
        self.w = [[0.0] * self.width for _ in self.positives]
        self.learned = 0
        self.margins = []

    def used(self, j):
        return any(w[i] != 0 for w in self.w for i in self.groups[j])

    def scores(self):
        return [
            abs(self.w[0][g[0]])
            if len(self.w) == 1 and len(g) == 1
            else math.sqrt(sum(sum(w[i] * w[i] for i in g) for w in self.w))
            for g in self.groups
        ]

    def look(self):
        """The features that are looked at."""
        random = draws(self.seed, self.learned, len(self.groups) + 1)
        explore = random.pop() < self.epsilon
        first = [not explore and self.used(j) for j in range(len(self.groups))]
        return largest([2.0 if f else r for f, r in zip(first, random, strict=True)], self.count)

    def chance(self, j):
        """The probability that a feature is looked at."""
        d, used = len(self.groups), sum(self.used(j) for j in range(len(self.groups)))
        kept = 1.0 if self.used(j) else max(self.count - used, 0) / (d - used)
        return self.epsilon * self.count / d + (1 - self.epsilon) * kept

    def learn(self, row, label, weight):
        if self.variant == "partial":
            seen = self.look()
            row = [x if s else NAN for x, s in zip(row, seen, strict=True)]
        x = self.encoded(row, weight)
        if self.variant == "partial":
            for j, group in enumerate(self.groups):
                for i in group:
                    x[i] = 0.0 if row[j] != row[j] else x[i]
        self.learned += 1
        self.step(x, label, weight)

    def step(self, x, label, weight):
        rate = weight * self.rate
        shrink = max(1 - self.penalty * rate, 0.0) if self.variant == "paper" else 1.0
        signs = [1.0 if label == positive else -1.0 for positive in self.positives]
        self.margins = []
        for sign, w in zip(signs, self.w, strict=True):
            total = 0.0
            for a, b in zip(w, x, strict=True):
                total += a * b
            self.margins.append(sign * total)
        if self.variant == "partial":
            chances = [self.chance(j) for j in range(len(self.groups))]
            for chance, group in zip(chances, self.groups, strict=True):
                for i in group:
                    x[i] = hold(x[i] / chance) if x[i] else 0.0
        self.seen = x
        for sign, w, margin in zip(signs, self.w, self.margins, strict=True):
            if margin <= 1:
                w[:] = [hold(shrink * a + rate * sign * b) for a, b in zip(w, x, strict=True)]
                length, radius = math.sqrt(in_eights(a * a for a in w)), 1 / math.sqrt(self.penalty)
                if length > radius:
                    w[:] = [a * (radius / length) for a in w]
            elif self.variant == "paper":
                w[:] = [shrink * a for a in w]
        if self.variant != "float" and min(self.margins) <= 1:
            sizes = [without_noise(score) for score in self.scores()]
            for kept, group in zip(largest(sizes, self.count), self.groups, strict=True):
                for w in self.w:
                    for i in group:
                        w[i] = w[i] if kept else 0.0

    def selected(self):
        if self.variant == "float":
            return largest(self.scores(), self.count, last=True)
        return [self.used(j) for j in range(len(self.groups))]


def hazard(z):
    """Density by probability of the standard normal distribution."""
    if z < -5:
        total = -z
        for term in range(60, 0, -1):
            total = -z + term / total
        return total
    density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    return density / (0.5 * math.erfc(-z / math.sqrt(2)))


class FIRES(Linear):
    def __init__(
        self,
        columns,
        classes,
        seed=0,
        n_features=1,
        batch_size=100,
        epochs=1,
        lr_mu=0.01,
        lr_sigma=0.01,
        penalty_s=0.01,
        penalty_r=0.01,
        sigma_min=0.0,
        standardise=True,
    ):
        super().__init__(columns, classes, standardise)
        self.count, self.batch_size, self.epochs = n_features, batch_size, epochs
        self.rates, self.penalties = (lr_mu, lr_sigma), (penalty_s, penalty_r)
        self.sigma_min = sigma_min
        self.mu = [[0.0] * self.width for _ in self.positives]
        self.sigma = [[1.0] * self.width for _ in self.positives]
        self.batch = []

    def learn(self, row, label, weight):
        self.batch.append((self.encoded(row, weight), label, weight))
        if len(self.batch) < self.batch_size:
            return
        for c, positive in enumerate(self.positives):
            for _ in range(self.epochs):
                by_mu, by_sigma = self.gradients(c, positive)
                self.mu[c] = [
                    hold(m + self.rates[0] * g) for m, g in zip(self.mu[c], by_mu, strict=True)
                ]
                self.sigma[c] = [
                    hold(s + self.rates[1] * g)
                    for s, g in zip(self.sigma[c], by_sigma, strict=True)
                ]
            self.sigma[c] = [max(s, self.sigma_min) for s in self.sigma[c]]
        self.batch = []

    def likelihood(self, mu, sigma, x, y):
        """z, and rho."""
        a = sum(m * v for m, v in zip(mu, x, strict=True))
        rho = math.sqrt(1 + sum(s * s * v * v for s, v in zip(sigma, x, strict=True)))
        return hold(y * a / rho), rho

    def gradients(self, c, positive):
        """Weighted means of the derivatives of log Phi(z) by each mu and sigma."""
        total = sum(weight for _, _, weight in self.batch)
        by_mu, by_sigma = [0.0] * self.width, [0.0] * self.width
        for x, label, weight in self.batch:
            y = 1.0 if label == positive else -1.0
            z, rho = self.likelihood(self.mu[c], self.sigma[c], x, y)
            h = hazard(z)
            for j, v in enumerate(x):
                by_mu[j] += weight * h * y * v / rho / total
                by_sigma[j] -= weight * h * z * self.sigma[c][j] * v * v / (rho * rho) / total
        return by_mu, by_sigma

    def scores(self):
        by_sigma, by_size = self.penalties

        def one(i):
            parts = [
                (mu[i] ** 2 - by_sigma * sigma[i] ** 2) / (2 * by_size)
                for mu, sigma in zip(self.mu, self.sigma, strict=True)
            ]
            return sum(parts) / len(parts)

        return [max(one(i) for i in group) for group in self.groups]

    def selected(self):
        return largest(self.scores(), self.count)


def stability(sets):
    """Eq. 7 of Haug, Tramountani and Kasneci, over a list of sets of booleans."""
    w = len(sets)
    if w < 2:
        return NAN
    m = len(sets[0])
    k = sum(map(sum, sets)) / w
    if k in (0, m):
        return NAN
    spread = 0.0
    for j in range(m):
        p = sum(one[j] for one in sets) / w
        spread += w / (w - 1) * p * (1 - p)
    return 1 - (spread / m) / (k / m * (1 - k / m))


def reduction_rate(sets):
    """1 - k / m, with the mean k of the sets."""
    return 1 - sum(map(sum, sets)) / len(sets) / len(sets[0])


def windows(count, kind, size, every):
    """(first, end) of the windows of a curve over `count` steps."""
    step = size if kind == "tumbling" else every
    ends = [t for t in range(1, count + 1) if t % step == 0 or t == count]
    for end in ends:
        if kind == "whole":
            yield 0, end
        elif kind == "sliding":
            yield max(0, end - size), end
        else:
            yield (end - 1) // size * size, end

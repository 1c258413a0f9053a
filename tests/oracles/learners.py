"""Slow, obvious twins of the native learners: plain Python, one item at a time.

A row is a list of floats (NaN: missing); `columns` holds None for a numeric column and the number
of declared values for a nominal one; a label is a class code or a real.
"""

from __future__ import annotations

import math

import numpy as np

NONE = -1
NAN = math.nan


def argmax(scores):
    """The first of the largest; NONE where there is nothing above -inf."""
    best = max(scores, default=-math.inf)
    return scores.index(best) if best > -math.inf else NONE


class Persistent:
    def __init__(self, columns, classes, seed=0, first=None):
        self.classes = classes
        self.last = NONE if first is None else first

    def predict(self, item, row):
        return self.last

    def scores(self, item, row):
        predicted = self.predict(item, row)
        return [NAN if predicted == NONE else float(c == predicted) for c in range(self.classes)]

    def learn(self, row, label, weight):
        self.last = label


class MajorityClass:
    def __init__(self, columns, classes, seed=0, first=None):
        self.first = first
        self.counts = [0.0] * classes

    def predict(self, item, row):
        if not any(self.counts):
            return NONE if self.first is None else self.first
        return argmax(self.counts)

    def scores(self, item, row):
        if any(self.counts):
            return [count / sum(self.counts) for count in self.counts]
        predicted = self.predict(item, row)
        return [
            NAN if predicted == NONE else float(c == predicted) for c in range(len(self.counts))
        ]

    def learn(self, row, label, weight):
        self.counts[label] += weight


def mix(z):
    """splitmix64's finaliser."""
    mask = 2**64 - 1
    z = (z + 0x9E3779B97F4A7C15) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return z ^ (z >> 31)


class PriorRandom:
    def __init__(self, columns, classes, seed=0):
        self.seed = seed
        self.counts = [0.0] * classes
        self.total = 0.0

    def predict(self, item, row):
        left = (mix(mix(self.seed) ^ item) >> 11) / 2**53 * self.total
        seen = [c for c, count in enumerate(self.counts) if count > 0]
        for c in seen:
            if left < self.counts[c]:
                return c
            left -= self.counts[c]
        return seen[-1] if seen else NONE

    def scores(self, item, row):
        return [count / self.total if self.total else NAN for count in self.counts]

    def learn(self, row, label, weight):
        self.counts[label] += weight
        self.total += weight


class Gaussian:
    """Mean and sum of squared departures; MOA's GaussianEstimator."""

    def __init__(self):
        self.weight = self.mean = self.squares = 0.0

    def learn(self, x, weight):
        self.weight += weight
        departure = x - self.mean
        self.mean += weight / self.weight * departure
        grown = self.squares + weight * departure * (x - self.mean)
        self.squares = max(self.squares, grown) if grown == grown else self.squares

    def log_density(self, x):
        if self.weight == 0.0:
            return -1e300  # never seen: as good as impossible
        variance = self.squares / (self.weight - 1.0) if self.weight > 1.0 else 0.0
        if variance < 5e-301:  # constant: any departure is as good as impossible
            squared = (x - self.mean) * (x - self.mean)
            return -(squared * 1e300)
        steepness = max(0.5 * (self.weight - 1.0) / self.squares, 1e-300)
        squared = (x - self.mean) * (x - self.mean)
        return 0.5 * math.log(steepness / math.pi) - squared * steepness


class Counts:
    """Weight of each code; MOA's NominalAttributeClassObserver."""

    def __init__(self):
        self.counts = {}

    def learn(self, code, weight):
        self.counts[code] = self.counts.get(code, 0.0) + weight

    def log_density(self, code):
        if not self.counts:
            return -1e300
        total = sum(self.counts.values()) + max(self.counts) + 1
        return math.log(self.counts.get(code, 0.0) + 1) - math.log(total)


def is_code(x):
    return x == x and x >= 0 and x == int(x) and x < 2**20


class NaiveBayes:
    def __init__(self, columns, classes, seed=0):
        self.columns = columns
        self.weights = [0.0] * classes
        self.table = [
            [Gaussian() if values is None else Counts() for values in columns]
            for _ in range(classes)
        ]

    def filled(self, row):
        """The cells that are there."""
        for j, (values, x) in enumerate(zip(self.columns, row, strict=True)):
            if values is None and x == x:
                yield j, x
            elif values is not None and is_code(x):
                yield j, int(x)

    def log_scores(self, row):
        out = []
        for weight, column in zip(self.weights, self.table, strict=True):
            if weight == 0.0:
                out.append(-math.inf)
            else:
                densities = (column[j].log_density(x) for j, x in self.filled(row))
                out.append(sum(densities, math.log(weight)))
        return out

    def predict(self, item, row):
        predicted = argmax(self.log_scores(row))
        return argmax(self.weights) if predicted == NONE and any(self.weights) else predicted

    def scores(self, item, row):
        if not any(self.weights):
            return [NAN] * len(self.weights)
        logs = self.log_scores(row)
        highest = max(logs)
        lost = highest == -math.inf
        parts = self.weights if lost else [math.exp(log - highest) for log in logs]
        return [part / math.fsum(parts) for part in parts]

    def learn(self, row, label, weight):
        self.weights[label] += weight
        for j, x in self.filled(row):
            self.table[label][j].learn(x, weight)


def hold(x):
    return min(max(x, -1e100), 1e100)


def in_eights(terms):
    """The sum as the core adds it up: eight running sums, then a tree."""
    lanes = [0.0] * 8
    for i, term in enumerate(terms):
        lanes[i % 8] += term
    a, b, c, d, e, f, g, h = lanes
    return ((a + e) + (c + g)) + ((b + f) + (d + h))


class Inputs:
    """Missing numbers become the mean so far, nominal values indicators."""

    def __init__(self, columns, standardise):
        self.columns = columns
        self.standardise = standardise
        self.moments = [[0.0, 0.0, 0.0] for _ in columns]  # weight, mean, squares

    def learn(self, row, weight):
        for values, x, moments in zip(self.columns, row, self.moments, strict=True):
            if values is None and x == x:
                total, mean, squares = moments
                total += weight
                moved = mean + weight / total * (hold(x) - mean)
                squares += weight * (hold(x) - mean) * (hold(x) - moved)
                moments[:] = total, moved, squares

    def encode(self, row):
        """Numbers, and a list of 0/1 for each nominal column."""
        numbers, indicators = [], []
        for values, x, (total, mean, squares) in zip(self.columns, row, self.moments, strict=True):
            if values is not None:
                indicators.append([float(x == code) for code in range(values)])
            elif self.standardise:
                scale = hold(math.sqrt(total / squares)) if squares > 0 else 0.0
                numbers.append(hold((hold(x) - mean) * scale) if x == x else 0.0)
            else:
                numbers.append(hold(x) if x == x else mean)
        return numbers, indicators


class Plane:
    def __init__(self):
        self.weights = {}
        self.bias = 0.0

    def at(self, encoded):
        numbers, indicators = encoded
        total = in_eights(self.weights.get(j, 0.0) * x for j, x in enumerate(numbers)) + self.bias
        for j, column in enumerate(indicators):
            for code, on in enumerate(column):
                if on:
                    total += self.weights.get((j, code), 0.0)
        return total

    def shift(self, encoded, step):
        numbers, indicators = encoded
        for j, x in enumerate(numbers):
            self.weights[j] = hold(self.weights.get(j, 0.0) + step * x)
        for j, column in enumerate(indicators):
            for code, on in enumerate(column):
                if on:
                    self.weights[j, code] = hold(self.weights.get((j, code), 0.0) + step)
        self.bias = hold(self.bias + step)


def clip(x):
    return min(max(x, -1e12), 1e12)


class OneVsRest:
    def __init__(self, columns, classes, seed=0, learning_rate=None, standardise=True):
        self.learning_rate = self.default_rate if learning_rate is None else learning_rate
        self.inputs = Inputs(columns, standardise)
        self.planes = [Plane() for _ in range(classes)]
        self.seen = set()

    def margin(self, c, encoded):
        if len(self.planes) == 2:
            return self.planes[1].at(encoded) if c else -self.planes[1].at(encoded)
        return self.planes[c].at(encoded)

    def predict(self, item, row):
        encoded = self.inputs.encode(row)
        margins = [
            self.margin(c, encoded) if c in self.seen else -math.inf
            for c in range(len(self.planes))
        ]
        return argmax(margins)

    def scores(self, item, row):
        if not self.seen:
            return [NAN] * len(self.planes)
        encoded = self.inputs.encode(row)
        odds = [
            1 / (1 + exp(-self.margin(c, encoded))) if c in self.seen else 0.0
            for c in range(len(self.planes))
        ]
        if sum(odds) == 0.0:
            return [float(c in self.seen) / len(self.seen) for c in range(len(odds))]
        return [o / sum(odds) for o in odds]

    def learn(self, row, label, weight):
        self.seen.add(label)
        self.inputs.learn(row, weight)
        encoded = self.inputs.encode(row)
        updated = [1] if len(self.planes) == 2 else sorted(self.seen)
        for c in updated:
            y = 1.0 if c == label else -1.0
            slope = clip(weight * self.slope(y, self.planes[c].at(encoded)))
            if slope:
                self.planes[c].shift(encoded, -self.learning_rate * slope)


def exp(x):
    return math.exp(x) if x < 709.7 else math.inf


class Perceptron(OneVsRest):
    default_rate = 1.0

    @staticmethod
    def slope(y, z):
        return -y if y * z <= 0 else 0.0


class LogisticRegression(OneVsRest):
    default_rate = 0.01

    @staticmethod
    def slope(y, z):
        return -y / (exp(y * z) + 1.0)


class TargetMean:
    def __init__(self, columns, classes=0, seed=0):
        self.labels, self.weights = [], []

    def predict(self, item, row):
        if not self.labels:
            return NAN
        total = math.fsum(self.weights)
        return math.fsum(w / total * y for w, y in zip(self.weights, self.labels, strict=True))

    def learn(self, row, label, weight):
        self.labels.append(label)
        self.weights.append(weight)


class LastValue:
    def __init__(self, columns, classes=0, seed=0, first=None):
        self.last = NAN if first is None else first

    def predict(self, item, row):
        return self.last

    def learn(self, row, label, weight):
        self.last = label


class LinearRegression:
    def __init__(self, columns, classes=0, seed=0, learning_rate=0.01, standardise=True):
        self.learning_rate = learning_rate
        self.inputs = Inputs(columns, standardise)
        self.plane = Plane()
        self.learned = False

    def predict(self, item, row):
        return self.plane.at(self.inputs.encode(row)) if self.learned else NAN

    def learn(self, row, label, weight):
        self.learned = True
        self.inputs.learn(row, weight)
        encoded = self.inputs.encode(row)
        slope = clip(weight * 2.0 * (self.plane.at(encoded) - hold(label)))
        self.plane.shift(encoded, -self.learning_rate * slope)


class RecursiveLeastSquares:
    """Keeps every row and solves the normal equations from scratch."""

    def __init__(self, columns, classes=0, seed=0, ridge=1.0, forgetting_factor=1.0):
        self.inputs = Inputs(columns, False)
        self.ridge, self.forgetting_factor = ridge, forgetting_factor
        self.rows, self.labels, self.weights = [], [], []

    def written(self, row):
        numbers, indicators = self.inputs.encode(row)
        return [*numbers, *(on for column in indicators for on in column), 1.0]

    def predict(self, item, row):
        if not self.rows:
            return NAN
        rows, labels = np.array(self.rows), np.array(self.labels)
        ages = np.arange(len(rows))[::-1]
        weights = np.array(self.weights) * self.forgetting_factor**ages
        ridge = self.ridge * self.forgetting_factor ** len(rows) * np.eye(rows.shape[1])
        solution = np.linalg.solve((rows.T * weights) @ rows + ridge, (rows.T * weights) @ labels)
        return float(np.array(self.written(row)) @ solution)

    def learn(self, row, label, weight):
        self.inputs.learn(row, weight)
        self.rows.append(self.written(row))
        self.labels.append(label)
        self.weights.append(weight)

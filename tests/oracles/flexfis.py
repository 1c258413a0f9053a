"""FLEXFIS, slow and obvious: rules as lists of numbers, matrices as lists of rows."""

from __future__ import annotations

import math

NAN = math.nan
SMALLEST = 2.2250738585072014e-308


def exp(x):
    """e to the x as the core computes it (FreeBSD's e_exp.c), so that both decide alike.

    The platform's differs in the last bit, which decides at a threshold.
    """
    x = min(max(x, -746.0), 710.0)
    k = x * math.log2(math.e) + 6755399441055744.0 - 6755399441055744.0
    hi, lo = x - k * 6.931471803691238e-1, k * 1.9082149292705877e-10
    r = hi - lo
    t = r * r
    series = -1.6533902205465252e-6 + t * 4.1381367970572385e-8
    series = -2.7777777777015593e-3 + t * (6.613756321437934e-5 + t * series)
    c = r - t * (1.6666666666666602e-1 + t * series)
    y = 1.0 - ((lo - (r * c) / (2.0 - c)) - hi)
    half = int(k) >> 1
    return y * 2.0**half * 2.0 ** (int(k) - half)


def held(x):
    """Within 1e100, so that no sum overflows; not a number counts as too large."""
    x = x if x < 1e100 else 1e100
    return x if x > -1e100 else -1e100


def dot(a, b):
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += x * y
    return total


def identity(size, alpha):
    return [[alpha if a == b else 0.0 for b in range(size)] for a in range(size)]


def inverse(matrix):
    """By Cholesky's factors; None if the matrix is not positive definite."""
    size = len(matrix)
    low = identity(size, 0.0)
    for a in range(size):
        for b in range(a + 1):
            left = matrix[a][b]
            for j in range(b):
                left -= low[a][j] * low[b][j]
            if a != b:
                low[a][b] = left / low[b][b]
            elif left > 0.0 and math.isfinite(left):
                low[a][a] = math.sqrt(left)
            else:
                return None
    columns = []
    for c in range(size):
        x = [float(a == c) for a in range(size)]
        for a in range(size):
            for j in range(a):
                x[a] -= low[a][j] * x[j]
            x[a] /= low[a][a]
        for a in reversed(range(size)):
            for j in range(a + 1, size):
                x[a] -= low[j][a] * x[j]
            x[a] /= low[a][a]
        columns.append(x)
    return symmetric(columns)


def symmetric(m):
    return [[(m[a][b] + m[b][a]) / 2.0 for b in range(len(m))] for a in range(len(m))]


class Rule:
    def __init__(self, centre, weights, alpha, won):
        self.centre, self.variance = centre, [0.0] * len(centre)
        self.count, self.won = 1, won
        self.weights, self.p = weights, identity(len(weights), alpha)

    def regressors(self, x):
        """1 and the inputs; the centre stands for a missing one."""
        return [1.0, *(c if v != v else v for v, c in zip(x, self.centre, strict=False))]

    def line(self, x):
        return held(dot(self.regressors(x), self.weights))


def pooled(a, b):
    """One rule for two: pooled moments, and the least-squares fit to the items of both."""
    inverse_a, inverse_b = inverse(a.p), inverse(b.p)
    if inverse_a is None or inverse_b is None:
        return None
    size = len(inverse_a)
    p = inverse([[inverse_a[i][j] + inverse_b[i][j] for j in range(size)] for i in range(size)])
    if p is None:
        return None
    right = [dot(inverse_a[i], a.weights) + dot(inverse_b[i], b.weights) for i in range(size)]
    rule = Rule([], [dot(p[i], right) for i in range(size)], 1.0, max(a.won, b.won))
    if not all(map(math.isfinite, [*rule.weights, *(x for row in p for x in row)])):
        return None
    rule.p, rule.count = p, a.count + b.count
    for ca, va, cb, vb in zip(a.centre, a.variance, b.centre, b.variance, strict=True):
        c = (a.count * ca + b.count * cb) / rule.count
        spread = a.count * (va + (ca - c) * (ca - c)) + b.count * (vb + (cb - c) * (cb - c))
        rule.centre.append(c)
        rule.variance.append(spread / rule.count)
    return rule


class System:
    """Rules with one vigilance. `low` and `high` are the ranges so far: inputs, then y."""

    def __init__(self, inputs, vigilance, spec, low=None, high=None):
        self.inputs, self.spec = inputs, spec
        self.radius = vigilance * math.sqrt(inputs + 1) / math.sqrt(2.0)
        self.low = low or [math.inf] * (inputs + 1)
        self.high = high or [-math.inf] * (inputs + 1)
        self.rules, self.learned = [], 0
        self.created = self.merged = self.dropped = self.resets = self.far = 0
        self.error, self.weight = 0.0, 0.0

    def range(self, j):
        width = self.high[j] - self.low[j]
        return width if width > 0.0 else 1.0

    def sigma(self, rule, j):
        return max(math.sqrt(rule.variance[j]), self.spec.epsilon * self.range(j), SMALLEST)

    def firing(self, x):
        """The normalised activations; far from all rules the nearest has them all."""
        logs = []
        for rule in self.rules:
            total = 0.0
            for j, v in enumerate(x):
                if v == v:
                    q = held((v - rule.centre[j]) / self.sigma(rule, j))
                    total += q * q
            logs.append(-0.5 * total)
        parts = [exp(log - max(logs)) for log in logs]
        total = 0.0
        for share in parts:
            total += share
        return [share / total for share in parts]

    def predict(self, x):
        if not self.rules:
            return NAN
        return dot(self.firing(x), [rule.line(x) for rule in self.rules])

    def distance(self, rule, z):
        total = 0.0
        for j, v in enumerate(z):
            if v == v:
                q = (v - rule.centre[j]) / self.range(j)
                total += q * q
        return math.sqrt(total)

    def learn(self, x, y, weight):
        z = [*x, y]
        if self.rules:
            gap = held(self.predict(x) - y)
            self.error += weight * (gap * gap)
            self.weight += weight
        for j, v in enumerate(z):
            if v == v:
                self.low[j], self.high[j] = min(self.low[j], v), max(self.high[j], v)
        distances = [self.distance(rule, z) for rule in self.rules]
        winner = distances.index(min(distances)) if distances else None
        far = winner is None or distances[winner] > self.radius
        self.far += far
        moved = None
        if far and len(self.rules) < self.spec.max_rules:
            self.found(z, winner)
        else:
            moved = self.rules[winner]
            self.move(moved, z)
        for rule, share in zip(self.rules, self.firing(x), strict=True):
            if share >= self.spec.min_firing and weight * share >= 1e-12:
                self.fit(rule, rule.regressors(x), y, weight * share)
        if self.spec.merge and moved is not None:
            self.merge(moved)
        self.learned += 1
        if self.spec.max_age is not None:
            kept = [r for r in self.rules if self.learned - 1 - r.won < self.spec.max_age]
            self.dropped += len(self.rules) - len(kept)
            self.rules = kept

    def found(self, z, winner):
        nearest = None if winner is None else self.rules[winner]
        elsewhere = nearest.centre if nearest else [0.0] * len(z)
        weights = list(nearest.weights) if nearest else [0.0] * len(z)
        centre = [c if v != v else v for v, c in zip(z, elsewhere, strict=True)]
        self.rules.append(Rule(centre, weights, self.spec.covariance, self.learned))
        self.created += 1

    def move(self, rule, z):
        rule.count += 1
        rule.won = self.learned
        k, rate = rule.count, 0.5 / rule.count
        for j, v in enumerate(z):
            if v == v:
                c = rule.centre[j] + rate * (v - rule.centre[j])
                shift = c - rule.centre[j]
                spread = ((k - 1) * rule.variance[j] + (v - c) * (v - c)) / k
                rule.variance[j] = spread + shift * shift
                rule.centre[j] = c

    def fit(self, rule, r, y, share):
        """Recursive least squares, weighted by how far the rule fires."""
        spec, size = self.spec, len(r)
        forget = spec.forgetting_factor
        # P is symmetric: its columns are its rows, and the row vector r'P is P r.
        pr = [dot(r, rule.p[a]) for a in range(size)]
        below = forget / share + dot(r, pr)
        if not (below > 0.0 and math.isfinite(below)):
            rule.p = identity(size, spec.covariance)
            self.resets += 1
            return
        gain = [a / below for a in pr]
        wrong = y - dot(r, rule.weights)
        weights = [w + g * wrong for w, g in zip(rule.weights, gain, strict=True)]
        if not (math.isfinite(wrong) and all(map(math.isfinite, weights))):
            rule.weights, rule.p = [0.0] * size, identity(size, spec.covariance)
            self.resets += 1
            return
        rule.weights = weights
        p = [[rule.p[a][b] - gain[a] * pr[b] for b in range(size)] for a in range(size)]
        p = [[x / forget for x in row] for row in symmetric(p)]
        if max(p[a][a] for a in range(size)) > spec.max_covariance:
            p = [[x * forget for x in row] for row in p]
        if not all(p[a][a] > 0.0 and math.isfinite(p[a][a]) for a in range(size)):
            p = identity(size, spec.covariance)
            self.resets += 1
        rule.p = p

    def alike(self, a, b):
        total = 0.0
        for j in range(self.inputs):
            gap = a.centre[j] - b.centre[j]
            width = self.sigma(a, j) * self.sigma(a, j) + self.sigma(b, j) * self.sigma(b, j)
            total += gap * gap / max(width, SMALLEST)
        near = 0.1 * self.range(self.inputs)
        centres = a.centre[: self.inputs], b.centre[: self.inputs]
        return exp(-0.5 * total) >= 0.8 and all(abs(a.line(c) - b.line(c)) <= near for c in centres)

    def merge(self, winner):
        for i, other in enumerate(self.rules):
            if other is not winner and self.alike(winner, other):
                at = self.rules.index(winner)
                first, second = min(at, i), max(at, i)
                rule = pooled(self.rules[first], self.rules[second])
                if rule is not None:
                    self.rules[first] = rule
                    del self.rules[second]
                    self.merged += 1
                return


class FLEXFIS:
    def __init__(
        self,
        columns,
        classes=0,
        seed=0,
        *,
        vigilance=0.3,
        forgetting_factor=0.999,
        merge=True,
        covariance=1000.0,
        max_covariance=1e6,
        epsilon=0.1,
        min_firing=0.0,
        max_rules=200,
        max_age=None,
        tune=0,
        low=None,
        high=None,
    ):
        self.columns = columns
        self.forgetting_factor, self.merge = forgetting_factor, merge
        self.covariance, self.max_covariance = covariance, max_covariance
        self.epsilon, self.min_firing = epsilon, min_firing
        self.max_rules, self.max_age, self.tune = max_rules, max_age, tune
        inputs = sum(1 if values is None else values for values in columns)
        candidates = [i / 10.0 for i in range(1, 10)] if tune else [vigilance]
        self.systems = [System(inputs, one, self, low, high) for one in candidates]
        self.learned = 0

    def encoded(self, row):
        out = []
        for values, x in zip(self.columns, row, strict=True):
            if values is None:
                out.append(x if x != x else held(x))
            else:
                out += [x if x != x else float(x == code) for code in range(values)]
        return out

    def best(self):
        """The candidate of least error so far, the first of equal ones."""
        return min(self.systems, key=lambda system: system.error)

    def predict(self, item, row):
        return self.best().predict(self.encoded(row))

    def learn(self, row, label, weight):
        for system in self.systems:
            system.learn(self.encoded(row), held(label), weight)
        self.learned += 1
        if self.learned == self.tune:
            self.systems = [self.best()]

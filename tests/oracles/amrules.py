"""AMRules, slow and obvious: rules keep their items and count anew."""

from __future__ import annotations

import math

from oracles.model_trees import JavaRandom

NAN = math.nan


def covers(condition, row):
    column, test, value = condition
    x = row[column]
    if math.isnan(x):
        return False
    return {"<=": x <= value, ">": x > value, "is": x == value, "is not": x != value}[test]


def goes(older, newer):
    """A bound gives way to a newer one, and all to the one value that is left."""
    same = older[0] == newer[0]
    return same and (newer[1] == "is" or (newer[1] == older[1] and newer[1] != "is not"))


class Column:
    """Mean and deviation of a sample."""

    def __init__(self, seen=()):
        self.seen = list(seen)

    def add(self, x, weight):
        if not math.isnan(x):
            self.seen.append((x, weight))

    @property
    def weight(self):
        return sum(w for _, w in self.seen)

    @property
    def mean(self):
        return math.fsum(w * x for x, w in self.seen) / self.weight if self.seen else 0.0

    @property
    def deviation(self):
        if self.weight <= 1 or len({x for x, _ in self.seen}) < 2:
            return 0.0
        mean = self.mean
        return math.sqrt(math.fsum(w * (x - mean) ** 2 for x, w in self.seen) / (self.weight - 1))

    def scaled(self, x):
        if math.isnan(x):
            return 0.0
        deviation = self.deviation
        return (x - self.mean) / (deviation if deviation > 1e-7 else 1.0)


class Faded:
    def __init__(self):
        self.lost = self.weight = 0.0

    def add(self, error, weight, fading):
        self.lost = weight * abs(error) + fading * self.lost
        self.weight = weight + fading * self.weight

    @property
    def error(self):
        return self.lost / self.weight if self.weight else math.inf


class Function:
    """A mean and a linear function."""

    def __init__(self, count):
        self.mean, self.counted = 0.0, 0.0
        self.columns = [Column() for _ in range(count)]
        self.labels = Column()
        self.weights = None
        self.by_mean, self.by_plane = Faded(), Faded()

    def copy(self):
        new = Function(0)
        new.mean, new.counted = self.mean, self.counted
        new.columns = [Column(column.seen) for column in self.columns]
        new.labels = Column(self.labels.seen)
        new.weights = list(self.weights)
        for mine, its in ((new.by_mean, self.by_mean), (new.by_plane, self.by_plane)):
            mine.lost, mine.weight = its.lost, its.weight
        return new

    def heir(self):
        new = self.copy()
        new.counted = 1.0
        new.by_mean, new.by_plane = Faded(), Faded()
        return new

    def linear(self, numbers):
        scaled = [column.scaled(x) for column, x in zip(self.columns, numbers, strict=True)]
        return math.fsum(w * x for w, x in zip(self.weights, [*scaled, 1.0], strict=True)), scaled

    def plane(self, numbers):
        deviation = self.labels.deviation
        output, _ = self.linear(numbers)
        return self.labels.mean + output * (deviation if deviation > 1e-7 else 1.0)

    def say(self, numbers, pred_type):
        better = self.by_plane.error < self.by_mean.error
        if pred_type == "perceptron" or (pred_type == "adaptive" and better):
            return self.plane(numbers)
        return self.mean

    def learn(self, numbers, label, weight, rules):
        if self.labels.seen:
            self.by_mean.add(self.mean - label, weight, rules.fading_factor)
            self.by_plane.add(self.plane(numbers) - label, weight, rules.fading_factor)
        self.counted += weight
        self.mean += weight / self.counted * (label - self.mean)
        for column, x in zip(self.columns, numbers, strict=True):
            column.add(x, weight)
        self.labels.add(label, weight)
        goal = self.labels.scaled(label)
        rate = rules.learning_rate / (1 + self.labels.weight * rules.learning_rate_decay)
        left = min(weight, 100.0)
        while left > 0:
            output, scaled = self.linear(numbers)
            step = rate * min(left, 1.0) * (goal - output)
            moved = zip(self.weights, [*scaled, 1.0], strict=True)
            self.weights = [w + step * x for w, x in moved]
            size = sum(map(abs, self.weights))
            if size > max(1, len(numbers)):
                self.weights = [w / size for w in self.weights]
            left -= 1


class Rule:
    def __init__(self, conditions, function):
        self.conditions, self.function = conditions, function
        self.items = []
        self.checked = 0.0
        self.usual = [Column() for _ in function.columns]
        self.watched, self.weighed, self.mean, self.sum = 0, 0.0, 0.0, 0.0
        self.weight = self.lost = self.labels = self.distance = 0.0

    @property
    def seen(self):
        return sum(w for _, _, w in self.items)

    def covers(self, row):
        return all(covers(condition, row) for condition in self.conditions)

    def vote(self):
        """Its weight among the rules: nan if it is not defined."""
        if not self.weight:
            return 0.0
        if not self.distance:
            return 0.0 if self.lost else NAN
        return 1 / (self.lost / self.distance + 1e-9)

    def anomalous(self, numbers, threshold):
        odds = []
        for column, x in zip(self.usual, numbers, strict=True):
            deviation = column.deviation
            if column.weight > 30 and deviation > 0.01 and not math.isnan(x):
                chance = 2 * deviation**2 / (deviation**2 + (x - column.mean) ** 2)
                chance = min(0.99, max(0.01, chance))
                odds.append(math.log(chance) - math.log(1 - chance))
        return bool(odds) and sum(odds) / len(odds) < threshold

    def risen(self, error, weight, rules):
        self.watched += 1
        self.weighed += weight
        self.mean += weight / self.weighed * (error - self.mean)
        self.sum = 0.9999 * self.sum + weight * (error - self.mean - rules.page_hinkley_delta)
        return self.watched + 1 >= 30 and self.sum > rules.page_hinkley_threshold

    def judge(self, predicted, label, weight, fading):
        self.weight = weight + fading * self.weight
        self.lost = weight * abs(predicted - label) + fading * self.lost
        self.labels = weight * label + fading * self.labels
        distance = abs(predicted - self.labels / self.weight)
        self.distance = weight * distance + fading * self.distance


def sums(items):
    """Weight, sum and sum of squares of labels, added up as they came."""
    weight = total = squares = 0.0
    for label, w in items:
        weight, total, squares = weight + w, total + w * label, squares + w * label * label
    return weight, total, squares


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b, strict=True))


def plus(a, b):
    return tuple(x + y for x, y in zip(a, b, strict=True))


def spread(of):
    weight, total, squares = of
    return squares - total * total / weight


def merit(of, low):
    """Relative reduction of the variance.

    Two columns can part a few items in the same way, and rounding then decides between them: so
    this is worked out as it is in the learner.
    """
    high = minus(of, low)
    least = 0.05 * of[0]
    if of[0] <= 0 or low[0] < least or high[0] < least or spread(of) <= 0:
        return 0.0
    gap = low[1] * high[0] - high[1] * low[0]
    return gap / spread(of) * gap / (low[0] * high[0] * of[0])


class AMRules:
    def __init__(
        self,
        columns,
        classes=0,
        seed=0,
        *,
        grace_period=200,
        delta=1e-7,
        tau=0.05,
        ordered_rule_set=True,
        pred_type="adaptive",
        learning_rate=0.025,
        learning_rate_decay=0.001,
        fading_factor=0.99,
        page_hinkley_delta=0.05,
        page_hinkley_threshold=35.0,
        anomaly_threshold=-0.75,
        n_splits=51,
    ):
        self.kinds = columns
        self.grace_period, self.delta, self.tau = grace_period, delta, tau
        self.ordered_rule_set, self.pred_type = ordered_rule_set, pred_type
        self.learning_rate, self.learning_rate_decay = learning_rate, learning_rate_decay
        self.fading_factor = fading_factor
        self.page_hinkley_delta = page_hinkley_delta
        self.page_hinkley_threshold = page_hinkley_threshold
        self.anomaly_threshold, self.n_splits = anomaly_threshold, n_splits
        self.numeric = [j for j, values in enumerate(columns) if values is None]
        function = Function(len(self.numeric))
        inner = JavaRandom(seed).bits(32)
        random = JavaRandom(inner - (1 << 32) if inner >> 31 else inner)
        function.weights = [2 * random.unit() - 1 for _ in range(len(self.numeric) + 1)]
        self.default, self.rules = Rule([], function), []
        self.first = None
        self.drifts = self.anomalies = self.splits = 0

    def numbers(self, row):
        return [row[j] for j in self.numeric]

    def predict(self, item, row):
        if self.first is None:
            return NAN
        covering = [rule for rule in self.rules if rule.covers(row)] or [self.default]
        if self.ordered_rule_set:
            covering = covering[:1]
        predictions = [rule.function.say(self.numbers(row), self.pred_type) for rule in covering]
        votes = [rule.vote() for rule in covering]
        if len(predictions) == 1 or not sum(votes) > 0:
            votes = [1.0] * len(predictions)
        return self.first + sum(v * x for v, x in zip(votes, predictions, strict=True)) / sum(votes)

    def learn(self, row, label, weight):
        if self.first is None:
            self.first = label
        covering = [rule for rule in self.rules if rule.covers(row)]
        for rule in covering[: 1 if self.ordered_rule_set else None] or [self.default]:
            self.learn_rows(rule, row, label - self.first, weight)

    def learn_rows(self, rule, row, label, weight):
        numbers = self.numbers(row)
        predicted = rule.function.say(numbers, self.pred_type)
        if rule is not self.default and rule.items:
            if self.anomaly_threshold is not None:
                if rule.anomalous(numbers, self.anomaly_threshold):
                    self.anomalies += 1
                    return
                for column, x in zip(rule.usual, numbers, strict=True):
                    column.add(x, weight)
            deviation = Column([(y, w) for _, y, w in rule.items]).deviation
            error = abs(predicted - label) / deviation if deviation > 1e-7 else 0.0
            if rule.risen(error, weight, self):
                self.drifts += 1
                self.rules.remove(rule)
                return
        rule.items.append((row, label, weight))
        if self.first is not None and rule.function.labels.seen:
            rule.judge(predicted, label, weight, self.fading_factor)
        rule.function.learn(numbers, label, weight, self)
        if rule.seen - rule.checked >= self.grace_period:
            rule.checked = rule.seen
            self.look(rule)

    def look(self, rule):
        found = [self.best(rule, j) for j in range(len(self.kinds))]
        found = sorted((f for f in found if f is not None), key=lambda f: f[0])
        if not found:
            return
        second = found[-2][0] if len(found) > 1 else 0.0
        bound = math.sqrt(math.log(1 / self.delta) / (2 * rule.seen))
        if len(self.kinds) > 1 and not found[-1][0] - second > bound and not bound < self.tau:
            return
        self.splits += 1
        condition = found[-1][1]
        kept = [older for older in rule.conditions if not goes(older, condition)]
        narrower = Rule([*kept, condition], rule.function.heir())
        if rule is self.default:
            self.rules.append(narrower)
            self.default = Rule([], rule.function.copy())
        else:
            self.rules[self.rules.index(rule)] = narrower

    def best(self, rule, column):
        """(merit, condition) of a column's best condition."""
        values = self.kinds[column]
        known, without = [], []
        for row, label, weight in rule.items:
            x = row[column]
            usable = not math.isnan(x) and (values is None or (x == int(x) and 0 <= x < values))
            (known if usable else without).append((x, label, weight))
        everything = sums([(label, weight) for _, label, weight in rule.items])
        of = minus(everything, sums([(label, weight) for _, label, weight in without]))
        if values is None:
            cuts = sorted(list(dict.fromkeys(x for x, _, _ in known))[: self.n_splits])
            places = [(below, cut) for below, cut in zip([-math.inf, *cuts], cuts, strict=False)]
        else:
            cuts = list(range(values))
            places = [(code - 0.5, code) for code in cuts]
        best, low = None, (0.0, 0.0, 0.0)
        for below, cut in places:
            here = sums([(label, weight) for x, label, weight in known if below < x <= cut])
            low = plus(low, here) if values is None else here
            now = merit(of, low)
            if now > (best[0] if best else 0.0):
                high = minus(of, low)
                other = spread(high) / high[0] < spread(low) / low[0]
                test = (("<=", ">") if values is None else ("is", "is not"))[other]
                best = now, (column, test, cut)
        return best

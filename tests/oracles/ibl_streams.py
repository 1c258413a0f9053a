"""IBLStreams, slow and obvious: a list of cases, and every step as it is described."""

from __future__ import annotations

import math

import numpy as np

from oracles.neighbours import NAN, distances, kept


def mean(pairs):
    """The weighted mean, moved label by label so that equal labels give that label."""
    total, middle = 0.0, NAN
    for label, weight in pairs:
        total += weight
        if middle != middle:
            middle = label
        elif math.isfinite(label - middle):
            middle += weight / total * (label - middle)
        else:
            share = weight / total
            middle = middle * (1.0 - share) + label * share
    return middle


class Case:
    def __init__(self, row, label, weight, born):
        self.row, self.label, self.weight, self.born = row, label, weight, born


class IBLStreams:
    """Classes; numbers below."""

    def __init__(
        self,
        columns,
        classes=0,
        k=16,
        k_min=4,
        k_max=40,
        kernel="gaussian",
        width=0.5,
        adapt="width",
        max_cases=5000,
        warm_start=1000,
    ):
        self.columns, self.classes = columns, classes
        self.k, self.k_min, self.k_max = k, k_min, k_max
        self.kernel, self.width, self.adapt = kernel, width, adapt
        self.most, self.warm_start = max_cases, warm_start
        self.cases, self.learned, self.drifts = [], 0, 0
        self.reach = []
        self.begin()

    def begin(self):
        """After a change of the concept: no error counts any more."""
        self.made, self.best = [], (math.inf, math.inf)
        self.compare()

    def compare(self):
        """With a new setting: the errors of its neighbours are not known yet."""
        self.compared = []

    # Answering

    def near(self, row, count):
        """The nearest cases and their distances, the nearest first, of equals the youngest."""
        far = distances(self.columns, [case.row for case in self.cases], row)
        ranked = sorted(
            zip(far, self.cases, strict=True), key=lambda pair: (pair[0], -pair[1].born)
        )
        return [(math.sqrt(d), case) for d, case in ranked[:count]]

    def votes(self, near, k, width):
        near = near[:k]
        if near and near[0][0] == 0.0:
            return [(near[0][1].label, 1.0)]
        total = 0.0
        for d, _ in near:
            total += d
        if not math.isfinite(total):
            return [(case.label, case.weight) for _, case in near]
        z = [d / total for d, _ in near]
        weigh = {
            "equal": lambda x: 1.0,
            "inverse": lambda x: z[0] / x,
            "linear": lambda x: 0.001 + (1.0 - 0.001) * (z[-1] - x) / z[-1],
            "gaussian": lambda x: math.exp((z[0] * z[0] - x * x) / (2.0 * width * width)),
            "exponential": lambda x: math.exp((z[0] - x) / (2.0 * width * width)),
        }[self.kernel]
        return [(case.label, weigh(x) * case.weight) for x, (_, case) in zip(z, near, strict=True)]

    def shares(self, votes):
        sums = [0.0] * self.classes
        for label, vote in votes:
            sums[label] += vote
        return sums

    def prediction(self, votes):
        sums = self.shares(votes)
        return sums.index(max(sums))

    def say(self, row, near, k, width):
        return self.prediction(self.votes(near, k, width))

    def predict(self, row):
        near = self.near(row, self.k)
        return self.say(row, near, self.k, self.width) if self.cases else -1

    def scores(self, row):
        sums = self.shares(self.votes(self.near(row, self.k), self.k, self.width))
        return [x / sum(sums) if self.cases else NAN for x in sums]

    # Learning

    def settings(self):
        """A step less, the one in use, a step more; None where there is no such step."""
        here = self.k, self.width
        if self.adapt == "k":
            steps = [(self.k - 1, self.width), (self.k + 1, self.width)]
            legal = [self.k_min <= k <= self.k_max for k, _ in steps]
        elif self.adapt == "width":
            steps = [(self.k, self.width * 0.95), (self.k, self.width * 1.05)]
            legal = [0.01 < w < math.sqrt(len(self.columns)) for _, w in steps]
        else:
            steps, legal = [here, here], [False, False]
        less, more = (s if fine else None for s, fine in zip(steps, legal, strict=True))
        return [less, here, more]

    def learn(self, row, label, weight):
        if self.learned >= self.warm_start and self.cases:
            self.judge(row, label)
            self.edit(row, label)
        if len(self.cases) >= self.most:
            self.cases.remove(min(self.cases, key=lambda case: case.born))
        row = [kept(v, x) for v, x in zip(self.columns, row, strict=True)]
        self.cases.append(Case(row, label, weight, self.learned))
        self.learned += 1
        self.adjust()

    def judge(self, row, label):
        near = self.near(row, 50 + self.k)
        predictions = [None if s is None else self.say(row, near, *s) for s in self.settings()]
        wrong = [self.error(label, predictions[1] if x is None else x) for x in predictions]
        self.made = [*self.made, wrong[1]][-100:]
        self.compared = [*self.compared, wrong][-100:]
        if len(self.made) == 100:
            p, s = self.now()
            if p + s < sum(self.best):
                self.best = p, s

    def error(self, label, predicted):
        return float(label != predicted)

    def average(self, errors):
        total = 0.0
        for wrong in errors:
            total += wrong
        return total / 100

    def now(self):
        p = self.average(self.made)
        return p, math.sqrt(p * (1.0 - p) / 100)

    def edit(self, row, label):
        near = self.near(row, 50)
        if len(near) < 50:
            return
        self.reach = [*self.reach, near[4][0]][-100:]
        usual = 0.0
        for d in self.reach:
            usual += d
        usual /= len(self.reach)
        while len(near) == 50:
            doomed = self.doomed(near, label, near[4][0] < usual)
            for case in doomed:
                self.cases.remove(case)
            if not doomed:
                if len(self.cases) >= self.most:
                    self.cases.remove(min((case for _, case in near[:5]), key=lambda c: c.born))
                return
            near = self.near(row, 50)

    def doomed(self, near, label, dense):
        by_age = sorted((case for _, case in near), key=lambda case: case.born)
        first = [case for _, case in near[:5]]
        young = [case.label for case in by_age[45:]] + [label]
        rivals = [young.count(c) for c in range(self.classes) if c != label]
        leads = young.count(label) - max(rivals, default=0) > 6 / (self.classes + 1)
        same = young.count(label) + sum(case.label == label for case in by_age[:45])
        superfluous = same / 51 >= 0.98 and young.count(label) == 6 and dense
        return [
            case
            for case in by_age[:25]
            if case in first and (superfluous or (leads and case.label != label))
        ]

    def adjust(self):
        if len(self.made) < 100:
            return
        p, s = self.now()
        if p + s > self.best[0] + 4.0 * self.best[1]:
            late = 0.0
            for wrong in self.made[:-21:-1]:
                late += wrong
            share = self.forgotten(p, self.best[0], late / 20)
            count = min(int(len(self.cases) * share), len(self.cases) - 50)
            if count > 0:
                self.drifts += 1
                self.cases = sorted(self.cases, key=lambda case: case.born)[count:]
                self.begin()
                return
        if len(self.compared) < 100:
            return
        less, here, more = (self.average(errors) for errors in zip(*self.compared, strict=True))
        for error, step in zip((less, more), self.settings()[::2], strict=True):
            if step is not None and error < here:
                self.k, self.width = step
                self.compare()
                return

    def forgotten(self, p, best, late):
        if p - best <= 0.25 or late - best <= 0.25:
            return 0.0
        chance = 1 / self.classes
        return 1.0 if 1.0 - p <= chance or 1.0 - late <= chance else late - best


class IBLStreamsRegression(IBLStreams):
    def __init__(self, columns, pred_type="mean", **rest):
        self.linear = pred_type == "linear"
        super().__init__(columns, **rest)

    def prediction(self, votes):
        return mean(votes)

    def say(self, row, near, k, width):
        votes = self.votes(near, k, width)
        if not self.linear or len(votes) < 2:
            return self.prediction(votes)
        ranges = []
        for j, values in enumerate(self.columns):
            known = [case.row[j] for case in self.cases if case.row[j] == case.row[j]]
            ranges.append(max(known) - min(known) if known and values is None else 0.0)
        row = [kept(v, x) for v, x in zip(self.columns, row, strict=True)]
        gaps = []
        for _, case in near[: len(votes)]:
            gap = []
            for a, b, v, span in zip(case.row, row, self.columns, ranges, strict=True):
                if a != a or b != b:
                    gap.append(0.0)
                elif v is not None:
                    gap.append(float(a != b))
                else:
                    gap.append((a - b) / span if span else 0.0)
            gaps.append(gap)
        x, y = np.array(gaps), np.array([label for label, _ in votes])
        w = np.array([weight for _, weight in votes])
        # The ridge is a neighbour more for each column, at a label that asks for no slope.
        design = np.column_stack([np.ones(len(y)), x]) * np.sqrt(w)[:, None]
        held = np.column_stack([np.zeros(x.shape[1]), np.eye(x.shape[1])]) * math.sqrt(
            1e-3 * sum(w)
        )
        goals = np.concatenate([y * np.sqrt(w), np.zeros(x.shape[1])])
        return float(np.linalg.lstsq(np.vstack([design, held]), goals)[0][0])

    def predict(self, row):
        return super().predict(row) if self.cases else NAN

    def error(self, label, predicted):
        return min(abs(label - predicted), 1.7976931348623157e308 / 256)

    def now(self):
        p, squares = self.average(self.made), 0.0
        for wrong in self.made:
            squares += (wrong - p) * (wrong - p)
        return p, math.sqrt(squares / 100)

    def forgotten(self, p, best, late):
        return (p - best) / best if best > 0 and (p - best) / best < 0.5 else 0.5

    def doomed(self, near, label, dense):
        by_age = sorted((case for _, case in near), key=lambda case: case.born)
        first = [case for _, case in near[:5]]
        young = [case.label for case in by_age[45:]]
        centre, squares = mean([(y, 1.0) for y in young]), 0.0
        for y in young:
            squares += (y - centre) * (y - centre)
        reach = 1.645 * math.sqrt(squares / 5) / math.sqrt(5)

        def agrees(y):
            return abs(y - centre) <= reach

        fresh = sum(map(agrees, [label, *young]))
        rest = sum(agrees(case.label) for case in by_age[:45])
        superfluous = rest / 51 >= 0.5 and fresh >= 3 and dense
        close = 0.1414 * math.sqrt(len(self.columns) / 2)
        far = {case.born: d for d, case in near}
        return [
            case
            for case in by_age[:25]
            if (agrees(label) and not agrees(case.label) and far[case.born] < close)
            or (superfluous and case in first)
        ]

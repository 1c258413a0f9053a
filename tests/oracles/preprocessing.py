"""Transformers of rows, computed from all rows learned so far: slow and obvious.

Each keeps the rows that it has learned and computes its statistics from them whenever it transforms
a row. Cells beyond 1e100 count as 1e100, and so do factors.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import fsum, isnan, nan, sqrt

LIMIT = 1e100


def clipped(x):
    return max(-LIMIT, min(LIMIT, x))


def scaled(x, by):
    """x divided by a spread; 0 where that is 0."""
    return clipped(x * min(LIMIT, 1 / by)) if by > 0 and 1 / by > 0 else 0.0


@dataclass
class Twin:
    """`columns`: number of values of each column, None for a numeric one."""

    columns: list[int | None]
    learned: list[tuple[list[float], float]] = field(default_factory=list)

    def learn(self, row, weight=1.0):
        self.learned.append((list(row), weight))

    def known(self, column):
        """The known cells of a column with their weights, in the order learned."""
        return [(clipped(row[column]), w) for row, w in self.learned if not isnan(row[column])]

    def transform(self, row):
        return [self.cell(i, x) for i, x in enumerate(row)]


class StandardScaler(Twin):
    def cell(self, i, x):
        if self.columns[i] is not None or isnan(x):
            return x
        known = self.known(i)
        if len({v for v, _ in known}) < 2:  # a sum of equal numbers may be rounded
            return 0.0
        total = fsum(w for _, w in known)
        mean = fsum(w * v / total for v, w in known)
        variance = fsum(w / total * (v - mean) ** 2 for v, w in known)
        return scaled(clipped(x) - mean, sqrt(variance))


@dataclass
class MinMaxScaler(Twin):
    clip: bool = False

    def cell(self, i, x):
        if self.columns[i] is not None or isnan(x):
            return x
        values = [v for v, _ in self.known(i)]
        if not values or max(values) == min(values):
            return 0.0
        z = clipped((clipped(x) - min(values)) / (max(values) - min(values)))
        return max(0.0, min(1.0, z)) if self.clip else z


def quantile(values, q):
    ordered = sorted(values)
    at = q * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


@dataclass
class RobustScaler(Twin):
    window_size: int = 1000
    q_inf: float = 0.25
    q_sup: float = 0.75

    def cell(self, i, x):
        if self.columns[i] is not None or isnan(x):
            return x
        values = [v for v, _ in self.known(i)][-self.window_size :]
        if not values:
            return 0.0
        spread = quantile(values, self.q_sup) - quantile(values, self.q_inf)
        return scaled(clipped(x) - quantile(values, 0.5), spread)


@dataclass
class Imputer(Twin):
    strategy: str = "mean"
    fill_value: float = 0.0
    window_size: int = 1000

    def cell(self, i, x):
        if not isnan(x):
            return x
        known = self.known(i)
        if self.columns[i] is not None:
            weights = [0.0] * self.columns[i]
            for code, w in known:
                if code in range(self.columns[i]):
                    weights[int(code)] += w
            return float(weights.index(max(weights)))
        if self.strategy == "constant" or not known:
            return self.fill_value
        if self.strategy == "mean":
            return fsum(v * w for v, w in known) / fsum(w for _, w in known)
        last = [v for v, _ in known][-self.window_size :]
        if self.strategy == "median":
            return quantile(last, 0.5)
        return min(last, key=lambda v: (-last.count(v), v))


class OneHotEncoder(Twin):
    def transform(self, row):
        out = []
        for values, x in zip(self.columns, row, strict=True):
            out += [x] if values is None else [float(x == code) for code in range(values)]
        return out


@dataclass
class DateParts(Twin):
    """The column `at` holds microseconds."""

    at: int = 0
    parts: tuple[str, ...] = ()

    def transform(self, row):
        rest = [x for i, x in enumerate(row) if i != self.at]
        if isnan(row[self.at]):
            return [*rest, *(nan for _ in self.parts)]
        when = datetime(1970, 1, 1) + timedelta(microseconds=row[self.at] // 1)
        found = {
            "year": when.year,
            "month": when.month,
            "day": when.day,
            "day_of_year": when.timetuple().tm_yday,
            "weekday": when.weekday(),
            "hour": when.hour,
            "minute": when.minute,
            "second": when.second,
        }
        return [*rest, *(float(found[part]) for part in self.parts)]


@dataclass
class Chain:
    """Transformers in order: each learns the row that the one before it makes of it."""

    twins: list[Twin]

    def transform(self, row):
        for twin in self.twins:
            row = twin.transform(row)
        return row

    def learn(self, row, weight=1.0):
        """The row that the learner is trained with."""
        for twin in self.twins:
            twin.learn(row, weight)
            row = twin.transform(row)
        return row

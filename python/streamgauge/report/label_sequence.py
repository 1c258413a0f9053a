"""Whether labels are in random order: dependence within short blocks, and drift of their shares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from streamgauge.types import F64, I64, NONE, Codes

BLOCK = 50
"""Number of labels in a block, within which shares count as constant."""

LAGS = 10
"""Largest lag at which labels are compared."""

MOST_CLASSES = 64
"""Number of classes up to which every class is compared with every other, not only with itself."""

SPANS = 256
"""Largest number of spans of the stream for which shares are counted."""

LEAST_EXPECTED = 5.0
"""Least expected number of labels of a class in a span."""

ALPHA = 0.05
"""Probability of a statement about labels in random order."""

EACH = ALPHA / 3
"""Level of the tests of successions, and of those of shares; a third is left for approximations."""

FEW = 30
"""Number of labels of a class below which nothing is stated about it."""

FOUND = 0.95
"""Share of cases in which a dependence at the limit is found."""

MAX_LIMIT = 0.1
"""Largest limit of the most frequent class at which labels are called independent."""


@dataclass(frozen=True, slots=True)
class Succession:
    """How often a class follows another `lag` labels later, and how often in random order.

    `rate` and `expected` are shares of the labels of class `before`, within blocks; `p` is
    corrected for the number of classes and lags.
    """

    lag: int
    before: int
    after: int
    rate: float
    expected: float
    p: float


@dataclass(frozen=True, slots=True)
class LabelSequence:
    r"""Counts of labels against the hypothesis that they are in random order.

    Dependence is tested within blocks of 50 labels, so that a drift of the shares is no dependence:
    `starts[l, i]` counts labels i that have a label l + 1 places later in their block,
    `follows[l, i, j]` those of which it is a j (with many classes only i itself), and
    `in_random_order` is the mean of this number E over all orders of the other labels of each
    block. Of S starts, N are compared with E by the statistic of the likelihood ratio,
    :math:`2 (N \ln(N / E) + (S - N) \ln((S - N) / (S - E))) / (1 - p_i + 1/50)` with the share
    :math:`p_i`, which is about the square of a normal number, also for rare classes. Drift of the
    shares is tested by the chi-squared statistic of the counts in spans of 50, 100, 200, … labels.
    Both are corrected for the number of tests.
    """

    counts: I64
    starts: I64
    follows: I64
    in_random_order: F64
    repeats: int
    expected_repeats: float
    variance_of_repeats: float
    spans: I64
    span: int

    @property
    def items(self) -> int:
        """Number of labels."""
        return int(self.counts.sum())

    @property
    def shares(self) -> F64:
        """Share of each class."""
        share: F64 = self.counts / max(1, self.items)
        return share

    @property
    def z_repeats(self) -> float:
        """Number of standard errors of the number of repeats from random order within blocks."""
        if not self.variance_of_repeats > 0:
            return math.nan
        return (self.repeats - self.expected_repeats) / math.sqrt(self.variance_of_repeats)

    @property
    def successions(self) -> list[Succession]:
        """Successions of classes with a p-value of at most `EACH`, the largest effect first.

        The effect is the difference of the rate from the expected one. None with fewer labels than
        a block.
        """
        if self.items < BLOCK:
            return []
        squared = self._statistics()
        observed, expected = self.follows, self.in_random_order
        found = []
        for at in np.argwhere(squared >= self.critical**2):
            lag, before, after = int(at[0]), int(at[1]), int(at[-1])
            starts = max(1, int(self.starts[lag, before]))
            place = tuple(at)
            p = self.tests * math.erfc(math.sqrt(float(squared[place]) / 2))
            rates = float(observed[place]) / starts, float(expected[place]) / starts
            found.append(Succession(lag + 1, before, after, *rates, min(1.0, p)))
        return sorted(found, key=lambda s: -abs(s.rate - s.expected))

    def rate_of_repeats(self, code: int) -> float:
        """Share of the labels of a class that the same class follows, within blocks."""
        starts = int(self.starts[0, code])
        both = self.follows[0, code, code] if self.follows.ndim == 3 else self.follows[0, code]
        return int(both) / starts if starts else math.nan

    def _statistics(self) -> F64:
        """The statistic of every succession that is tested, 0 of the others."""
        observed, expected = self.follows.astype(np.float64), self.in_random_order
        full = observed.ndim == 3
        starts = np.broadcast_to(self.starts[..., None] if full else self.starts, observed.shape)
        rest = 1 - self.shares + 1 / BLOCK
        rest = rest[:, None] if full else rest
        with np.errstate(divide="ignore", invalid="ignore"):
            squared: F64 = (
                2
                * (log_ratio(observed, expected) + log_ratio(starts - observed, starts - expected))
                / rest
            )
        squared[~np.isfinite(squared)] = 0.0
        present = self.counts > 0
        if present.sum() == 2:  # one table: of the rarer class with itself
            rarer = int(np.argmin(np.where(present, self.counts, self.items + 1)))
            only = np.zeros(squared.shape[1:], np.bool_)
            only[(rarer, rarer) if full else rarer] = True
            squared[:, ~only] = 0.0
        return squared

    @property
    def tests(self) -> int:
        """Number of tests of successions; two classes are one test per lag."""
        present = int((self.counts > 0).sum())
        pairs = present**2 if self.follows.ndim == 3 else present
        return len(self.follows) * (1 if present == 2 else max(1, pairs))

    @property
    def critical(self) -> float:
        """Normal quantile at which a succession differs from random order."""
        return NormalDist().inv_cdf(1 - EACH / 2 / self.tests)

    @property
    def p_shares(self) -> float:
        """P-value of the shares of the classes over the stream, corrected; 1 without a test."""
        spans, size = self.spans, self.span
        least, tests = 1.0, 0
        classes = [i for i in range(len(self.counts)) if 0 < self.counts[i] < self.items]
        classes = classes[:1] if len(classes) == 2 else classes
        while len(spans) >= 4:
            total = spans.sum(axis=0)
            for i in classes:
                share = total[i] / (size * len(spans))
                if min(share, 1 - share) * size < LEAST_EXPECTED:
                    continue
                tests += 1
                spread = size * share * (1 - share)
                squares = float(((spans[:, i] - size * share) ** 2).sum() / spread)
                least = min(least, _above(squares, len(spans) - 1))
            pairs = len(spans) // 2
            spans, size = spans[: 2 * pairs].reshape(pairs, 2, -1).sum(axis=1), 2 * size
        return min(1.0, tests * least) if tests else 1.0

    @property
    def shares_drift(self) -> bool:
        """Whether the shares of the classes vary over the stream more than in random order."""
        return self.p_shares < EACH

    @property
    def random(self) -> bool:
        """Whether nothing contradicts a random order; with few labels that says little."""
        return not self.successions and not self.shares_drift

    @property
    def limits(self) -> F64:
        """Excess of the rate at which a class follows itself that is found in 95 % of cases.

        At one lag, of each class, if the rate in random order is its share; NaN for fewer than 30
        labels.
        """
        share, counts = self.shares, self.counts.astype(np.float64)
        expected = counts * share
        quantiles = self.critical + NormalDist().inv_cdf(FOUND)
        found = (np.sqrt(expected) + quantiles / 2) ** 2 - expected
        with np.errstate(divide="ignore", invalid="ignore"):
            limits: F64 = np.where(self.counts >= FEW, found / counts, np.nan)
        return limits


class LabelSequenceCounter:
    """Counts labels in one pass."""

    def __init__(self, classes: int) -> None:
        self._classes = classes
        self._full = classes <= MOST_CLASSES
        shape = (LAGS, classes, classes) if self._full else (LAGS, classes)
        self._counts = np.zeros(classes, np.int64)
        self._starts = np.zeros((LAGS, classes), np.int64)
        self._follows = np.zeros(shape, np.int64)
        self._expected = np.zeros(shape)
        self._repeats = 0
        self._repeats_expected, self._repeats_variance = 0.0, 0.0
        self._spans: list[I64] = []
        self._size = BLOCK
        self._within: list[I64] = []
        self._rest = np.empty(0, np.int64)

    def push(self, labels: Codes | I64) -> None:
        """Count labels; missing ones are skipped."""
        known = labels[labels != NONE].astype(np.int64)
        self._counts += np.bincount(known, minlength=self._classes)
        line = np.concatenate([self._rest, known])
        whole = len(line) // BLOCK * BLOCK
        for first in range(0, whole, BLOCK * 1024):
            blocks = line[first : min(whole, first + BLOCK * 1024)].reshape(-1, BLOCK)
            self._count(blocks)
            self._add_spans(blocks)
        self._rest = line[whole:]

    def finish(self) -> LabelSequence:
        """The counts, with the last, shorter block."""
        if len(self._rest) > 1:
            self._count(self._rest.reshape(1, -1))
        spans = np.array(self._spans, np.int64).reshape(len(self._spans), self._classes)
        return LabelSequence(
            self._counts, self._starts, self._follows, self._expected,
            self._repeats, self._repeats_expected, self._repeats_variance, spans, self._size,
        )  # fmt: skip

    def _count(self, blocks: I64) -> None:
        k, (rows, b) = self._classes, blocks.shape
        own = np.zeros((rows, k), np.int64)
        np.add.at(own, (np.arange(rows)[:, None], blocks), 1)
        start = own.copy()
        for lag in range(1, min(LAGS, b - 1) + 1):
            np.add.at(start, (np.arange(rows), blocks[:, b - lag]), -1)
            self._starts[lag - 1] += start.sum(axis=0)
            before, after = blocks[:, :-lag].ravel(), blocks[:, lag:].ravel()
            if self._full:
                both = np.bincount(before * k + after, minlength=k * k).reshape(k, k)
                pairs = start.T @ own - np.diag(start.sum(axis=0))
            else:
                both = np.bincount(before[before == after], minlength=k)
                pairs = (start * (own - 1)).sum(axis=0)
            self._follows[lag - 1] += both
            self._expected[lag - 1] += pairs / (b - 1)
        self._repeats += int((blocks[:, 1:] == blocks[:, :-1]).sum())
        two, three = (own**2).sum(axis=1), (own**3).sum(axis=1)
        self._repeats_expected += float((two - b).sum() / b)
        spread = (two * (two + b * (b + 1)) - 2 * b * three - b**3) / (b * b * (b - 1))
        self._repeats_variance += float(spread.sum())

    def _add_spans(self, blocks: I64) -> None:
        """Count spans of the stream; neighbours are merged when there are too many."""
        k = self._classes
        for block in blocks:
            self._within.append(np.bincount(block, minlength=k))
            if len(self._within) * BLOCK < self._size:
                continue
            self._spans.append(np.sum(self._within, axis=0))
            self._within = []
            if len(self._spans) == 2 * SPANS:
                pairs = zip(self._spans[::2], self._spans[1::2], strict=True)
                self._spans = [a + b for a, b in pairs]
                self._size *= 2


def log_ratio(observed: F64, expected: F64) -> F64:
    """Observed times the logarithm of observed / expected; 0 for none."""
    ratio: F64 = np.where(observed > 0, observed * np.log(observed / expected), 0.0)
    return ratio


def _above(squares: float, degrees: int) -> float:
    """Probability of a larger chi-squared value (Wilson and Hilferty)."""
    part = 2 / (9 * degrees)
    z = ((squares / degrees) ** (1 / 3) - 1 + part) / math.sqrt(part)
    return math.erfc(z / math.sqrt(2)) / 2

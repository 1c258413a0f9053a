"""Temporal dependence of labels."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from streamgauge.diagnosis.autocorrelation import MOST_LAGS
from streamgauge.errors import DataError, ParameterError
from streamgauge.kinds import at_most, check_seed, plain_numbers
from streamgauge.report.label_sequence import ALPHA, LabelSequence, LabelSequenceCounter, log_ratio
from streamgauge.streams._is_endless import is_endless
from streamgauge.streams._named_stream import named_stream
from streamgauge.types import F64, I64, NONE, Codes, Stream, Value

MIN_STANDARD_ERRORS = 3.0
"""Number of standard errors from chance at which labels are dependent."""

MIN_DIFFERENCE = 0.01
"""Least difference of the share of repeats from chance at which labels are dependent."""


@dataclass(frozen=True, slots=True)
class LabelDependence:
    """Counts of labels and of transitions between them.

    `counts[i]` counts labels i; `transitions[j, i]` labels i directly after a j; `after[i, l]`
    labels whose l previous ones are all i, and `again[i, l]` those of them that are i too (at
    l = 0, all labels). Missing labels are skipped. `sequence` compares their order with a random
    one, within short blocks and over the whole stream.
    """

    classes: tuple[Value, ...]
    counts: I64
    transitions: I64
    after: I64
    again: I64
    sequence: LabelSequence

    @property
    def items(self) -> int:
        """Number of labels."""
        return int(self.counts.sum())

    @property
    def lags(self) -> int:
        """The largest lag."""
        return int(self.after.shape[1]) - 1

    @property
    def p_majority(self) -> float:
        """P(M): the share of the most frequent class."""
        return float(self.counts.max() / self.items) if self.items else math.nan

    @property
    def p_repeat(self) -> float:
        """P(T): the share of labels that equal the previous one; NaN with fewer than two."""
        pairs = self.items - 1
        return float(np.trace(self.transitions) / pairs) if pairs > 0 else math.nan

    @property
    def p_chance(self) -> float:
        """The expected share of repeats in random order."""
        n = self.items
        return float((self.counts * (self.counts - 1)).sum() / (n * (n - 1))) if n > 1 else math.nan

    @property
    def z(self) -> float:
        """Number of standard errors of P(T) from chance: the runs test of Wald and Wolfowitz.

        The exact mean and variance of the number of repeats over all orders of these labels.
        NaN if it is constant: one class, or every class at most once.
        """
        n, c = self.items, [int(x) for x in self.counts]
        if n < 2:
            return math.nan
        two, three = sum(x**2 for x in c), sum(x**3 for x in c)
        spread = (two * (two + n * (n + 1)) - 2 * n * three - n**3) / (n * n * (n - 1))
        if spread <= 0:
            return math.nan
        expected = sum(x * (x - 1) for x in c) / n
        return float((int(np.trace(self.transitions)) - expected) / math.sqrt(spread))

    @property
    def dependent(self) -> bool:
        """Whether P(T) differs from chance by more than 3 standard errors and by a point.

        Also within blocks of 50 labels: a slow drift of the shares is not dependence.
        """
        within = self.sequence.z_repeats
        return (
            min(abs(self.z), abs(within)) > MIN_STANDARD_ERRORS
            and self.z * within > 0
            and abs(self.p_repeat - self.p_chance) >= MIN_DIFFERENCE
        )

    @property
    def matrix(self) -> F64:
        """P(class i | previous class j), one row per j; NaN if nothing follows j."""
        total = self.transitions.sum(axis=1, keepdims=True)
        return _by(self.transitions, np.broadcast_to(total, self.transitions.shape))

    @property
    def conditional(self) -> F64:
        """P(i | the l labels before are all i), one row per class, from l = 0 on."""
        return _by(self.again, self.after)

    @property
    def delta(self) -> F64:
        r"""Delta(l) for l = 1 and on, one row per class: the effect of one more equal label.

        .. math:: \Delta(l) = P(y_t = i \mid y_{t-1} = \ldots = y_{t-l} = i)
                            - P(y_t = i \mid y_{t-1} = \ldots = y_{t-l+1} = i)
        """
        share = self.conditional
        delta: F64 = share[:, 1:] - share[:, :-1]
        return delta

    @property
    def order(self) -> int:
        """Largest l up to which some |Delta(l)| is at least a point and significant.

        At 5 % over all classes and lags, by the likelihood ratio of the number of labels i after l
        labels i.
        """
        seen, given = self.again[:, 1:].astype(np.float64), self.after[:, 1:].astype(np.float64)
        share = self.conditional[:, :-1]
        tests = max(1, seen.size)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = log_ratio(seen, given * share) + log_ratio(given - seen, given * (1 - share))
            critical = NormalDist().inv_cdf(1 - ALPHA / 2 / tests)
            clear = (np.abs(self.delta) >= MIN_DIFFERENCE) & (2 * ratio > critical**2)
        relevant = [bool(column.any()) for column in clear.T]
        return relevant.index(False) if False in relevant else len(relevant)


@plain_numbers
def label_dependence(labels: Stream | Codes, lags: int = 10, seed: int = 0) -> LabelDependence:
    """Count labels and transitions between them, in one pass and constant memory.

    Parameters
    ----------
    labels
        A stream with classes, or a column of class codes (`NONE` where one is missing).
    lags
        Largest l of Delta(l).
    seed
        Seed of a stream that has none of its own.

    Examples
    --------
    >>> seen = label_dependence(np.array([0, 0, 0, 1, 1, 0, 0, 1], np.int32), lags=2)
    >>> seen.transitions
    array([[3, 2],
           [1, 1]])
    >>> seen.p_majority, seen.p_repeat, seen.p_chance
    (0.625, 0.571, 0.464)
    >>> seen.delta  # of class 0: from 5/8 to 3/5 to 1/3
    array([[-0.025     , -0.26666667],
           [ 0.125     , -0.5       ]])

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    Mood. The distribution theory of runs. Annals of Mathematical Statistics 11 (1940).
    """
    if not isinstance(lags, int) or isinstance(lags, bool) or lags < 1:
        raise ParameterError.of("label_dependence", "lags", "a whole number, at least 1", lags)
    at_most("label_dependence", "lags", lags, MOST_LAGS)
    check_seed("label_dependence", seed)
    if isinstance(labels, np.ndarray):
        classes: tuple[Value, ...] = tuple(range(int(labels.max(initial=0)) + 1))
        return _count([labels], classes, lags)
    stream: Stream = named_stream(labels)
    with_classes("label_dependence", stream)
    batches = (batch.label for batch in stream.batches(65_536, seed))
    return _count(batches, stream.schema.classes or (), lags)


def with_classes(who: str, stream: Stream) -> None:
    """Raise an error unless the stream has classes and is finite."""
    if stream.schema.classes is None:
        raise DataError(
            f"{who}: the target of {stream.name} must be a class, got real values; use the "
            "measure mae_vs_last_value for the dependence of a real target"
        )
    if is_endless(stream):
        raise ParameterError(
            f"{stream.name}: must end, got an endless stream; give items=, or take(stream, n)"
        )


def _count(
    batches: Iterable[Codes | F64], classes: tuple[Value, ...], lags: int
) -> LabelDependence:
    k = len(classes)
    counts = np.zeros(k, np.int64)
    transitions = np.zeros((k, k), np.int64)
    after, again = np.zeros((k, lags + 1), np.int64), np.zeros((k, lags + 1), np.int64)
    last, run = NONE, 0
    sequence = LabelSequenceCounter(k)
    for batch in batches:
        labels = batch[batch != NONE].astype(np.int64)
        if not len(labels):
            continue
        counts += np.bincount(labels, minlength=k)
        sequence.push(labels)
        line = labels if last == NONE else np.concatenate(([last], labels))
        before, now = line[:-1], line[1:]
        np.add.at(transitions, (before, now), 1)
        # how many equal labels end at each label; the first run may have begun in an older batch
        new = np.flatnonzero(before != now) + 1
        start = np.zeros(len(line), np.int64)
        start[new] = new
        length = np.arange(len(line)) - np.maximum.accumulate(start) + 1
        first = int(new[0]) if len(new) else len(line)
        length[:first] += max(run - 1, 0)
        run_length = np.minimum(length[:-1], lags)
        np.add.at(after, (before, run_length), 1)
        np.add.at(again, (now[before == now], run_length[before == now]), 1)
        last, run = int(line[-1]), int(length[-1])
    # counts by exact run length become counts of at least that length
    after, again = (np.cumsum(c[:, ::-1], axis=1)[:, ::-1] for c in (after, again))
    after[:, 0], again[:, 0] = counts.sum(), counts
    return LabelDependence(classes, counts, transitions, after, again, sequence.finish())


def _by(part: I64, whole: I64) -> F64:
    out = np.full(part.shape, np.nan)
    share: F64 = np.divide(part, whole, out=out, where=whole > 0)
    return share

"""Performance drops of learners at known drifts, and recoveries from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from streamgauge.late._labels_before import labels_before
from streamgauge.report.loss_columns import losses_of
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import MeasuredLog, StreamResults, window_items
from streamgauge.series_spread import series_spread, spread_of_changes
from streamgauge.types import F64

RECOVERED = 0.95
"""Recovered: 95 % of the earlier accuracy, or 105 % of the earlier error (Shaker and Hüllermeier
2015)."""

WINDOWS = 5
"""Number of windows before a drift, after it, and of a recovery that are looked at."""

ALPHA = 0.05
"""Probability of a wrong statement about any learner and drift of a stream, of either kind."""

LEAST_EFFECTIVE = 30
"""Number of effective items of a window below which nothing is stated."""

STEPS = 20
"""Number of steps per window in the search for a recovery."""


@dataclass(frozen=True, slots=True)
class PerformanceDrop:
    """Value of a learner before a drift, in the worst window after it, and the time to recovery.

    `recovery_items` is NaN without recovery before the next drift or the end of the stream.
    """

    learner: str
    drift: int
    before: float
    worst: float
    recovery_items: float

    @property
    def loss(self) -> float:
        """Size of the drop."""
        return abs(self.before - self.worst)


@dataclass(frozen=True, slots=True)
class Segment:
    """Places of a drift among the labels: end of the previous drift, start, end, next drift."""

    since: int
    start: int
    end: int
    until: int


def performance_drops(results: StreamResults) -> list[PerformanceDrop]:
    """Drops beyond the fluctuation before the drift that were, or were not, recovered from.

    Drops of which neither can be stated are left out.
    """
    window = next(
        (w for w in results.windows(results.main_measure) if w.startswith("sliding")), None
    )
    if window is None or not results.drifts:
        return []
    level = ALPHA / (len(results.drifts) * max(1, len(results.learners)))
    found = []
    for m in results.learners:
        losses = losses_of(m)
        for drift, segment in zip(results.drifts, _segments(m, results, len(losses)), strict=True):
            drop = find_drop(
                losses, segment, int(window_items(window)), level, results.classification
            )
            if drop is not None:
                found.append(PerformanceDrop(m.name, drift.start, *drop))
    return sorted(found, key=lambda drop: drop.drift)


def _segments(m: MeasuredLog, results: StreamResults, labels: int) -> list[Segment]:
    """The places of the drifts among the labels of a learner; means over repetitions."""
    items = [item for drift in results.drifts for item in (drift.start, drift.end)]
    by_run = [labels_before(run.log, items) for run in m.each]
    known = [min(labels, round(sum(at) / len(by_run))) for at in zip(*by_run, strict=True)]
    starts, ends = known[::2], known[1::2]
    return [
        Segment(*places)
        for places in zip([0, *ends[:-1]], starts, ends, [*starts[1:], labels], strict=True)
    ]


@dataclass(frozen=True, slots=True)
class EarlierMean:
    """Mean of `items` losses before a drift, and the largest mean that counts as recovered.

    `variance` is that of sums of many losses before the drift, per loss: the fluctuation.
    """

    mean: float
    items: int
    variance: float
    limit: float

    def error(self, after: F64) -> float:
        """Standard error of the mean of losses after the drift minus that before."""
        now = max(self.variance, series_spread(after).variance)
        return math.sqrt(now / len(after) + self.variance / self.items)


def find_drop(
    losses: F64, segment: Segment, window: int, level: float, classification: bool
) -> tuple[float, float, float] | None:
    """Value before the drift, the worst after it and the labels until recovery, or None.

    `level` is the probability of a wrong statement. At a drift without effect a drop is the wrong
    one, after a drop what is stated about the recovery.
    """
    s, w = segment, window
    if s.start - s.since < 2 * w or s.until - s.start < w:
        return None
    sums = _Sums(losses)
    before = _earlier_mean(losses, sums, s, w, classification)
    if before is None:
        return None
    last = min(s.until, s.end + WINDOWS * w)
    windows = [(at, at + w) for at in range(s.start, last - w + 1, w)]
    means = [sums.mean(*one) for one in windows]
    error = math.sqrt(before.variance * (1 / w + 1 / before.items))
    # half of the level is left for the error of the variance
    noise = NormalDist().inv_cdf(1 - level / 2 / len(windows)) * error
    dropped = [
        nth for nth, mean in enumerate(means) if mean > max(before.mean + noise, before.limit)
    ]
    if not dropped:
        return None
    found = _recovery(losses, sums, (windows[dropped[0]][1], s.until), w, before, level)
    if found is None:
        return None
    values = before.mean, max(means[nth] for nth in dropped)
    first, worst = (1 - value if classification else value for value in values)
    return first, worst, found - s.start


def _earlier_mean(
    losses: F64, sums: _Sums, s: Segment, w: int, classification: bool
) -> EarlierMean | None:
    """The level before the drift; None if a window is worth too few independent items."""
    earlier = losses[s.since : s.start]
    variance, single = spread_of_changes(earlier, w).variance, float(np.nanvar(earlier))
    if variance > 0 and w * single / variance < LEAST_EFFECTIVE:
        return None
    first = max(s.since, s.start - WINDOWS * w)
    mean = sums.mean(first, s.start)
    limit = 1 - RECOVERED * (1 - mean) if classification else (2 - RECOVERED) * mean
    return EarlierMean(mean, s.start - first, variance, limit)


def _recovery(
    losses: F64, sums: _Sums, rest: tuple[int, int], w: int, before: EarlierMean, level: float
) -> float | None:
    """Where the learner has recovered, NaN if it has not; None if the losses do not decide it.

    The losses after the recovery, over up to five windows, must be significantly below the limit.
    Not recovered: they are nowhere below it, and at the end significantly above.
    """
    begin, end = rest
    quantile = NormalDist().inv_cdf(1 - level / max(1, math.ceil((end - begin) / w)))
    possible = False
    for at in range(begin, end + 1, max(1, w // STEPS)):
        stop = min(at + (WINDOWS - 1) * w, end)
        mean = sums.mean(at - w, stop)
        if not (sums.mean(at - w, at) <= before.limit and mean <= before.limit):
            continue
        possible = True
        if before.limit - mean > quantile * before.error(losses[at - w : stop]):
            return float(at)
    if possible or end - begin < w:
        return None
    first = max(begin, end - WINDOWS * w)
    above = sums.mean(first, end) - before.limit
    beyond = NormalDist().inv_cdf(1 - level) * before.error(losses[first:end])
    return math.nan if above > beyond else None


class _Sums:
    """Cumulated losses, for means over any stretch; NaN is left out."""

    def __init__(self, losses: F64) -> None:
        known = ~np.isnan(losses)
        self._total = np.concatenate([[0.0], np.cumsum(np.where(known, losses, 0.0))])
        self._count = np.concatenate([[0], np.cumsum(known)])

    def mean(self, first: int, stop: int) -> float:
        count = int(self._count[stop] - self._count[first])
        return float(self._total[stop] - self._total[first]) / count if count else math.nan


def drops_table(results: StreamResults, drops: list[PerformanceDrop]) -> Table:
    """Table of drops."""
    return Table(
        (
            Column("learner", "learner"),
            Column("drift", "drift at", "count"),
            Column("before", f"{results.main_measure} before", results.kind),
            Column("worst", "in the worst window after", results.kind),
            Column("recovered_after", "recovered after", "count"),
        ),
        tuple(Row((d.learner, d.drift, d.before, d.worst, d.recovery_items)) for d in drops),
    )

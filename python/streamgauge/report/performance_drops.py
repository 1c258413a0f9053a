"""Performance drops of learners at known drifts, and recoveries from them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import MeasuredLog, StreamResults, half_width, window_items
from streamgauge.types import F64

RECOVERED = 0.95
"""Recovered: 95 % of the earlier accuracy, or 105 % of the earlier error (Shaker and Hüllermeier
2015)."""

WINDOWS_AVERAGED = 5
"""Number of windows in the mean before a drift and after a recovery."""

ERROR_INCREASE = 1.25
"""Factor by which an error must grow to count as a drop."""


@dataclass(frozen=True, slots=True)
class PerformanceDrop:
    """Value of a learner before a drift, its worst value after it, and the time to recovery.

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


def performance_drops(results: StreamResults) -> list[PerformanceDrop]:
    """Drops larger than expected from noise, drift by drift."""
    window = next(
        (w for w in results.windows(results.main_measure) if w.startswith("sliding")), None
    )
    if window is None or not results.drifts:
        return []
    positions = results.drift_positions
    begins = [0] + [d.end for d in positions[:-1]]
    ends = [d.start for d in positions[1:]] + [2**63 - 1]
    found = [
        _drop(m, results, window, drift.start, (since, position.start, end))
        for since, drift, position, end in zip(begins, results.drifts, positions, ends, strict=True)
        for m in results.learners
    ]
    return [drop for drop in found if drop is not None]


def _drop(
    m: MeasuredLog, results: StreamResults, window: str, drift: int, positions: tuple[int, int, int]
) -> PerformanceDrop | None:
    """The drop at the drift at item `drift`, or None.

    `positions` are the end of the previous drift, the start of this one and the start of the next
    one, on the axis of the curve.
    """
    since, start, end = positions
    curve = m.curves.get((results.main_measure, window))
    size = window_items(window)
    if curve is None or start < size:
        return None
    first, stop = (int(np.searchsorted(curve.at, at, side="right")) for at in (start, end))
    after = curve.value[first:stop]
    if not first or not len(after) or curve.at[stop - 1] - start < size or np.isnan(after).all():
        return None
    earlier = int(
        np.searchsorted(curve.at, max(start - WINDOWS_AVERAGED * size, since, size - 1), "right")
    )
    before = _mean(curve.value[min(earlier, first - 1) : first])
    sign = 1 if results.classification else -1
    low = int(np.nanargmin(sign * after))
    if results.classification:
        dropped, target = before - after[low] > 2 * half_width(size), RECOVERED * before
    else:
        dropped, target = after[low] > ERROR_INCREASE * before, (2 - RECOVERED) * before
    if not dropped:
        return None
    at = curve.at[first:stop]
    recovery_items = math.nan
    for i in np.flatnonzero(sign * after[low:] >= sign * target) + low:
        until = int(np.searchsorted(at, at[i] + WINDOWS_AVERAGED * size, "right"))
        if at[-1] - at[i] < size:
            break
        if sign * _mean(after[i:until]) >= sign * target:
            recovery_items = float(at[i] - start)
            break
    return PerformanceDrop(m.name, drift, before, float(after[low]), recovery_items)


def _mean(values: F64) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else math.nan


def drops_table(results: StreamResults, drops: list[PerformanceDrop]) -> Table:
    """Table of drops."""
    return Table(
        (
            Column("learner", "learner"),
            Column("drift", "drift at", "count"),
            Column("before", f"{results.main_measure} before", results.kind),
            Column(
                "worst",
                "minimum after" if results.classification else "maximum after",
                results.kind,
            ),
            Column("recovered_after", "recovered after", "count"),
        ),
        tuple(Row((d.learner, d.drift, d.before, d.worst, d.recovery_items)) for d in drops),
    )

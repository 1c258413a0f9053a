"""What a learner lost at the known drifts, and when it was back."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from streamgauge.report.case import Case, Measured, half_width, window_items
from streamgauge.report.page import Column, Row, Table
from streamgauge.types import F64

BACK = 0.95
"""Back means 95 % of the earlier accuracy, or 105 % of the earlier error (paper 004)."""

STRETCH = 5
"""What it was before, and whether it is back for good, is a mean over so many windows: a single
one may be luck."""

WORSE = 1.25
"""An error must grow by a quarter before it is called a drop."""


@dataclass(frozen=True, slots=True)
class Drop:
    """A learner at a drift: before it, at worst after it, and how many items until it was back.

    `back` is NaN if it was not back before the next drift began or the stream ended.
    """

    learner: str
    drift: int
    before: float
    worst: float
    back: float

    @property
    def loss(self) -> float:
        """How much worse it became."""
        return abs(self.before - self.worst)


def drops(case: Case) -> list[Drop]:
    """Every drop that is larger than chance, drift by drift."""
    window = next((w for w in case.windows(case.main) if w.startswith("sliding")), None)
    if window is None or not case.drifts:
        return []
    marks = case.marks
    begins = [0] + [d.end for d in marks[:-1]]
    ends = [d.start for d in marks[1:]] + [2**63 - 1]
    found = [
        _drop(m, case, window, drift.start, (since, mark.start, end))
        for since, drift, mark, end in zip(begins, case.drifts, marks, ends, strict=True)
        for m in case.learners
    ]
    return [drop for drop in found if drop is not None]


def _drop(
    m: Measured, case: Case, window: str, drift: int, marks: tuple[int, int, int]
) -> Drop | None:
    """What happened between a drift at item `drift`, its forerunner and the next one.

    `marks` are where on the axis of the curve the earlier one ended, it and the next one began.
    """
    since, start, end = marks
    curve = m.curves.get((case.main, window))
    size = window_items(window)
    if curve is None or start < size:
        return None
    first, stop = (int(np.searchsorted(curve.at, at, side="right")) for at in (start, end))
    after = curve.value[first:stop]
    if not first or not len(after) or curve.at[stop - 1] - start < size or np.isnan(after).all():
        return None
    earlier = int(np.searchsorted(curve.at, max(start - STRETCH * size, since, size - 1), "right"))
    before = _mean(curve.value[min(earlier, first - 1) : first])
    sign = 1 if case.classification else -1
    low = int(np.nanargmin(sign * after))
    if case.classification:
        fell, bar = before - after[low] > 2 * half_width(size), BACK * before
    else:
        fell, bar = after[low] > WORSE * before, (2 - BACK) * before
    if not fell:
        return None
    at = curve.at[first:stop]
    back = math.nan
    for i in np.flatnonzero(sign * after[low:] >= sign * bar) + low:
        ahead = int(np.searchsorted(at, at[i] + STRETCH * size, "right"))
        if at[-1] - at[i] < size:
            break
        if sign * _mean(after[i:ahead]) >= sign * bar:
            back = float(at[i] - start)
            break
    return Drop(m.name, drift, before, float(after[low]), back)


def _mean(values: F64) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else math.nan


def listing(case: Case, found: list[Drop]) -> Table:
    """The drops as evidence."""
    return Table(
        (
            Column("learner", "learner"),
            Column("drift", "drift at", "count"),
            Column("before", f"{case.main} before", case.kind),
            Column("worst", "at worst", case.kind),
            Column("back", "back after", "count"),
        ),
        tuple(Row((d.learner, d.drift, d.before, d.worst, d.back)) for d in found),
    )

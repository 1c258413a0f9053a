"""What a learner lost at the known drifts, and when it was back."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from streamgauge.report.case import Case, Measured, half_width, window_items
from streamgauge.report.page import Column, Row, Table

BACK = 0.95
"""Back means 95 % of the earlier accuracy, or 105 % of the earlier error (paper 004), in two
windows that share no item: a single one may be luck."""

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
    ends = [d.start for d in case.drifts[1:]] + [2**63 - 1]
    found = [
        _drop(m, case, window, drift.start, end)
        for drift, end in zip(case.drifts, ends, strict=True)
        for m in case.learners
    ]
    return [drop for drop in found if drop is not None]


def _drop(m: Measured, case: Case, window: str, start: int, end: int) -> Drop | None:
    curve = m.curves.get((case.main, window))
    size = window_items(window)
    if curve is None or start < size:
        return None
    first, stop = (int(np.searchsorted(curve.at, at, side="right")) for at in (start, end))
    after = curve.value[first:stop]
    if not first or not len(after) or curve.at[stop - 1] - start < size or np.isnan(after).all():
        return None
    before = float(curve.value[first - 1])
    if case.classification:
        low = int(np.nanargmin(after))
        fell = before - after[low] > 2 * half_width(size)
        fine = after >= BACK * before
    else:
        low = int(np.nanargmax(after))
        fell = after[low] > WORSE * before
        fine = after <= before * (2 - BACK)
    if not fell:
        return None
    later = np.searchsorted(curve.at[first:stop], curve.at[first:stop] + size)
    still = fine & (later < len(fine)) & fine[np.minimum(later, len(fine) - 1)]
    again = np.flatnonzero(still[low:])
    back = float(curve.at[first + low + again[0]] - start) if len(again) else math.nan
    return Drop(m.name, start, before, float(after[low]), back)


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

"""Missed detection rate, of Bifet and others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure
from streamgauge.alarm_measures._matching import Matching


@dataclass(frozen=True, slots=True)
class BifetMDR(AlarmMeasure):
    r"""Missed detection rate (Bifet and others): drifts without an alarm before the next drift.

    0 is best; NaN without known drifts.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> BifetMDR().value(match_alarms([20, 130], drifts, items=300, tolerance=50))
    0.5

    References
    ----------
    Bifet, Read, Pfahringer, Holmes, Žliobaitė. CD-MOA: change detection framework for massive
    online analysis. Advances in Intelligent Data Analysis XII (2013).
    """

    best: ClassVar[float] = 0.0
    formula: ClassVar[str] = "drifts without an alarm before the next drift / drifts"
    kind: ClassVar[Literal["share", "count", "number"]] = "share"
    needs_drifts: ClassVar[bool] = True

    def value(self, matching: Matching) -> float:
        """Share of drifts without an alarm."""
        missed = matching.first_until_next < 0
        return float(missed.mean()) if len(missed) else float("nan")

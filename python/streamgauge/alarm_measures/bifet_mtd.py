"""Mean time to detection, of Bifet and others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure
from streamgauge.alarm_measures._matching import Matching


@dataclass(frozen=True, slots=True)
class BifetMTD(AlarmMeasure):
    r"""Mean time to detection (Bifet and others): items to the first alarm before the next drift.

    0 is best. Drifts without an alarm are left out; NaN if none has one.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> BifetMTD().value(match_alarms([20, 130, 270], drifts, items=300, tolerance=50))
    50.0

    References
    ----------
    Bifet, Read, Pfahringer, Holmes, Žliobaitė. CD-MOA: change detection framework for massive
    online analysis. Advances in Intelligent Data Analysis XII (2013).
    """

    best: ClassVar[float] = 0.0
    formula: ClassVar[str] = "mean of (first alarm before the next drift - start)"
    kind: ClassVar[Literal["share", "count", "number"]] = "number"
    needs_drifts: ClassVar[bool] = True

    def value(self, matching: Matching) -> float:
        """Mean delay without a window."""
        index = matching.first_until_next
        hit = index >= 0
        delays = matching.alarms[index[hit]] - matching.first[hit]
        return float(delays.mean()) if len(delays) else float("nan")

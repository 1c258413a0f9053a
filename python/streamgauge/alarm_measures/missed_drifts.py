"""Number of missed drifts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure
from streamgauge.alarm_measures._matching import Matching


@dataclass(frozen=True, slots=True)
class MissedDrifts(AlarmMeasure):
    r"""Number of known drifts without an alarm of their own.

    0 is best; NaN on a stationary stream.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> MissedDrifts().value(match_alarms([20, 130, 140], drifts, items=300, tolerance=50))
    1.0
    """

    best: ClassVar[float] = 0.0
    formula: ClassVar[str] = "drifts matched to no alarm"
    kind: ClassVar[Literal["share", "count", "number"]] = "count"
    needs_drifts: ClassVar[bool] = True

    def value(self, matching: Matching) -> float:
        """Number of missed drifts."""
        drifts = len(matching.drifts)
        return float(drifts - matching.found.sum()) if drifts else float("nan")

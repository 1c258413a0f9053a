"""Number of alarms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure
from streamgauge.alarm_measures._matching import Matching


@dataclass(frozen=True, slots=True)
class AlarmCount(AlarmMeasure):
    r"""Number of alarms; it does not judge the detector.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> AlarmCount().value(match_alarms([20, 130, 140], drifts, items=300, tolerance=50))
    3.0
    """

    best: ClassVar[float] = float("nan")
    formula: ClassVar[str] = "alarms"
    kind: ClassVar[Literal["share", "count", "number"]] = "count"

    def value(self, matching: Matching) -> float:
        """Number of alarms."""
        return float(len(matching.alarms))

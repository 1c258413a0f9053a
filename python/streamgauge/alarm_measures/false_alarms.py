"""Number of false alarms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure
from streamgauge.alarm_measures._matching import Matching


@dataclass(frozen=True, slots=True)
class FalseAlarms(AlarmMeasure):
    r"""Number of alarms in no window of a known drift; of all alarms on a stationary stream.

    0 is best. Alarms after the last window count.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> FalseAlarms().value(match_alarms([20, 130, 140, 290], drifts, items=300, tolerance=50))
    2.0
    """

    best: ClassVar[float] = 0.0
    formula: ClassVar[str] = "alarms in no window"
    kind: ClassVar[Literal["share", "count", "number"]] = "count"

    def value(self, matching: Matching) -> float:
        """Number of false alarms."""
        return float(len(matching.false_alarms))

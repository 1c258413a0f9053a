"""Number of repeated alarms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure
from streamgauge.alarm_measures._matching import Matching


@dataclass(frozen=True, slots=True)
class RepeatedAlarms(AlarmMeasure):
    r"""Number of alarms in the window of a drift beyond the one matched to it.

    0 is best.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> RepeatedAlarms().value(match_alarms([20, 130, 140], drifts, items=300, tolerance=50))
    1.0
    """

    best: ClassVar[float] = 0.0
    formula: ClassVar[str] = "alarms in a window, matched to no drift"
    kind: ClassVar[Literal["share", "count", "number"]] = "count"

    def value(self, matching: Matching) -> float:
        """Number of repeated alarms."""
        return float(matching.repeated)

"""Share of alarms without a drift of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure, ratio
from streamgauge.alarm_measures._matching import Matching


@dataclass(frozen=True, slots=True)
class FDPMatched(AlarmMeasure):
    r"""False discovery proportion of the matching: the share of alarms matched to no drift.

    0 is best; NaN without alarms. Alarms in no window and repeated alarms in a window count. It is
    1 - `precision`.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> FDPMatched().value(match_alarms([20, 130, 140, 150], drifts, items=300, tolerance=50))
    0.75
    """

    best: ClassVar[float] = 0.0
    formula: ClassVar[str] = "alarms matched to no drift / alarms"
    kind: ClassVar[Literal["share", "count", "number"]] = "share"

    def value(self, matching: Matching) -> float:
        """Share of unmatched alarms."""
        alarms = len(matching.alarms)
        return ratio(alarms - int(matching.found.sum()), alarms)

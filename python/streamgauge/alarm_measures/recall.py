"""Recall of drifts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure, ratio
from streamgauge.alarm_measures._matching import Matching


@dataclass(frozen=True, slots=True)
class Recall(AlarmMeasure):
    r"""Recall: the share of known drifts that are matched to an alarm, one to one.

    1 is best; NaN on a stationary stream. Repeated alarms do not raise it.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> Recall().value(match_alarms(list(range(130, 140)), drifts, items=300, tolerance=50))
    0.5
    """

    best: ClassVar[float] = 1.0
    formula: ClassVar[str] = "drifts matched to an alarm / drifts"
    kind: ClassVar[Literal["share", "count", "number"]] = "share"
    needs_drifts: ClassVar[bool] = True

    def value(self, matching: Matching) -> float:
        """Share of matched drifts."""
        return ratio(int(matching.found.sum()), len(matching.drifts))

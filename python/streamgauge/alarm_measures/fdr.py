"""False discovery rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure
from streamgauge.alarm_measures._matching import Matching


@dataclass(frozen=True, slots=True)
class FDR(AlarmMeasure):
    r"""False discovery rate: the share of alarms in no window of a known drift.

    0 is best, also for a detector without alarms, as the paper defines it: never raising an alarm
    minimises it. It is a share of alarms, not of items. Repeated alarms in a window are not false;
    `fdp_matched` counts them. (As printed, the formula counts an alarm in two windows twice.)

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> FDR().value(match_alarms([20, 130, 140, 150], drifts, items=300, tolerance=50))
    0.25

    References
    ----------
    Haug, Tramountani, Kasneci. Standardized evaluation of machine learning methods for evolving
    data streams. arXiv (2022).
    """

    best: ClassVar[float] = 0.0
    formula: ClassVar[str] = "alarms in no window / alarms; 0 without alarms"
    kind: ClassVar[Literal["share", "count", "number"]] = "share"

    def value(self, matching: Matching) -> float:
        """Share of alarms in no window."""
        return float((~matching.inside).mean()) if len(matching.alarms) else 0.0

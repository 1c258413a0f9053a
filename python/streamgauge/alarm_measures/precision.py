"""Precision of alarms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure, ratio
from streamgauge.alarm_measures._matching import Matching
from streamgauge.alarm_measures._wrong_alarms import check_repeated_alarms, wrong_alarms
from streamgauge.kinds import plain_numbers


@plain_numbers
@dataclass(frozen=True, slots=True)
class Precision(AlarmMeasure):
    r"""Precision: the share of alarms that are matched to a drift, one to one.

    1 is best; NaN without alarms, and 0 on a stationary stream with alarms.

    Parameters
    ----------
    repeated_alarms
        `"count"`: a repeated alarm in the window of a drift counts as wrong. `"ignore"`: it does
        not count; for detectors whose alarms come in groups.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> found = match_alarms([20, 130, 140, 150], drifts, items=300, tolerance=50)
    >>> Precision().value(found), Precision("ignore").value(found)
    (0.25, 0.5)
    """

    repeated_alarms: Literal["count", "ignore"] = "count"

    best: ClassVar[float] = 1.0
    formula: ClassVar[str] = "alarms matched to a drift / alarms"
    kind: ClassVar[Literal["share", "count", "number"]] = "share"

    def __post_init__(self) -> None:
        check_repeated_alarms(self, self.repeated_alarms)

    def value(self, matching: Matching) -> float:
        """Share of matched alarms."""
        found = int(matching.found.sum())
        return ratio(found, found + wrong_alarms(matching, self.repeated_alarms))

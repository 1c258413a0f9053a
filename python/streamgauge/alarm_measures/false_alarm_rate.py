"""False alarms per 1,000 items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure, ratio
from streamgauge.alarm_measures._matching import Matching
from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, plain_numbers


@plain_numbers
@dataclass(frozen=True, slots=True)
class FalseAlarmRate(AlarmMeasure):
    r"""False alarms per 1,000 items.

    0 is best; NaN without items that count.

    Parameters
    ----------
    per
        Number of items.
    of
        The items that count: `"drift_free"`, those in no window, at which an alarm is false; or
        `"all"` (CapyMOA's `far`).

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> found = match_alarms([20, 130], drifts, items=302, tolerance=50)
    >>> FalseAlarmRate().value(found), FalseAlarmRate(of="all").value(found)
    (5.0, 3.311)
    """

    per: int = 1000
    of: Literal["drift_free", "all"] = "drift_free"

    best: ClassVar[float] = 0.0
    formula: ClassVar[str] = "1,000 alarms in no window / items in no window"
    kind: ClassVar[Literal["share", "count", "number"]] = "number"

    def __post_init__(self) -> None:
        at_least(self, "per", self.per, 1)
        if self.of not in ("drift_free", "all"):
            raise ParameterError.of(self, "of", "'drift_free' or 'all'", self.of)

    def value(self, matching: Matching) -> float:
        """False alarms per `per` items."""
        items = matching.items if self.of == "all" else matching.drift_free
        return ratio(self.per * len(matching.false_alarms), items)

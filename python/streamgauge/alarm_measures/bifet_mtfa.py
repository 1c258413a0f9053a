"""Mean time between false alarms, of Bifet and others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure, ratio
from streamgauge.alarm_measures._matching import Matching


@dataclass(frozen=True, slots=True)
class BifetMTFA(AlarmMeasure):
    r"""Mean time between false alarms (Bifet and others): average run length without a change.

    There is no window: the first alarm from the start of a drift to the start of the next is its
    detection, every other alarm is false. The value is the number of items at which an alarm would
    be false, divided by the number of false alarms, which is 1 over the false alarm rate. The more,
    the better; infinite without a false alarm, NaN if no item could have one. Over repetitions it
    is the number of such items of all divided by the false alarms of all.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> BifetMTFA().value(match_alarms([20, 130, 140], drifts, items=300, tolerance=50))
    84.5

    References
    ----------
    Bifet, Read, Pfahringer, Holmes, Žliobaitė. CD-MOA: change detection framework for massive
    online analysis. Advances in Intelligent Data Analysis XII (2013).
    """

    best: ClassVar[float] = float("inf")
    formula: ClassVar[str] = (
        "items at which an alarm would be false / alarms that are not the first of a drift"
    )
    kind: ClassVar[Literal["share", "count", "number"]] = "number"

    def value(self, matching: Matching) -> float:
        """Items per false alarm."""
        return ratio(*self.totals(matching))

    def totals(self, matching: Matching) -> tuple[float, float]:
        """Items at which an alarm would be false, and false alarms."""
        index = matching.first_until_next
        hit = index >= 0
        ends = matching.next_starts[hit] - 1
        before = matching.first[0] if len(matching.first) else matching.items
        after = int((ends - matching.alarms[index[hit]]).sum())
        return int(before) + after, len(matching.alarms) - int(hit.sum())

"""Detected change rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure
from streamgauge.alarm_measures._matching import Matching
from streamgauge.kinds import plain_numbers


@plain_numbers
@dataclass(frozen=True, slots=True)
class DCR(AlarmMeasure):
    r"""Detected change rate: the share of known drifts with an alarm in their window.

    .. math:: DCR = \frac{1}{|T_d|} \sum_{t_d} 1(\{t \mid t_d \le t \le t_d + W\} \ne \emptyset)

    1 is best; NaN without known drifts. Where windows overlap, one alarm may serve several drifts
    (`recall` matches one to one). 1 - DCR is the missed detection rate.

    Parameters
    ----------
    exclusive
        An alarm counts for the most recent drift only.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> DCR().value(match_alarms([130], drifts, items=300, tolerance=50))
    0.5
    >>> both = match_alarms([210], drifts, items=300, tolerance=150)
    >>> DCR().value(both), DCR(exclusive=True).value(both)
    (1.0, 0.5)

    References
    ----------
    Haug, Tramountani, Kasneci. Standardized evaluation of machine learning methods for evolving
    data streams. arXiv (2022).
    """

    exclusive: bool = False

    best: ClassVar[float] = 1.0
    formula: ClassVar[str] = "drifts with an alarm in [start, end + W] / drifts"
    kind: ClassVar[Literal["share", "count", "number"]] = "share"
    needs_drifts: ClassVar[bool] = True

    def value(self, matching: Matching) -> float:
        """Share of drifts with an alarm in their window."""
        index = matching.first_until_next if self.exclusive else matching.first_in_window
        hit = index >= 0
        if self.exclusive:
            hit &= matching.alarms[index * hit] <= matching.last if len(matching.alarms) else False
        return float(hit.mean()) if len(hit) else float("nan")

"""F1 of alarms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure, ratio
from streamgauge.alarm_measures._matching import Matching
from streamgauge.alarm_measures._wrong_alarms import check_repeated_alarms, wrong_alarms
from streamgauge.kinds import plain_numbers


@plain_numbers
@dataclass(frozen=True, slots=True)
class F1(AlarmMeasure):
    r"""F1: the harmonic mean of precision and recall of the one-to-one matching.

    .. math:: F_1 = \frac{2 \text{ matched}}
              {2 \text{ matched} + \text{wrong alarms} + \text{missed drifts}}

    1 is best. 0 if nothing is matched, NaN without alarms and without drifts. It grows with the
    number of drifts per item for every detector, also at random: read the rows of the baselines.

    Parameters
    ----------
    repeated_alarms
        As in `precision`.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> F1().value(match_alarms([20, 130, 140, 150], drifts, items=300, tolerance=50))
    0.3333
    """

    repeated_alarms: Literal["count", "ignore"] = "count"

    best: ClassVar[float] = 1.0
    formula: ClassVar[str] = "2 matched / (2 matched + wrong alarms + missed drifts)"
    kind: ClassVar[Literal["share", "count", "number"]] = "share"

    def __post_init__(self) -> None:
        check_repeated_alarms(self, self.repeated_alarms)

    def value(self, matching: Matching) -> float:
        """2 matched / (2 matched + wrong + missed)."""
        found = int(matching.found.sum())
        wrong = wrong_alarms(matching, self.repeated_alarms)
        return ratio(2 * found, found + wrong + len(matching.drifts))

"""Mean time ratio."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure, ratio
from streamgauge.alarm_measures._matching import Matching
from streamgauge.alarm_measures.dcr import DCR
from streamgauge.alarm_measures.mean_delay import MeanDelay
from streamgauge.alarm_measures.mtfa import MTFA
from streamgauge.kinds import plain_numbers


@plain_numbers
@dataclass(frozen=True, slots=True)
class MTR(AlarmMeasure):
    r"""Mean time ratio: false alarms, delay and detected changes in one number.

    .. math:: MTR = \frac{MTFA}{MD} \times DCR

    with `mtfa`, `mean_delay` and `dcr`. The more, the better; 0 if no drift is detected, infinite
    if all delays are 0, NaN without known drifts. It is not normalised: values of different streams
    cannot be compared.

    Parameters
    ----------
    exclusive
        As in `dcr`.
    until_next
        As in `mean_delay`.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> MTR().value(match_alarms([20, 60, 130], drifts, items=300, tolerance=50))
    0.6667
    >>> MTR().value(match_alarms([100, 200], drifts, items=300, tolerance=50))
    inf

    References
    ----------
    Haug, Tramountani, Kasneci. Standardized evaluation of machine learning methods for evolving
    data streams. arXiv (2022).
    """

    exclusive: bool = False
    until_next: bool = False

    best: ClassVar[float] = float("inf")
    formula: ClassVar[str] = "mtfa / mean_delay * dcr"
    kind: ClassVar[Literal["share", "count", "number"]] = "number"
    needs_drifts: ClassVar[bool] = True

    def value(self, matching: Matching) -> float:
        """MTFA / MD x DCR."""
        detected = DCR(self.exclusive).value(matching)
        if detected == 0 or math.isnan(detected):
            return detected
        delay = MeanDelay(self.until_next).value(matching)
        return ratio(MTFA().value(matching) * detected, delay)

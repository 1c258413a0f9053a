"""Mean delay, of Gama and others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure
from streamgauge.alarm_measures._matching import Matching
from streamgauge.alarm_measures.bifet_mtd import BifetMTD


@dataclass(frozen=True, slots=True)
class GamaDelay(AlarmMeasure):
    r"""Mean delay of Gama and others: items of the new concept up to the first alarm.

    The change is at the last item c of the old concept; the delay is the first alarm after c minus
    c, so an alarm at the first item of a drift has delay 1. Alarms until the next drift count. 1 is
    best. Drifts without an alarm are left out, and counted by `bifet_mdr`; NaN if none has one.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> GamaDelay().value(match_alarms([20, 130, 270], drifts, items=300, tolerance=50))
    51.0

    References
    ----------
    Gama, Sebastião, Rodrigues. On evaluating stream learning algorithms.
    Machine Learning 90 (2013).
    """

    best: ClassVar[float] = 1.0
    formula: ClassVar[str] = "mean of (first alarm before the next drift - start + 1)"
    kind: ClassVar[Literal["share", "count", "number"]] = "number"
    needs_drifts: ClassVar[bool] = True

    def value(self, matching: Matching) -> float:
        """Mean delay, counted from the last old item."""
        return 1 + BifetMTD().value(matching)

    def better(self) -> Literal["high", "low"]:
        """Low delays are better."""
        return "low"

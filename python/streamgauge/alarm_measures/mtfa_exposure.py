"""Drift-free time per false alarm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure, ratio
from streamgauge.alarm_measures._matching import Matching
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers


@plain_numbers
@dataclass(frozen=True, slots=True)
class MTFAExposure(AlarmMeasure):
    r"""Drift-free time per false alarm: items in no window, divided by the alarms among them.

    The time before the first and after the last false alarm counts, and one false alarm is enough
    for a value. The more, the better; NaN if the windows cover the stream. Over repetitions it is
    the drift-free time of all divided by the false alarms of all; censored values are averaged.

    Parameters
    ----------
    none
        The value without a false alarm: `"infinite"`, or `"censored"`, the drift-free time, which
        is then a lower bound.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> MTFAExposure().value(match_alarms([20, 130], drifts, items=302, tolerance=50))
    200.0
    >>> quiet = match_alarms([130], drifts, items=302, tolerance=50)
    >>> MTFAExposure().value(quiet), MTFAExposure("censored").value(quiet)
    (inf, 200.0)
    """

    none: Literal["infinite", "censored"] = "infinite"

    best: ClassVar[float] = float("inf")
    formula: ClassVar[str] = "items in no window / alarms in no window"
    kind: ClassVar[Literal["share", "count", "number"]] = "number"

    def __post_init__(self) -> None:
        if self.none not in ("infinite", "censored"):
            raise ParameterError.of(self, "none", "'infinite' or 'censored'", self.none)

    def value(self, matching: Matching) -> float:
        """Drift-free items per false alarm."""
        false, free = len(matching.false_alarms), matching.drift_free
        return float(free) if self.none == "censored" and not false and free else ratio(free, false)

    def totals(self, matching: Matching) -> tuple[float, float] | None:
        """Drift-free items and false alarms; None for censored values, which are averaged."""
        if self.none == "censored":
            return None
        return matching.drift_free, len(matching.false_alarms)

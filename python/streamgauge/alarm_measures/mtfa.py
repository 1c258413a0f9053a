"""Mean time between false alarms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure
from streamgauge.alarm_measures._matching import Matching


@dataclass(frozen=True, slots=True)
class MTFA(AlarmMeasure):
    r"""Mean time between false alarms: the mean difference of consecutive alarms in no window.

    The more, the better. With fewer than two false alarms there is no difference, and it is the
    length of the stream; the time before the first and after the last false alarm does not count.
    `mtfa_exposure` has neither of the two flaws.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> MTFA().value(match_alarms([20, 60, 130], drifts, items=300, tolerance=50))
    40.0
    >>> MTFA().value(match_alarms([130], drifts, items=300, tolerance=50))
    300.0

    References
    ----------
    Haug, Tramountani, Kasneci. Standardized evaluation of machine learning methods for evolving
    data streams. arXiv (2022).
    """

    best: ClassVar[float] = float("inf")
    formula: ClassVar[str] = (
        "mean gap of alarms in no window; the stream's length with fewer than two"
    )
    kind: ClassVar[Literal["share", "count", "number"]] = "number"

    def value(self, matching: Matching) -> float:
        """Mean gap of false alarms."""
        false = matching.false_alarms
        if len(false) < 2:
            return float(matching.items)
        return float((false[-1] - false[0]) / (len(false) - 1))

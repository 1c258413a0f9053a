"""Lift over a detector of random alarms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure, ratio
from streamgauge.alarm_measures._matching import Matching
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.types import F64


@plain_numbers
@dataclass(frozen=True, slots=True)
class Lift(AlarmMeasure):
    r"""Lift: detected drifts, relative to a detector with as many alarms at random items.

    With k alarms among n items and a window of m items, a drift has an alarm in its window by
    chance with the probability :math:`p = 1 - \binom{n-m}{k} / \binom{n}{k}`. The lift is the
    number of drifts with an alarm in their window, divided by the sum of p over the drifts. 1 is
    chance, whatever the number of alarms and of drifts; the more, the better. NaN without alarms
    or drifts.

    Parameters
    ----------
    of
        `"drifts"`, or `"alarms"`: alarms in windows, divided by their number by chance.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> Lift().value(match_alarms([130], drifts, items=300, tolerance=49))
    3.0
    """

    of: Literal["drifts", "alarms"] = "drifts"

    best: ClassVar[float] = float("inf")
    formula: ClassVar[str] = "drifts (or alarms) in a window with the other / that number by chance"
    kind: ClassVar[Literal["share", "count", "number"]] = "number"
    needs_drifts: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.of not in ("drifts", "alarms"):
            raise ParameterError.of(self, "of", "'drifts' or 'alarms'", self.of)

    def value(self, matching: Matching) -> float:
        """Detected drifts, or alarms in windows, over their expected number."""
        if self.of == "alarms":
            share = 1 - ratio(matching.drift_free, matching.items)
            return ratio(int(matching.inside.sum()), len(matching.alarms) * share)
        return ratio(int((matching.first_in_window >= 0).sum()), float(chances(matching).sum()))


def chances(matching: Matching) -> F64:
    """Probability that each drift has one of as many random alarms in its window."""
    n, k = matching.items, len(matching.alarms)
    found = np.empty(len(matching.drifts))
    for nth, m in enumerate((matching.last - matching.first + 1).tolist()):
        if k + m > n:
            found[nth] = 1.0
        else:  # the ratio of binomials is symmetric in k and m
            few, many = min(k, m), max(k, m)
            found[nth] = -np.expm1(np.log1p(-many / (n - np.arange(few))).sum())
    return found

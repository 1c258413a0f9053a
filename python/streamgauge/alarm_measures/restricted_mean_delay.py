"""Restricted mean delay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure
from streamgauge.alarm_measures._matching import Matching
from streamgauge.kinds import at_least, plain_numbers


@plain_numbers
@dataclass(frozen=True, slots=True)
class RestrictedMeanDelay(AlarmMeasure):
    r"""Restricted mean delay: the mean of the delay, or of the horizon where the delay is longer.

    .. math:: E[\min(T, h)] = \sum_{t=0}^{h-1} S(t)

    where :math:`S(t)` is the share of drifts without an alarm of their own (one to one) up to t
    items after their start, estimated by Kaplan and Meier: a drift whose window is cut by the end
    of the stream counts as long as it was observed. 0 is best. A missed drift counts with the
    horizon, so missing is never rewarded; NaN without known drifts.

    Parameters
    ----------
    horizon
        h, in items; by default one more than the longest window, W + 1 if drifts are abrupt.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> RestrictedMeanDelay().value(match_alarms([130], drifts, items=300, tolerance=49))
    40.0

    References
    ----------
    Kaplan, Meier. Nonparametric estimation from incomplete observations.
    Journal of the American Statistical Association 53 (1958).
    """

    horizon: int | None = None

    best: ClassVar[float] = 0.0
    formula: ClassVar[str] = "mean of min(delay, horizon), censored at the end of the stream"
    kind: ClassVar[Literal["share", "count", "number"]] = "number"
    needs_drifts: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.horizon is not None:
            at_least(self, "horizon", self.horizon, 1)

    def value(self, matching: Matching) -> float:
        """The area under the estimated S(t) up to the horizon."""
        if not matching.drifts:
            return float("nan")
        longest = max(d.end - d.start for d in matching.drifts) + matching.tolerance + 1
        horizon = longest if self.horizon is None else self.horizon
        delays = matching.delays
        observed = matching.last - matching.first  # the last time at which an alarm would count
        found = ~np.isnan(delays)
        time = np.where(found, delays, observed)
        # A window that was observed in full ends with a miss, not with a censored delay.
        full = np.array([d.end - d.start + matching.tolerance for d in matching.drifts])
        time = np.where(~found & (observed >= full), np.inf, time)
        area, share, before = 0.0, 1.0, 0.0
        for at in np.unique(time[found & (delays < horizon)]):
            area += share * (at - before)
            at_risk = int((time >= at).sum())
            share *= 1 - int((found & (time == at)).sum()) / at_risk
            before = float(at)
        return float(area + share * (horizon - before))

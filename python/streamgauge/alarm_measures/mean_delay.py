"""Mean delay (MD)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure
from streamgauge.alarm_measures._matching import Matching
from streamgauge.kinds import plain_numbers


@plain_numbers
@dataclass(frozen=True, slots=True)
class MeanDelay(AlarmMeasure):
    r"""Mean delay (MD): items from a drift's start to the first alarm in its window, on average.

    0 is best. Drifts without an alarm in their window are left out, so a missed drift does not
    lower the mean; NaN if none has one. Look at `dcr` or `missed_drifts` beside it, or use
    `restricted_mean_delay`, which has both in one number.

    Parameters
    ----------
    until_next
        Search up to the next drift or the end of the stream instead of the window; a drift without
        an alarm counts with this whole period (the authors' package float; their example with W =
        500 and a mean delay of 852 needs it).

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> found = match_alarms([130, 270], drifts, items=300, tolerance=50)
    >>> MeanDelay().value(found), MeanDelay(until_next=True).value(found)
    (30.0, 50.0)

    References
    ----------
    Haug, Tramountani, Kasneci. Standardized evaluation of machine learning methods for evolving
    data streams. arXiv (2022).
    """

    until_next: bool = False

    best: ClassVar[float] = 0.0
    formula: ClassVar[str] = "mean of (first alarm in the window - start) over drifts that have one"
    kind: ClassVar[Literal["share", "count", "number"]] = "number"
    needs_drifts: ClassVar[bool] = True
    aliases: ClassVar[tuple[str, ...]] = ("md",)

    def value(self, matching: Matching) -> float:
        """Mean delay of the drifts with an alarm."""
        index = matching.first_until_next if self.until_next else matching.first_in_window
        hit = index >= 0
        delays = matching.alarms[index[hit]] - matching.first[hit]
        if self.until_next:
            missed = (matching.next_starts - matching.first)[~hit]
            delays = np.concatenate([delays, missed])
        return float(delays.mean()) if len(delays) else float("nan")

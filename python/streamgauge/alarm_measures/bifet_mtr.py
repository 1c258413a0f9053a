"""Mean time ratio, of Bifet and others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.alarm_measures._alarm_measure import AlarmMeasure, ratio
from streamgauge.alarm_measures._matching import Matching
from streamgauge.alarm_measures.bifet_mdr import BifetMDR
from streamgauge.alarm_measures.bifet_mtd import BifetMTD
from streamgauge.alarm_measures.bifet_mtfa import BifetMTFA


@dataclass(frozen=True, slots=True)
class BifetMTR(AlarmMeasure):
    r"""Mean time ratio of Bifet and others, without a window.

    .. math:: MTR = \frac{MTFA}{MTD} (1 - MDR)

    with `bifet_mtfa`, `bifet_mtd` and `bifet_mdr`. The more, the better; 0 if every drift is
    missed, infinite without false alarms or without delay, NaN without known drifts.

    Examples
    --------
    >>> from streamgauge.alarm_measures import match_alarms
    >>> from streamgauge.types import Drift
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> BifetMTR().value(match_alarms([20, 130], drifts, items=300, tolerance=50))
    2.8167
    >>> BifetMTR().value(match_alarms([130, 230], drifts, items=300, tolerance=50))
    inf

    References
    ----------
    Bifet, Read, Pfahringer, Holmes, Žliobaitė. CD-MOA: change detection framework for massive
    online analysis. Advances in Intelligent Data Analysis XII (2013).
    """

    best: ClassVar[float] = float("inf")
    formula: ClassVar[str] = "bifet_mtfa / bifet_mtd * (1 - bifet_mdr)"
    kind: ClassVar[Literal["share", "count", "number"]] = "number"
    needs_drifts: ClassVar[bool] = True

    def value(self, matching: Matching) -> float:
        """MTFA / MTD x (1 - MDR)."""
        missed = BifetMDR().value(matching)
        if missed == 1 or math.isnan(missed):
            return 1 - missed
        return ratio(BifetMTFA().value(matching) * (1 - missed), BifetMTD().value(matching))

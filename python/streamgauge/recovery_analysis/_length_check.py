"""Whether streams were long enough for a recovery analysis."""

from __future__ import annotations

import math

import numpy as np

from streamgauge.recovery_analysis._below import Better, is_below
from streamgauge.recovery_analysis._saturation_level import count_of, saturation_level
from streamgauge.recovery_analysis.recovery_curves import RecoveryCurves
from streamgauge.recovery_analysis.recovery_panel import LengthCheck
from streamgauge.recovery_analysis.transition import PlacedTransition
from streamgauge.repetitions._spread import LEVEL, Spread
from streamgauge.types import F64

STILL = 0.01
"""Improvement, relative to the level, from which on a curve has not saturated."""


def still_improving(rows: F64, better: Better, last: float, limit: float = STILL) -> bool:
    """Whether curves still improve at their end.

    The mean of the last points is better than that of as many points before by more than `limit` of
    it, and the 95 % t interval of this difference over the repetitions excludes 0.

    Examples
    --------
    >>> curves = np.linspace(0.5, 0.9, 50) + np.array([[0.0], [0.01]])
    >>> still_improving(curves, "high", 0.1), still_improving(curves * 0 + 0.9, "high", 0.1)
    (True, False)
    """
    count = count_of(rows.shape[1], last)
    if rows.shape[1] < 2 * count or not count:
        return False
    end, earlier = rows[:, -count:].mean(axis=1), rows[:, -2 * count : -count].mean(axis=1)
    gain = end - earlier if better == "high" else earlier - end
    if not np.isfinite(gain).all() or gain.mean() <= limit * abs(float(end.mean())):
        return False
    found = Spread(tuple(gain.tolist()), level=LEVEL)
    return found.sd == 0 or math.isnan(found.low) or found.low > 0


def length_check(
    curves: RecoveryCurves,
    whole: RecoveryCurves,
    transition: PlacedTransition,
    better: Better,
    last: float,
    share: float,
) -> LengthCheck:
    """Check the length of streams; `curves` are those of one drift, `whole` of the whole stream."""
    before, after = whole.before.mean(axis=0), whole.after.mean(axis=0)
    level_a, level_b = saturation_level(before, last), saturation_level(after, last)
    level_c = saturation_level(curves.mixture.mean(axis=0), last)
    saturated_a = not still_improving(whole.before, better, last)
    saturated_b = not still_improving(whole.after, better, last)
    ahead = np.flatnonzero(curves.at < transition.start)
    ahead = ahead[len(ahead) - min(len(ahead), count_of(len(whole.at), last)) :]
    reached = bool(len(ahead)) and not bool(
        is_below(
            np.array([curves.before.mean(axis=0)[ahead].mean()]),
            np.array([level_a]),
            better,
            share,
        )[0]
    )
    behind = level_c < level_b if better == "high" else level_c > level_b
    recovering = bool(behind) and still_improving(curves.mixture, better, last)
    sentences = []
    if not saturated_a:
        sentences.append("it still improves at the end of the old pure stream")
    if not saturated_b:
        sentences.append("it still improves at the end of the new pure stream")
    if not reached:
        sentences.append("it has not reached its level on the old stream before the drift begins")
    if recovering:
        sentences.append("it still recovers at the end of the mixture")
    return LengthCheck(saturated_a, saturated_b, reached, recovering, tuple(sentences))

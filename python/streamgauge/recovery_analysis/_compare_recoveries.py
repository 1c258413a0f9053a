"""Two learners by the difference of their recoveries."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from streamgauge.recovery_analysis._analyse import LOWER_IS_BETTER
from streamgauge.recovery_analysis.recovery_panel import RecoveryComparison, RecoveryPanel

DURATIONS = ("duration", "sustained_duration", "duration_from_drift")
"""Measures that are not known of a learner that has not recovered for good."""


def compare_recoveries(
    panels: Sequence[RecoveryPanel], level: float
) -> Iterator[RecoveryComparison]:
    """Compare every two learners at the same drift, by paired repetitions.

    The bootstrap samples of all learners draw the same repetitions, so the samples of a
    difference are the differences of the samples.
    """
    for one, other in combinations(panels, 2):
        if (one.setting, one.number) != (other.setting, other.number):
            continue
        if one.learner == other.learner:
            continue
        for name in LOWER_IS_BETTER:
            yield _compared(one, other, name, level)


def _compared(
    one: RecoveryPanel, other: RecoveryPanel, name: str, level: float
) -> RecoveryComparison:
    first, second = one.value(name), other.value(name)
    with np.errstate(invalid="ignore"):
        samples = np.asarray(first.samples) - np.asarray(second.samples)
    defined = samples[~np.isnan(samples)]
    difference = first.value - second.value
    low = high = math.nan
    if len(defined) and not math.isnan(difference):
        tail = (1 - level) / 2
        low, high = np.quantile(defined, [tail, 1 - tail], method="inverted_cdf").tolist()
    winner = one if high < 0 else other if low > 0 else None
    if winner is not None and name in DURATIONS and not winner.for_good:
        winner = None
    better = "" if winner is None else winner.learner
    return RecoveryComparison(
        one.setting, one.number, name, one.learner, other.learner, difference, low, high, better
    )

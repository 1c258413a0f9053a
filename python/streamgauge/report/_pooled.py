"""Repetitions of one learner as one: sums of counts, means of curves, bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from streamgauge.repetitions._mean_curve import mean_curve
from streamgauge.report.stream_results import MeasuredLog, sum_counts


def pooled(runs: Sequence[MeasuredLog], level: float | None = None) -> MeasuredLog:
    """The repetitions of one learner as one; bands are ± one standard deviation by default.

    With a level, they are t intervals of the mean. Baselines and identical repetitions have none.
    """
    first = runs[0]
    curves = {
        key: mean_curve([run.curves[key] for run in runs], level)
        for key in first.curves
        if all(key in run.curves for run in runs)
    }
    made = MeasuredLog(
        first.name,
        first.log,
        sum_counts([run.counts for run in runs]),
        {key: replace(curve, low=None, high=None) for key, curve in curves.items()},
        first.derived,
        runs=tuple(runs),
    )
    return made if made.baseline or made.identical else replace(made, bands=curves)

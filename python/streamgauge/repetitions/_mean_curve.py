"""The mean of the curves of repetitions, with a band."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.repetitions._spread import quantile
from streamgauge.types import F64, I64, Curve

POINTS = 10_000
"""Largest number of points of a mean curve whose repetitions have different points."""

OF_ONE_RUN = ("items", "predicted", "coverage", "fold")
"""Parts of the definition of a curve that belong to one run."""


@plain_numbers
def mean_curve(curves: Sequence[Curve], level: float | None = None) -> Curve:
    """The pointwise mean of the curves of repetitions, or of folds, with a band.

    Means are taken at equal positions. Where the repetitions have different points (labels are
    missing at other items), the value of each at a position is its latest at or before it. There
    is a point where all repetitions have begun and none has ended; it is NaN if one of them is.

    Parameters
    ----------
    curves
        One per repetition, of one measure and window.
    level
        By default the band is the mean ± one standard deviation over the repetitions. With a level
        it is the t interval of the mean at this level. Both are pointwise.

    Examples
    --------
    >>> at = np.arange(1, 4)
    >>> runs = [Curve("accuracy", "whole", at, np.array(v)) for v in ([1, 0.5, 0.6], [0, 0.5, 0.8])]
    >>> curve = mean_curve(runs)
    >>> curve.value.tolist(), curve.low.round(3).tolist(), curve.high.round(3).tolist()
    ([0.5, 0.5, 0.7], [-0.207, 0.5, 0.559], [1.207, 0.5, 0.841])
    >>> curve.definition["band"]
    'mean ± standard deviation of 2 repetitions'
    """
    if not curves or not all(isinstance(curve, Curve) for curve in curves):
        raise ParameterError.of("mean_curve", "curves", "curves, at least one", list(curves))
    if level is not None and not 0 < level < 1:
        raise ParameterError.of("mean_curve", "level", "above 0 and below 1", level)
    what = dict.fromkeys((c.measure, c.window) for c in curves)
    if len(what) > 1:
        shown = ", ".join(f"{measure} in {window}" for measure, window in what)
        raise ParameterError.of("mean_curve", "curves", "of one measure and window", shown)
    n, first = len(curves), curves[0]
    if n == 1:
        return first
    at, values = aligned([c.at for c in curves], [c.value for c in curves])
    mean, sd = moments(values)
    wide = 1.0 if level is None else quantile(level, n) / math.sqrt(n)
    band = "mean ± standard deviation" if level is None else f"{100 * level:g} % t interval"
    definition = {k: v for k, v in first.definition.items() if k not in OF_ONE_RUN}
    unit = "folds" if all("fold" in c.definition for c in curves) else "repetitions"
    return replace(
        first,
        at=at,
        value=mean,
        definition={**definition, unit: str(n), "band": f"{band} of {n} {unit}"},
        low=mean - wide * sd,
        high=mean + wide * sd,
        axis="labels" if any(c.axis == "labels" for c in curves) else first.axis,
    )


def aligned(at: Sequence[I64], values: Sequence[F64]) -> tuple[I64, F64]:
    """Positions in the range that all cover, and the latest value of each repetition there.

    The positions are those of any repetition, thinned if they are too many; one row per repetition.

    Values may have more dimensions; the first is that of the positions.
    """
    if all(len(one) == len(at[0]) and bool((one == at[0]).all()) for one in at):
        return at[0], np.stack(values)
    if not all(map(len, at)):
        return at[0][:0], np.stack([value[:0] for value in values])
    begin, end = max(int(one[0]) for one in at), min(int(one[-1]) for one in at)
    every = np.unique(np.concatenate(at))
    common = every[(every >= begin) & (every <= end)]
    if len(common) > POINTS:
        common = common[np.linspace(0, len(common) - 1, POINTS).astype(np.int64)]
    latest = (np.searchsorted(one, common, side="right") - 1 for one in at)
    return common, np.stack([value[rows] for value, rows in zip(values, latest, strict=True)])


def moments(values: F64) -> tuple[F64, F64]:
    """Mean and sample standard deviation over the first axis; NaN if one value is."""
    if len(values) == 1:
        return values[0], np.full(values[0].shape, np.nan)
    equal = (values == values[0]).all(axis=0)
    with np.errstate(invalid="ignore", over="ignore"):
        mean, sd = values.mean(axis=0), values.std(axis=0, ddof=1)
    return np.where(equal, values[0], mean), np.where(equal, 0.0, sd)

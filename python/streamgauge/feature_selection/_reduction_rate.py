"""Reduction rate of a feature selection: the share of features left out."""

from __future__ import annotations

import numpy as np

from streamgauge.feature_selection._steps import (
    counts_between,
    mean_over_folds,
    steps_of,
    window_of,
    windows_of,
)
from streamgauge.kinds import plain_numbers
from streamgauge.log import Log
from streamgauge.types import F64, Curve
from streamgauge.windows._window import Window


@plain_numbers
def reduction_rate(
    log: Log,
    window: str | Window | None = None,
    *,
    every: int | None = None,
    fold: int | None = None,
) -> Curve:
    r"""Mean share of features that were not selected, :math:`1 - \bar k / m`, over a stream.

    :math:`\bar k` is the mean number of selected features after the items learned in the window, m
    the number of features. 0: all features are selected. Undefined (NaN) without features.

    Parameters
    ----------
    log
        A log with selections, as of `learners.Selecting`.
    window
        A name (`"sliding(100)"`) or an object: `Whole` (default), `Sliding` or `Tumbling`, in items
        learned.
    every
        Number of items learned between points; by default at most 2,000 points.
    fold
        Which fold, if the protocol has several; by default all of them: the mean of their curves,
        at equal numbers of items learned, with a band of one standard deviation.

    Examples
    --------
    >>> import streamgauge as sg
    >>> log = sg.run("led(items=500)", "selecting(fires(n_features=6), naive_bayes)")
    >>> reduction_rate(log).final
    0.75

    References
    ----------
    Haug, Tramountani, Kasneci. Standardized evaluation of machine learning methods for evolving
    data streams (2022).
    """
    shown = window_of("reduction_rate", window)

    def curve(one: int) -> Curve:
        steps = steps_of("reduction_rate", log, one)
        starts, ends = windows_of(steps, shown, every, "reduction_rate")
        chosen = counts_between(steps, starts, ends).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            value: F64 = 1 - chosen / ((ends - starts) * steps.features)
        about = {"measure": "reduction_rate", "window": str(shown), "fold": str(one)}
        return Curve("reduction_rate", str(shown), ends, value, about, axis=steps.axis)

    return mean_over_folds("reduction_rate", log, fold, curve)

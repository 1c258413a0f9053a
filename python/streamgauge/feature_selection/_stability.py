"""Stability of a feature selection: Nogueira's measure over a window."""

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
from streamgauge.types import F64, I64, Curve
from streamgauge.windows._window import Window


def nogueira_stability(counts: I64, selections: I64) -> F64:
    r"""Nogueira's stability of feature sets, from how often each feature is in them.

    .. math:: 1 - \frac{\frac{1}{m} \sum_j \frac{w}{w-1} \hat p_j (1 - \hat p_j)}
                       {\frac{\bar k}{m} \left(1 - \frac{\bar k}{m}\right)}

    with the share :math:`\hat p_j` of the w sets that have feature j, and the mean number
    :math:`\bar k` of features of a set. 1: all sets are equal; the expected value of random sets
    is 0; it may be negative. Undefined (NaN) for a single set, and if all sets are empty or have
    all features.

    Parameters
    ----------
    counts
        The number of sets that have each feature: one row per window, one column per feature.
    selections
        The number of sets of each window.

    Examples
    --------
    Three sets of two features, of which the first two are equal:

    >>> sets = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]])
    >>> nogueira_stability(sets.sum(axis=0)[None], np.array([3])).round(4).tolist()
    [0.3333]

    References
    ----------
    Nogueira, Sechidis, Brown. On the stability of feature selection algorithms. Journal of Machine
    Learning Research 18 (2017).
    """
    number = np.asarray(selections, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.asarray(counts, np.float64) / number[:, None]
        spread = (share * (1 - share)).mean(axis=1) * (number / (number - 1))
        size = share.mean(axis=1)
        value: F64 = 1 - spread / (size * (1 - size))
    full = np.asarray(counts).sum(axis=1) == np.asarray(selections) * np.shape(counts)[1]
    empty = ~np.asarray(counts).any(axis=1)
    value[(number < 2) | full | empty] = np.nan
    return value


@plain_numbers
def stability(
    log: Log,
    window: str | Window | None = None,
    *,
    every: int | None = None,
    fold: int | None = None,
) -> Curve:
    """Stability of the features that a learner selected, over a stream.

    Nogueira's measure (see `nogueira_stability`) of the selections after each item learned. The
    number of features may change: its mean over the window counts. Before a window is full, the
    selections there are count.

    Parameters
    ----------
    log
        A log with selections, as of `learners.Selecting`.
    window
        A name (`"sliding(100)"`) or an object: `Whole` (default), `Sliding` or `Tumbling`, in items
        learned. `sliding(2)` compares each selection with the one before.
    every
        Number of items learned between points; by default at most 2,000 points.
    fold
        Which fold, if the protocol has several; by default all of them: the mean of their curves,
        at equal numbers of items learned, with a band of one standard deviation.

    Examples
    --------
    >>> import streamgauge as sg
    >>> learner = "selecting(random_features(n_features=3, every=1), naive_bayes)"
    >>> curve = stability(sg.run("led(items=2000)", learner))
    >>> round(curve.final, 2)
    0.0

    References
    ----------
    Haug, Tramountani, Kasneci. Standardized evaluation of machine learning methods for evolving
    data streams (2022).
    """
    shown = window_of("stability", window)

    def curve(one: int) -> Curve:
        steps = steps_of("stability", log, one)
        starts, ends = windows_of(steps, shown, every, "stability")
        value = nogueira_stability(counts_between(steps, starts, ends), ends - starts)
        about = {"measure": "selection_stability", "window": str(shown), "fold": str(one)}
        return Curve("selection_stability", str(shown), ends, value, about, axis=steps.axis)

    return mean_over_folds("stability", log, fold, curve)

"""Drift restoration time of a series of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, plain_numbers
from streamgauge.properties._deterioration import as_series, before_drift, mean_of
from streamgauge.types import F64, Flags

TOLERANCE = 1e-9
"""Relative difference within which a value equals the reference."""


@plain_numbers
def restoration(
    values: Sequence[float] | F64,
    at: int,
    window: int,
    *,
    better: Literal["low", "high"] = "low",
    stop: int | None = None,
    overlap: int = 0,
) -> float:
    r"""How many time steps after a drift a measure is restored (DRT).

    With the values :math:`L_t` of a loss at time steps t and a drift at step :math:`t_d`,

    .. math:: DRT = \min\{t \ge t_d : L_t \le \frac{1}{W} \sum_{w=1}^{W} L_{t_d-w}\} - t_d

    (:math:`\ge` for a score). 0 if the first step after the drift is as good as before. Infinity if
    no step is, up to the end of the series; it is not stopped by the next drift unless `stop` says
    so. NaN if the window before the drift is not complete, or its mean is undefined: that is not
    the same as never. Values within a relative difference of 1e-9 are equal.

    Of single items with a loss of 0 or 1 it is the time of the first correct prediction, which
    means nothing: give values of batches.

    Parameters
    ----------
    values
        One per time step (batch).
    at
        The first step after the drift, counted from 0.
    window
        W: number of steps before the drift.
    better
        `"low"` for a loss, `"high"` for a score.
    stop
        Search up to this step, exclusive; by default to the end.
    overlap
        Number of steps right before the drift to leave out, because their items reach beyond it.

    Examples
    --------
    >>> restoration([0.2, 0.2, 0.6, 0.4, 0.2, 0.3], at=2, window=2)
    2.0
    >>> restoration([0.2, 0.2, 0.6, 0.4], at=2, window=2)
    inf
    >>> restoration([0.2, 0.2, 0.6, 0.2], at=2, window=3)
    nan

    References
    ----------
    Haug, Tramountani, Kasneci. Standardized evaluation of machine learning methods for evolving
    data streams. arXiv:2204.13625 (2022), Eq. 3.
    """
    series = as_series("restoration", values)
    at_least("restoration", "at", at, 0)
    at_least("restoration", "window", window, 1)
    at_least("restoration", "overlap", overlap, 0)
    if better not in ("low", "high"):
        raise ParameterError.of("restoration", "better", "'low' or 'high'", better)
    before = before_drift(series, at, window, overlap)
    if len(before) < window or np.isnan(before).any():
        return float("nan")
    after = series[at:stop]
    hits = np.flatnonzero(restored(after, mean_of(before), better))
    return float(hits[0]) if len(hits) else float("inf")


def restored(values: F64, reference: float, better: Literal["low", "high"]) -> Flags:
    """Which values are at least as good as a reference."""
    worse = values - reference if better == "low" else reference - values
    near = TOLERANCE * np.maximum(np.abs(values), abs(reference))
    found: Flags = worse <= near
    return found

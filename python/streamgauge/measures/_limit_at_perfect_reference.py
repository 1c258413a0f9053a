"""Value of a kappa whose reference is always right."""

from __future__ import annotations

import numpy as np

from streamgauge.types import F64


def limit_at_perfect_reference(kappa: F64, p: F64, p_reference: F64) -> F64:
    """Replace the values of a kappa where `p_reference` is 1, up to rounding (1e-12).

    There, (p - p_reference) / (1 - p_reference) is NaN if `p` is 1 too, else minus infinity.

    Examples
    --------
    >>> kappa, p, p_reference = np.array([[0.5, 0.0, -1.0], [0.8, 1.0, 0.9], [0.6, 1.0, 1.0]])
    >>> limit_at_perfect_reference(kappa, p, p_reference).tolist()
    [0.5, nan, -inf]
    """
    # usually no reference is 1, which the largest alone shows; a NaN makes the comparison false
    if np.min(1.0 - p_reference, initial=1.0) >= 1e-12:
        return kappa
    perfect = np.abs(1.0 - p_reference) < 1e-12
    return np.where(perfect, np.where(np.abs(1.0 - p) < 1e-12, np.nan, -np.inf), kappa)

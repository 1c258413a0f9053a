"""Which scores a learner may give."""

from __future__ import annotations

import numpy as np

from streamgauge.types.columns import F64

ROUNDING = 1e-6
"""How much a score may exceed 1, because of rounding; the core has the same limit."""


def impossible_score(scores: F64) -> tuple[int, float] | None:
    """Return row and value of the first impossible score; None if there is none.

    The scores of an item are numbers from 0 to 1, or all NaN, which means that it has none.

    Examples
    --------
    >>> impossible_score(np.array([[0.5, 0.5], [np.nan, np.nan], [2.0, 3.0]]))
    (2, 2.0)
    >>> impossible_score(np.array([[0.9, 0.3], [np.nan, np.nan]]))
    """
    if not scores.size or (scores.min() >= 0 and scores.max() <= 1 + ROUNDING):
        return None
    possible = (scores >= 0) & (scores <= 1 + ROUNDING)
    wrong = ~(possible.all(axis=1) | np.isnan(scores).all(axis=1))
    if not wrong.any():
        return None
    row = int(np.flatnonzero(wrong)[0])
    return row, float(scores[row, int(np.flatnonzero(~possible[row])[0])])


def must_be_score(got: float) -> str:
    """Format the requirement on scores, and what was found."""
    return f"scores must be from 0 to 1, or all NaN for none, got {got:g}"

"""Checks of the parameters that several comparisons have: side, alpha, bound, spell, margin."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias, get_args

from streamgauge.errors import ParameterError

Side: TypeAlias = Literal["either", "a", "b"]
"""Which advantage is tested: of either learner, only of A, only of B."""


def check_side(who: str, side: str) -> None:
    """Raise ParameterError unless `side` is valid."""
    if side not in get_args(Side):
        raise ParameterError.of(who, "side", f"one of {', '.join(get_args(Side))}", side)


def check_alpha(who: str, alpha: float) -> None:
    """Raise ParameterError unless `alpha` is between 0 and 1."""
    if isinstance(alpha, bool) or not isinstance(alpha, int | float) or not 0 < alpha < 1:
        raise ParameterError.of(who, "alpha", "above 0 and below 1", alpha)


def finite_bound(who: str, bound: float) -> float:
    """The bound as a float; raises ParameterError unless it is positive and finite."""
    if isinstance(bound, bool) or not isinstance(bound, int | float) or not 0 < bound < math.inf:
        raise ParameterError.of(who, "bound", "above 0 and finite", bound)
    return float(bound)


LEAST_SPELL = 10
"""The shortest spell: verdicts need at least 100 items."""


def check_spell(who: str, spell: int) -> int:
    """The spell as an int; raises ParameterError unless it is a whole number in its range."""
    if isinstance(spell, bool) or not isinstance(spell, int) or not LEAST_SPELL <= spell <= 10**9:
        must = f"a whole number of items, from {LEAST_SPELL} to 1,000,000,000"
        raise ParameterError.of(who, "spell", must, spell)
    return spell


def check_margin(who: str, margin: float | None) -> None:
    """Raise ParameterError unless `margin` is None, or positive and finite."""
    if margin is None:
        return
    if isinstance(margin, bool) or not isinstance(margin, int | float) or not 0 < margin < math.inf:
        raise ParameterError.of(who, "margin", "above 0 and finite", margin)

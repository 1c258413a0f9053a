"""Interface of sequences of losses, and their level over the items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, at_most
from streamgauge.streams.sigmoid import sigmoid
from streamgauge.types import F64, Drift

MOST_ITEMS = 10**9
"""Largest number of losses, which are held in memory."""


@runtime_checkable
class LossSequence(Protocol):
    """Losses with known drifts, drawn by a seed."""

    @property
    def name(self) -> str:
        """Name in tables."""

    @property
    def drifts(self) -> tuple[Drift, ...]:
        """The known drifts."""

    def losses(self, seed: int = 0) -> F64:
        """The losses, one per item."""


def check_sequence(who: Any) -> None:
    """Raise ParameterError unless items, drift positions, levels and width are legal."""
    at_least(who, "items", who.items, 1)
    at_most(who, "items", who.items, MOST_ITEMS)
    at_least(who, "width", who.width, 0)
    positions, levels = as_tuple(who.at), as_tuple(who.levels)
    for position in positions:
        at_least(who, "at", position, 1)
    if list(positions) != sorted(set(positions)) or (positions and positions[-1] >= who.items):
        must = f"increasing items below {who.items:,}, the number of items"
        raise ParameterError.of(who, "at", must, who.at)
    legal = all(isinstance(x, int | float) and np.isfinite(x) for x in levels)
    if not levels or not legal or (positions and len(levels) < 2):
        must = "numbers, at least two if there is a drift"
        raise ParameterError.of(who, "levels", must, who.levels)
    object.__setattr__(who, "at", positions)
    object.__setattr__(who, "levels", levels)


def as_tuple(given: Any) -> tuple[Any, ...]:
    """A number or a sequence of numbers as a tuple."""
    several = isinstance(given, Sequence) and not isinstance(given, str)
    return tuple(given) if several else (given,)


def level_of_items(items: int, at: Sequence[int], levels: Sequence[float], width: int) -> F64:
    """The mean loss at each item: one level after the other, repeated if there are more drifts.

    Examples
    --------
    >>> level_of_items(5, (2, 4), (0.1, 0.3), width=0).tolist()
    [0.1, 0.1, 0.3, 0.3, 0.1]
    """
    level = np.full(items, float(levels[0]))
    for nth, centre in enumerate(at):
        old, new = levels[nth % len(levels)], levels[(nth + 1) % len(levels)]
        if width <= 1:
            level[centre:] = new
            continue
        share = sigmoid(np.arange(items), centre, width)
        level = level + (new - old) * share
    return level

"""`Cohorts`: 100 consecutive items of a `Duel`, counted when a share of their labels is known."""

from __future__ import annotations

import math

from streamgauge.errors import ParameterError

SIZE = 100
"""Number of consecutive items of a cohort."""

Losses = tuple[float, float]


class Cohorts:
    """Holds the losses of each cohort until a share of its labels is known.

    A label that is known to be missing (`losses` None) counts as known. Labels that come after
    their cohort was released count at once.
    """

    def __init__(self, who: str, share: float) -> None:
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share <= 1:
            raise ParameterError.of(who, "labelled_share", "a share above 0, at most 1", share)
        self._least = math.ceil(share * SIZE - 1e-9)  # 0.55 * 100 is above 55
        self._held: dict[int, list[tuple[int, Losses | None]]] = {}
        self._labels: dict[int, int] = {}

    def add(self, index: int, losses: Losses | None) -> list[Losses]:
        """Add the losses of the item with this number, from 1 on; returns those that count now."""
        cohort = (index - 1) // SIZE
        known = self._labels.get(cohort, 0) + 1
        if known == SIZE:
            self._labels.pop(cohort, None)
        else:
            self._labels[cohort] = known
        released = known - 1 >= self._least
        if released:
            return [] if losses is None else [losses]
        held = self._held.setdefault(cohort, [])
        held.append((index, losses))
        if known < self._least:
            return []
        del self._held[cohort]
        return [pair for _, pair in sorted(held, key=lambda h: h[0]) if pair is not None]

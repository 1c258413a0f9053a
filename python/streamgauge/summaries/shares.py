"""The shares that kappas are computed from."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

import numpy as np

from streamgauge.types import F64, Value


class Shares(Protocol):
    """How often the answer is right, and how often simple guessers would be."""

    @property
    def classes(self) -> tuple[Value, ...]:
        """The declared classes."""

    @property
    def observed(self) -> F64:
        """Share of right answers: p."""

    @property
    def by_chance(self) -> F64:
        """Share of right answers if they were dealt out at random: p_ran."""

    @property
    def persistent(self) -> F64:
        """Share of labels that repeat the one before: p_per."""

    @property
    def largest(self) -> F64:
        """Share of the most frequent label: p_maj."""

    @property
    def beyond_chance(self) -> F64:
        """How far p is beyond p_ran."""

    @property
    def beyond_persistent(self) -> F64:
        """How far p is beyond p_per."""


class Beyond:
    """What two measures share is worked out once."""

    @cached_property
    def beyond_chance(self: Shares) -> F64:
        """How far p is beyond p_ran."""
        return beyond(self.observed, self.by_chance)

    @cached_property
    def beyond_persistent(self: Shares) -> F64:
        """How far p is beyond p_per."""
        return beyond(self.observed, self.persistent)


def beyond(p: F64, reference: F64) -> F64:
    """How far `p` is on the way from a reference to perfection: (p - r) / (1 - r).

    Where the reference is perfect, NaN if p is too, else minus infinity.
    """
    room = 1.0 - reference
    value: F64 = p - reference
    value = value / room
    # one look at the least of them; if it is NaN, all are looked at
    if not np.min(room, initial=1.0) >= 1e-12:
        perfect = np.abs(room) < 1e-12
        value = np.where(perfect, np.where(np.abs(1.0 - p) < 1e-12, np.nan, -np.inf), value)
    return value

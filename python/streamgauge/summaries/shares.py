"""The shares that kappas are computed from."""

from __future__ import annotations

from typing import Protocol

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

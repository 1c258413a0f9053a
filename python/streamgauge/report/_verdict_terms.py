"""What the verdicts of a report depend on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VerdictTerms:
    """The longest mean spell of luck that names no winner, and a margin that does not matter."""

    spell: int = 200
    margin: float | None = None

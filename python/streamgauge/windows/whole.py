"""All of the log."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Whole:
    """Everything since the first item; nothing is forgotten.

    Examples
    --------
    >>> str(Whole())
    'whole'
    """

    def __str__(self) -> str:
        return "whole"

    @property
    def spec(self) -> tuple[str, float]:
        """Kind and parameter, as the core takes them."""
        return "whole", 0.0

"""The whole log."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge.windows._window import Window


@dataclass(frozen=True, slots=True)
class Whole(Window):
    """All items since the first.

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

"""Consecutive blocks of items."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge.kinds import plain_numbers
from streamgauge.windows._checks import whole_number
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class Tumbling(Window):
    """Consecutive blocks of `size` items, with a value at the end of each.

    The items after the last full block form a shorter block with its own value.

    Examples
    --------
    >>> str(Tumbling(500))
    'tumbling(500)'
    """

    size: int

    def __post_init__(self) -> None:
        whole_number(self, "size", self.size)

    def __str__(self) -> str:
        return f"tumbling({self.size})"

    @property
    def spec(self) -> tuple[str, float]:
        """Kind and parameter, as the core takes them."""
        return "tumbling", float(min(self.size, 2**53))  # larger than any log

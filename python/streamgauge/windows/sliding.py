"""The last items of a log."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge.kinds import plain_numbers
from streamgauge.windows._checks import whole_number
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class Sliding(Window):
    """The last `size` items, or all if there are fewer.

    Examples
    --------
    >>> str(Sliding(1000))
    'sliding(1000)'
    """

    size: int

    def __post_init__(self) -> None:
        whole_number(self, "size", self.size)

    def __str__(self) -> str:
        return f"sliding({self.size})"

    @property
    def spec(self) -> tuple[str, float]:
        """Kind and parameter, as the core takes them."""
        return "sliding", float(min(self.size, 2**53))  # larger than any log

"""One block of items after the other."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge.kinds import plain_numbers
from streamgauge.windows._checks import whole_number


@plain_numbers
@dataclass(frozen=True, slots=True)
class Tumbling:
    """Blocks of `size` items, one after the other: each has a value where it ends.

    What remains at the end of the log is a shorter last block with a value of its own.

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
        return "tumbling", float(min(self.size, 2**53))  # more items than there can be

"""Exponentially weighted means that start from a prior."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.windows._checks import is_number
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class EWMA(Window):
    """Exponentially weighted means that start from a prior: Algorithm 1 of the paper.

    The newest item has a weight of `weight`: the larger, the shorter the memory. Accuracy starts
    at 0 and the share of each of k classes at 1/k without correction, so early values are biased
    (`Fading` has no such bias). The label before the first one is the first class.

    Examples
    --------
    >>> str(EWMA(0.01))
    'ewma(0.01)'

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """

    weight: float = 0.01

    def __post_init__(self) -> None:
        if not (is_number(self.weight) and 0 < self.weight < 1):
            raise ParameterError.of(self, "weight", "above 0 and below 1", self.weight)

    def __str__(self) -> str:
        return f"ewma({self.weight!r})"

    @property
    def spec(self) -> tuple[str, float]:
        """Kind and parameter, as the core takes them."""
        return "ewma", float(self.weight)

"""Exponentially fading weights, without bias."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.windows._checks import is_number
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class Fading(Window):
    r"""All items, each with `factor` times the weight of the next one.

    Sums are :math:`S_i = x_i + \alpha S_{i-1}`, and the number of items they are divided by is
    :math:`N_i = 1 + \alpha N_{i-1}`, so that the first value is unbiased too. With a factor of
    0.999 the last 1,000 items have 63 % of the weight.

    Examples
    --------
    >>> str(Fading(0.999))
    'fading(0.999)'

    References
    ----------
    Gama, Sebastião, Rodrigues. On evaluating stream learning algorithms.
    Machine Learning 90 (2013).
    """

    factor: float

    def __post_init__(self) -> None:
        if not (is_number(self.factor) and 0 < self.factor <= 1):
            raise ParameterError.of(self, "factor", "above 0 and at most 1", self.factor)

    def __str__(self) -> str:
        return f"fading({self.factor!r})"

    @property
    def spec(self) -> tuple[str, float]:
        """Kind and parameter, as the core takes them."""
        return "fading", float(self.factor)

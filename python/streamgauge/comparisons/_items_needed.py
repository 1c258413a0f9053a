"""`items_needed`: how long a stream must be for a difference to be decided."""

from __future__ import annotations

import math

from streamgauge.comparisons._boundary import squared_quantile
from streamgauge.comparisons._checks import Side, check_alpha, check_side, check_spell
from streamgauge.comparisons.long_run import EFFECTIVE_ITEMS, SPELLS
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers

LEAST_BATCHES = 24
"""Least number of batches of the largest size in the variance of the long run, not overlapping."""


@plain_numbers
def items_needed(
    gap: float,
    disagreement: float,
    dependence: float = 1.0,
    *,
    alpha: float = 0.05,
    side: Side = "either",
    spell: int = 200,
) -> int:
    r"""About how many items `compare` needs to name the better of two learners.

    The number :math:`n` of items at which the expected difference is just outside the interval of
    the long run: :math:`n g^2 / (V + f g^2) = a^2 + \ln(n / m)` with the gap :math:`g` and
    :math:`V` = dependence (disagreement - :math:`g^2`), and :math:`a`, :math:`f` and :math:`m` as
    in `LongRun`; at least ten spells, and the items that 100 effective ones need. Half of such
    comparisons are decided at about this number or before; in simulations the median was up to a
    quarter smaller. Read the inputs off an earlier verdict, or plan for several.

    Parameters
    ----------
    gap
        The difference of the mean losses that matters.
    disagreement
        Share of the items on which exactly one of the two is wrong; for real losses the mean square
        of the difference of the losses.
    dependence
        Number of items that one effective item takes: `counted / long_run.effective_items` of a
        verdict. 1 if errors are independent.
    alpha, side, spell
        As in `compare`.

    Examples
    --------
    >>> items_needed(gap=0.02, disagreement=0.33), items_needed(0.02, 0.33, dependence=7)
    (7532, 65171)
    """
    check_alpha("items_needed", alpha)
    check_side("items_needed", side)
    check_spell("items_needed", spell)
    for name, value in (("gap", gap), ("disagreement", disagreement), ("dependence", dependence)):
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e15:
            raise ParameterError.of("items_needed", name, "above 0 and below 1e15", value)
    if disagreement < gap * gap:
        must = "at least the square of the gap"
        raise ParameterError.of("items_needed", "disagreement", must, disagreement)
    variance = dependence * (disagreement - gap * gap)
    start = SPELLS * spell

    def decided(n: float) -> bool:
        largest = 1 << max(0, math.floor(math.log2(n / LEAST_BATCHES)))
        floor = max(0, spell - largest)
        level = squared_quantile(alpha, side) + math.log(n / start)
        return n * gap * gap >= level * (variance + floor * gap * gap)

    least = max(start, math.ceil(EFFECTIVE_ITEMS * dependence))
    low, high = least, least
    while not decided(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if decided(middle) else (middle, high)
    return high

"""Which of two learners was expected to lose less so far: exact for any dependence."""

from __future__ import annotations

import math
from dataclasses import dataclass

from streamgauge.comparisons._checks import Side
from streamgauge.comparisons._text import confidence, item_number, items
from streamgauge.types import Axis


@dataclass(frozen=True, slots=True)
class SoFar:
    r"""Which learner was expected to lose less on the items seen, given the past at each of them.

    With :math:`d_t` the loss of A minus that of B on item :math:`t`, in units of the largest loss,
    the e-value for B is the weighted mean of :math:`\prod_t (1 + \lambda d_t)` over 32 values of
    :math:`\lambda` from 0.98 down, each smaller by the factor :math:`\sqrt 2`; that for A has
    :math:`1 - \lambda d_t`. If B is no better, given the past, the probability that its e-value
    *ever* reaches :math:`1/\alpha` is at most :math:`\alpha`, whatever the dependence of the
    errors. The mean of the conditional expectations of :math:`d_t` lies between `low` and `high`,
    at all times simultaneously, with probability at least 1 - `alpha`.

    It is about the items seen, not about later ones: under bursts of errors one learner may be
    expected to lose less for a while although both are equal in the long run. `leader` is the
    learner whose e-value reaches its threshold, or None; it has been so since position `since`, and
    `first` is the first one with its position.

    References
    ----------
    Waudby-Smith, Ramdas. Estimating means of bounded random variables by betting. Journal of the
    Royal Statistical Society B 86 (2024).
    Choe, Ramdas. Comparing sequential forecasters. Operations Research 72 (2024).
    """

    a: str
    b: str
    items: int
    difference: float
    low: float
    high: float
    log_e_value_a: float
    log_e_value_b: float
    leader: str | None
    since: int | None
    first: tuple[str, int] | None
    alpha: float
    side: Side
    axis: Axis = "items"

    @property
    def log_e_value(self) -> float:
        """Natural logarithm of the e-value; with `side="either"`, against equal learners."""
        match self.side:
            case "a":
                return self.log_e_value_a
            case "b":
                return self.log_e_value_b
            case _:
                return max(self.log_e_value_a, self.log_e_value_b) - math.log(2)

    @property
    def e_value(self) -> float:
        """The e-value, at most e^700, about 1e304; `log_e_value` has no limit."""
        return math.exp(min(self.log_e_value, 700.0))

    @property
    def p(self) -> float:
        """An anytime-valid p-value: 1 / e-value, at most 1."""
        return math.exp(-max(self.log_e_value, 0.0))

    def to_text(self) -> str:
        """The statement as a sentence.

        Examples
        --------
        >>> print(SoFar("a", "b", 200, -1.0, -1.0, -0.9, 90.0, -50.0, "a", 7, ("a", 7), 0.05,
        ...             "either").to_text())
        So far: over the 200 items seen, a was expected to lose less than b, given the past at each
        item, since item 7 (difference -1 within [-1, -0.9], 95 %); exact for any dependence, says
        nothing about later items.
        """
        over = f"over the {items(self.items)} seen"
        within = (
            f"difference {self.difference:.3g} within [{self.low:.3g}, {self.high:.3g}], "
            f"{confidence(self.alpha)}"
        )
        if self.leader is None:
            return (
                f"So far: {over}, it is undecided who was expected to lose less, given the past "
                f"at each item ({within})."
            )
        other = self.b if self.leader == self.a else self.a
        return (
            f"So far: {over}, {self.leader} was expected to lose less than {other}, given the past "
            f"at each item, since {item_number(self.since, self.axis)} ({within}); exact for any "
            "dependence, says nothing about later items."
        )

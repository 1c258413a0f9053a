"""Shares that forget with every item, from a prior on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from streamgauge.summaries.shares import Beyond
from streamgauge.summaries.totals import total_product
from streamgauge.types import F64, Value


@dataclass(frozen=True)
class Smoothed(Beyond):
    """The state of Algorithm 1 of Žliobaitė et al. (2015), or a stack of such.

    `truths` and `answers` are the shares of each class, `repeats` how often a label of that
    class followed one of its own; the first axis is the class.
    """

    classes: tuple[Value, ...]
    observed: F64
    truths: F64
    answers: F64
    repeats: F64

    @cached_property
    def by_chance(self) -> F64:
        """p_ran: the sum of P(i) P_h(i)."""
        return total_product(self.truths, self.answers)

    @cached_property
    def persistent(self) -> F64:
        """p_per: the sum of P(i) P(i|i)."""
        return total_product(self.truths, self.repeats)

    @cached_property
    def largest(self) -> F64:
        """p_maj: the largest P(i)."""
        value: F64 = self.truths.max(0)
        return value

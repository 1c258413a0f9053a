"""The caveat of a winner that lost little so far: an outage, a run of its errors, could undo it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from streamgauge._core import SequentialTest
from streamgauge.comparisons._text import items

STRETCHES = 9
"""Effective number of stretches from which on the losses of a learner are not few."""

OUTAGES = 3
"""A lead above this number of outages is not undone by them: the rule of three, at 95 %."""


@dataclass(frozen=True, slots=True)
class FewLosses:
    r"""The caveat that the winner's own losses were few: an unseen outage could undo its lead.

    No test can see an outage that has not occurred. A learner that errs in rare outages is ahead of
    one that errs as often in single items until the first of them, and after it while outages
    happen to be few. The winner keeps its name, with this caveat if both hold:

    - The losses of the winner, on items on which its loss was the larger one, came in fewer than 9
      effective stretches. A stretch begins with such a loss outside of the stretch before, and is a
      quarter of a spell long; with :math:`x_i` the sum of the differences in stretch :math:`i`, the
      effective number is :math:`(\sum x_i)^2 / \sum x_i^2`.
    - The `lead`, the sum of the differences :math:`d_t` of the losses, is at most that of three
      outages of `spell` items with differences of the usual size,
      :math:`\sum d_t^2 / \sum |d_t|`; `outages` of them undo it.

    Attributes
    ----------
    winner, loser
        The winner of the long run, and the other one.
    stretches
        The effective number of stretches; 0 if its loss was never the larger one.
    stretch
        Number of items of a stretch.
    lead
        By how much its total loss is lower.
    outages
        Number of outages of `spell` items that undo the lead.
    spell
        As in `LongRun`.
    """

    winner: str
    loser: str
    stretches: float
    stretch: int
    lead: float
    outages: float
    spell: int

    def to_text(self) -> str:
        """The caveat as a sentence.

        Examples
        --------
        >>> print(FewLosses("a", "b", 2.3, 50, 120.0, 0.6, 200).to_text())
        a's lead over b, a total loss lower by 120, is below that of 3 outages of 200 items, and a
        had the larger loss in only about 3 separate stretches of 50 items: an outage that has not
        occurred yet could undo the lead.
        """
        return (
            f"{self.winner}'s lead over {self.loser}, a total loss lower by {self.lead:,.4g}, is "
            f"below that of {OUTAGES} outages of {items(self.spell)}, and {self._own}: an outage "
            "that has not occurred yet could undo the lead."
        )

    @property
    def _own(self) -> str:
        if self.stretches == 0:
            return f"{self.winner} never had the larger loss"
        number = math.ceil(self.stretches)
        return (
            f"{self.winner} had the larger loss in only about {number} separate "
            f"stretch{'es' * (number != 1)} of {items(self.stretch)}"
        )


def few_losses(
    test: SequentialTest, names: tuple[str, str], winner: str | None, spell: int
) -> FewLosses | None:
    """The caveat of the winner of a pair; None if there is no winner, or no caveat."""
    if winner is None:
        return None
    stretch, effective, sizes = test.stretches()
    total, squares = test.sums()
    nth = names.index(winner)
    stretches = effective[nth]
    outages = abs(total) * sizes / (squares * spell) if squares > 0 else math.inf
    if not (stretches < STRETCHES and outages <= OUTAGES):
        return None
    return FewLosses(winner, names[1 - nth], stretches, stretch, abs(total), outages, spell)

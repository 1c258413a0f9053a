"""Which of two learners is better over recent items, watched all the time."""

from __future__ import annotations

import math
from dataclasses import dataclass

from streamgauge.comparisons._checks import Side
from streamgauge.comparisons._text import confidence, items

SHORTEST = 2048
"""Number of items of the shortest window."""


@dataclass(frozen=True, slots=True)
class Now:
    r"""Which learner has the lower mean loss over recent items.

    Windows of :math:`w` to :math:`2w` items are tested for :math:`w` = 2,048, 4,096, …, each as in
    `LongRun`, watched from :math:`w` items on. Window :math:`i` of scale :math:`j` has the share
    :math:`\alpha / ((j + 1) (j + 2) i (i + 1))` of alpha, so that the probability of *ever* naming
    a learner in any window in which both are equal is about `alpha`. `leader` is that of the
    shortest window that decides, `length` its number of items; `difference`, `low` and `high` are
    those of this window. If no window decides, `leader` is None and the numbers are those of the
    shortest window; NaN if there is none yet.

    References
    ----------
    Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas. Time-uniform central limit theory and asymptotic
    confidence sequences. Annals of Statistics 52 (2024).
    """

    a: str
    b: str
    leader: str | None
    length: int
    difference: float
    low: float
    high: float
    alpha: float
    side: Side
    spell: int

    def to_text(self) -> str:
        """The statement as a sentence.

        Examples
        --------
        >>> print(Now("a", "b", "b", 3072, 0.1, 0.02, 0.18, 0.05, "either", 200).to_text())
        Now: over the last 3,072 items b has the lower mean loss (difference 0.1 within
        [0.02, 0.18], 95 % for all windows at all times, if luck comes in spells of at most about
        200 items on average).
        """
        if math.isnan(self.difference):
            return f"Now: no statement before {items(SHORTEST)}."
        within = f"difference {self.difference:.3g} within [{self.low:.3g}, {self.high:.3g}]"
        if self.leader is None:
            return f"Now: no window decides (over the last {items(self.length)}, {within})."
        return (
            f"Now: over the last {items(self.length)} {self.leader} has the lower mean loss "
            f"({within}, {confidence(self.alpha)} for all windows at all times, if luck comes in "
            f"spells of at most about {items(self.spell)} on average)."
        )

"""Which of two learners has the lower long-run mean loss: the statement that names the winner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from streamgauge.comparisons._checks import Side
from streamgauge.comparisons._text import about, confidence, item_number, items
from streamgauge.comparisons.few_losses import FewLosses
from streamgauge.types import Axis

Status: TypeAlias = Literal[
    "too few items",
    "always equal",
    "too few effective items",
    "undecided",
    "undecided, one-sided tail",
    "decided",
]
"""Why there is a winner of the long run, or none."""

EFFECTIVE_ITEMS = 100
"""Least number of effective items of a verdict."""

SPELLS = 10
"""Number of spells before the first verdict."""


@dataclass(frozen=True, slots=True)
class LongRun:
    r"""Which learner has the lower long-run mean loss, watched all the time.

    With :math:`d_t` the loss of A minus that of B on item :math:`t`, and :math:`\bar d` its mean
    over :math:`n` items, the interval is

    .. math:: \bar d \pm \sqrt{V b / (n - f b)}, \quad b = a^2 + \ln(n / m)

    where :math:`V` is the variance of sums of many differences, per item: the largest over batches
    of 1, 2, 4, … items, extrapolated while it still grows with their size; :math:`f` is the part of
    `spell` that is longer than the largest batch; :math:`m` is ten spells, before which there is no
    verdict; and :math:`2 (1 - \Phi(a) + a \varphi(a)) = \alpha`. The probability of *ever* naming a
    winner between learners with equal long-run means is about `alpha`, asymptotically, if errors
    depend on each other over fewer than `spell` / 4 items, at most about twice that for spells of
    luck with a mean length up to `spell`, and without any limit beyond.

    `status` is why there is a `winner` or none; `p` is an anytime-valid p-value; `effective_items`
    is the number of independent items that have the same information. The verdict has held since
    position `since`; `first` is the first one with its position. `few_losses` is the caveat of a
    winner whose own losses were so few that an outage which has not occurred yet could undo its
    lead; None if there is no such caveat.

    References
    ----------
    Robbins, Siegmund. Boundary crossing probabilities for the Wiener process and sample sums.
    Annals of Mathematical Statistics 41 (1970).
    Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas. Time-uniform central limit theory and asymptotic
    confidence sequences. Annals of Statistics 52 (2024).
    """

    a: str
    b: str
    status: Status
    winner: str | None
    since: int | None
    first: tuple[str, int] | None
    items: int
    effective_items: float
    difference: float
    low: float
    high: float
    p: float
    alpha: float
    side: Side
    spell: int
    axis: Axis = "items"
    few_losses: FewLosses | None = None

    @property
    def start(self) -> int:
        """Number of items before which there is no verdict."""
        return SPELLS * self.spell

    @property
    def condition(self) -> str:
        """What the statement conditions on."""
        return (
            f"watched at all times, if luck comes in spells of at most about {items(self.spell)} "
            "on average"
        )

    def to_text(self) -> str:
        """The statement as a sentence.

        Examples
        --------
        >>> print(LongRun("a", "b", "decided", "a", 2004, ("a", 2004), 20000, 8000.0, -0.1, -0.15,
        ...               -0.05, 1e-6, 0.05, "either", 200).to_text())
        Long run: a has the lower mean loss, since item 2,004: the difference is -0.1, interval
        [-0.15, -0.05] (95 %, watched at all times, if luck comes in spells of at most about 200
        items on average).
        """
        return f"Long run: {self.outcome}{self.caveat}{self.earlier}"

    @property
    def outcome(self) -> str:
        """Who is better, or why nobody is named."""
        within = (
            f"the difference is {self.difference:.3g}, interval [{self.low:.3g}, {self.high:.3g}] "
            f"({confidence(self.alpha)}, {self.condition})"
        )
        match self.status:
            case "decided":
                since = item_number(self.since, self.axis)
                return f"{self.winner} has the lower mean loss, since {since}: {within}."
            case "too few items":
                return (
                    f"too few items: {self.items:,} of the {self.start:,} that a verdict needs "
                    f"({SPELLS} spells of {items(self.spell)})."
                )
            case "always equal":
                return f"always equal: the losses were equal on all {items(self.items)}."
            case "too few effective items":
                effective = max(self.effective_items, 1e-9)
                return (
                    f"too few effective items: {items(self.items)} are about "
                    f"{about(effective)} independent items' worth, since luck comes in spells; "
                    f"{EFFECTIVE_ITEMS} need about "
                    f"{about(EFFECTIVE_ITEMS * self.items / effective)} items."
                )
            case "undecided, one-sided tail":
                return (
                    f"undecided: rare large losses of the learner that is ahead could undo the "
                    f"lead; {within}."
                )
            case _:
                return f"undecided: {within}."

    @property
    def caveat(self) -> str:
        """The caveat of the winner as a sentence; empty if there is none."""
        return "" if self.few_losses is None else f" {self.few_losses.to_text()}"

    @property
    def earlier(self) -> str:
        """An earlier verdict that does not hold now, as a sentence; empty if there is none."""
        if self.first is None or self.first[0] == self.winner:
            return ""
        name, at = self.first
        return f" At {item_number(at, self.axis)} it was decided for {name}, which no longer holds."

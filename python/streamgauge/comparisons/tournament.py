"""A tournament: several learners on a live stream, each duel decided without peeking errors."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from streamgauge.comparisons.confidence_sequence import check_alpha
from streamgauge.comparisons.duel import Duel
from streamgauge.comparisons.standings import (
    Beaten,
    Correction,
    Standings,
    check_correction,
    decisions,
    duels,
    thresholds,
)
from streamgauge.errors import LogError
from streamgauge.kinds import plain_numbers
from streamgauge.summaries.folding import ColdStart


@plain_numbers
class Tournament:
    """Several learners on a live stream: each against each, or all against a champion.

    As `Duel`, with the chance of being wrong shared out: the chance that any learner is ever said
    to have beaten one that is as good is at most `alpha`.

    Parameters
    ----------
    names
        What the learners are called.
    champion
        The one that all others challenge; without it each meets each.
    alpha, loss, bound, cold_start
        As in `Duel`.
    correction
        `"holm"`, or `"bonferroni"`, which decides later but never depends on other duels.

    Examples
    --------
    >>> live = Tournament(["old", "new", "other"], champion="old")
    >>> for item in range(60):
    ...     live.observe(item, {"old": 0, "new": 1, "other": 0})
    ...     live.label(item, 1)
    >>> [(d.winner, d.loser) for d in live.decided]
    [('new', 'old')]
    """

    def __init__(
        self,
        names: Sequence[str],
        *,
        champion: str | None = None,
        alpha: float = 0.05,
        correction: Correction = "holm",
        loss: str = "zero_one",
        bound: float | None = None,
        cold_start: ColdStart | None = None,
    ) -> None:
        check_alpha("Tournament", alpha)
        check_correction("Tournament", correction)
        pairs = duels("Tournament", names, champion)
        self._names = tuple(names)
        self._alpha = alpha
        self._correction: Correction = correction
        levels = thresholds(alpha, len(pairs))
        self._duels = {
            (a, b): Duel(
                a,
                b,
                alpha=alpha / len(pairs),
                loss=loss,
                bound=bound,
                cold_start=cold_start,
                levels=levels,
            )
            for a, b in pairs
        }

    def observe(self, item: Hashable, answers: Mapping[str, Any]) -> None:
        """All have answered `item`; its label is not known yet."""
        missing = [name for name in self._names if name not in answers]
        if missing or len(answers) != len(self._names):
            raise LogError(
                f"Tournament: answers must be of {', '.join(self._names)}, "
                f"got {', '.join(map(str, answers))}"
            )
        for (a, b), duel in self._duels.items():
            duel.observe(item, answers[a], answers[b])

    def label(self, item: Hashable, y: Any) -> None:
        """The label of `item` has come; None: it never will."""
        for duel in self._duels.values():
            duel.label(item, y)

    @property
    def waiting(self) -> int:
        """How many items wait for their label."""
        return next(iter(self._duels.values())).waiting

    @property
    def decided(self) -> tuple[Beaten, ...]:
        """Who has beaten whom, in the order it was decided."""
        crossed = {pair: duel.crossed for pair, duel in self._duels.items()}
        return decisions(crossed, self._correction)

    @property
    def best(self) -> str | None:
        """Who has beaten everybody else, if anybody has."""
        return self.standings().best

    def standings(self) -> Standings:
        """How things stand now: positions are numbers of labels."""
        verdicts = tuple(duel.verdict() for duel in self._duels.values())
        return Standings(self._names, self.decided, verdicts, self._correction, self._alpha)

"""Standings: who has beaten whom among several learners, corrected for the number of duels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias, get_args

from streamgauge.comparisons.verdict import Verdict, one
from streamgauge.errors import ParameterError

Correction: TypeAlias = Literal["holm", "bonferroni"]
"""How the chance of being wrong is shared out among the duels."""

Pair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Beaten:
    """One duel that is decided, and after how many items (live: labels) it was."""

    winner: str
    loser: str
    at: int


@dataclass(frozen=True, slots=True)
class Standings:
    """Who has beaten whom: the chance that any of it is wrong, ever, is at most `alpha`.

    `verdicts` are of each duel at its fair share of alpha, so that their intervals hold all at
    once. `decided` is by the correction: with Holm's, each duel that is decided leaves more of
    alpha to the others; it stays decided, `ahead` is how things stand. *Anytime valid*.
    """

    names: tuple[str, ...]
    decided: tuple[Beaten, ...]
    verdicts: tuple[Verdict, ...]
    correction: Correction
    alpha: float

    @property
    def ahead(self) -> tuple[Beaten, ...]:
        """Who beats whom now, and since when: decided, and not overturned by what came later.

        Under drift a duel may be decided for one, and evidence grow that the other has become
        the better one over all; then it is the other who is named, or nobody.
        """
        at = {frozenset((d.winner, d.loser)): d for d in self.decided}
        found = []
        for v in self.verdicts:
            once = at.get(frozenset((v.a, v.b)))
            leads = v.a if v.difference < 0 else v.b if v.difference > 0 else None
            if v.winner is not None and v.since is not None:
                found.append(Beaten(v.winner, v.b if v.winner == v.a else v.a, v.since))
            elif once is not None and once.winner == leads:
                found.append(once)
        return tuple(sorted(found, key=lambda d: d.at))

    @property
    def best(self) -> str | None:
        """Who beats everybody else now, if anybody does."""
        for name in self.names:
            beaten = {d.loser for d in self.ahead if d.winner == name}
            if len(beaten) == len(self.names) - 1:
                return name
        return None

    def words(self) -> str:
        """The standings in words."""
        ahead = {frozenset((d.winner, d.loser)) for d in self.ahead}
        place = one(self.verdicts[0].axis if self.verdicts else "items")
        lines = [f"{d.winner} beats {d.loser} since {place} {d.at:,}." for d in self.ahead]
        once = {frozenset((d.winner, d.loser)): d for d in self.decided}
        for v in self.verdicts:
            pair = frozenset((v.a, v.b))
            if pair in ahead:
                continue
            was = (
                ""
                if pair not in once
                else (
                    f" At {place} {once[pair].at:,} it was decided for {once[pair].winner}, which "
                    "no longer holds."
                )
            )
            if not v.counted:
                lines.append(f"Nothing to compare: {v.a} and {v.b} have no items in common.")
                continue
            lines.append(
                f"Not decided: {v.a} and {v.b} ({v.difference:.3g} within "
                f"[{v.low:.3g}, {v.high:.3g}]).{was}"
            )
        lines.append(
            f"All of it holds at once but for a chance of {100 * self.alpha:.3g} % "
            f"({self.correction}), anytime valid."
        )
        lines += dict.fromkeys(note for v in self.verdicts for note in v.notes)
        return "\n".join(lines)


def duels(who: str, names: Sequence[str], champion: str | None) -> tuple[Pair, ...]:
    """Which duels there are: all, or the champion's."""
    if len(set(names)) != len(names):
        raise ParameterError.of(who, "names", "all different", list(names))
    if len(names) < 2:
        raise ParameterError.of(who, "learners", "two or more", list(names))
    if champion is None:
        return tuple(combinations(names, 2))
    if champion not in names:
        raise ParameterError.of(who, "champion", f"one of {', '.join(names)}", champion)
    return tuple((champion, name) for name in names if name != champion)


def check_correction(who: str, correction: str) -> None:
    """Refuse a correction that is none."""
    if correction not in get_args(Correction):
        legal = " or ".join(get_args(Correction))
        raise ParameterError.of(who, "correction", legal, correction)


def thresholds(alpha: float, pairs: int) -> list[float]:
    """The evidence that decides while so many duels are open: 1, 2, …, all; logarithms."""
    return [math.log(2 * still / alpha) for still in range(1, pairs + 1)]


def decisions(
    crossed: Mapping[Pair, tuple[Sequence[int | None], Sequence[int | None]]],
    correction: Correction,
) -> tuple[Beaten, ...]:
    """Who has beaten whom, in the order it was decided.

    `crossed` says for each duel when the evidence for the first, and for the second, reached
    each of the thresholds. With so many duels open, a duel needs the threshold of that number
    (Holm); or always that of all (Bonferroni).
    """
    open_duels = dict(crossed)
    made: list[Beaten] = []
    now = 0
    while open_duels:
        level = (len(crossed) if correction == "bonferroni" else len(open_duels)) - 1
        ready = [
            (max(now, at), i, name, other)
            for pair, sides in open_duels.items()
            for i, (name, other) in enumerate((pair, pair[::-1]))
            if (at := sides[i][level]) is not None
        ]
        if not ready:
            break
        now, _, winner, loser = min(ready, key=lambda r: r[0])
        made.append(Beaten(winner, loser, now))
        del open_duels[(winner, loser) if (winner, loser) in open_duels else (loser, winner)]
    return tuple(made)

"""Comparison of several learners on one stream, corrected for the number of pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias, get_args

from streamgauge.comparisons.verdict import Verdict, singular
from streamgauge.errors import ParameterError

Correction: TypeAlias = Literal["holm", "bonferroni"]
"""How alpha is divided between the pairs."""

Pair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Decision:
    """A decided pair, and the position at which it was decided.

    Positions are in items or labels: the `axis` of the verdicts.
    """

    winner: str
    loser: str
    at: int


@dataclass(frozen=True, slots=True)
class MultipleComparison:
    """Comparison of several learners; P(any decision is wrong) is at most `alpha`.

    `verdicts` are those of each pair at an equal share of alpha, so that their intervals hold
    simultaneously. `decisions` uses the correction: with Holm's, each decided pair leaves a larger
    share of alpha to the others. A decision is never revoked; `current_decisions` are those that
    hold now. *Anytime valid*.
    """

    names: tuple[str, ...]
    decisions: tuple[Decision, ...]
    verdicts: tuple[Verdict, ...]
    correction: Correction
    alpha: float

    @property
    def current_decisions(self) -> tuple[Decision, ...]:
        """The pairs that are decided now, with the winner of now, and since when.

        Under drift a pair may have been decided for one learner and the other become the better
        one overall; then the other is named, or none.
        """
        at = {frozenset((d.winner, d.loser)): d for d in self.decisions}
        found = []
        for v in self.verdicts:
            earlier = at.get(frozenset((v.a, v.b)))
            leads = v.a if v.difference < 0 else v.b if v.difference > 0 else None
            if v.winner is not None and v.since is not None:
                found.append(Decision(v.winner, v.b if v.winner == v.a else v.a, v.since))
            elif earlier is not None and earlier.winner == leads:
                found.append(earlier)
        return tuple(sorted(found, key=lambda d: d.at))

    @property
    def best(self) -> str | None:
        """The learner that beats all others now, if there is one."""
        for name in self.names:
            beaten = {d.loser for d in self.current_decisions if d.winner == name}
            if len(beaten) == len(self.names) - 1:
                return name
        return None

    def to_text(self) -> str:
        """The comparison as text."""
        current = {frozenset((d.winner, d.loser)) for d in self.current_decisions}
        unit = singular(self.verdicts[0].axis if self.verdicts else "items")
        lines = [
            f"{d.winner} beats {d.loser} since {unit} {d.at:,}." for d in self.current_decisions
        ]
        earlier = {frozenset((d.winner, d.loser)): d for d in self.decisions}
        for v in self.verdicts:
            pair = frozenset((v.a, v.b))
            if pair in current:
                continue
            was = (
                ""
                if pair not in earlier
                else (
                    f" At {unit} {earlier[pair].at:,} it was decided for "
                    f"{earlier[pair].winner}, which no longer holds."
                )
            )
            if not v.counted:
                lines.append(v.nothing_to_compare)
                continue
            lines.append(
                f"Not decided: {v.a} and {v.b} ({v.difference:.3g} within "
                f"[{v.low:.3g}, {v.high:.3g}]).{was}"
            )
        lines.append(
            f"All statements hold simultaneously with a probability of at least "
            f"{100 * (1 - self.alpha):.3g} % ({self.correction}), anytime valid."
        )
        lines += dict.fromkeys(note for v in self.verdicts for note in v.notes)
        return "\n".join(lines)


def pairs_to_compare(who: str, names: Sequence[str], control: str | None) -> tuple[Pair, ...]:
    """All pairs of names, or those with the control."""
    if len(set(names)) != len(names):
        raise ParameterError.of(who, "names", "all different", list(names))
    if len(names) < 2:
        raise ParameterError.of(who, "learners", "two or more", list(names))
    if control is None:
        return tuple(combinations(names, 2))
    if control not in names:
        raise ParameterError.of(who, "control", f"one of {', '.join(names)}", control)
    return tuple((control, name) for name in names if name != control)


def check_correction(who: str, correction: str) -> None:
    """Raise ParameterError unless `correction` is valid."""
    if correction not in get_args(Correction):
        legal = " or ".join(get_args(Correction))
        raise ParameterError.of(who, "correction", legal, correction)


def thresholds(alpha: float, pairs: int) -> list[float]:
    """Log e-values at which a pair is decided while 1, 2, …, all pairs are undecided."""
    return [math.log(2 * still / alpha) for still in range(1, pairs + 1)]


def decide_pairs(
    threshold_times: Mapping[Pair, tuple[Sequence[int | None], Sequence[int | None]]],
    correction: Correction,
) -> tuple[Decision, ...]:
    """The decided pairs, in the order of decision.

    `threshold_times` holds for each pair when the evidence for the first, and for the second,
    reached each threshold. A pair needs the threshold of the number of undecided pairs (Holm), or
    always that of all pairs (Bonferroni).
    """
    undecided = dict(threshold_times)
    made: list[Decision] = []
    now = 0
    while undecided:
        level = (len(threshold_times) if correction == "bonferroni" else len(undecided)) - 1
        ready = [
            (max(now, at), i, name, other)
            for pair, sides in undecided.items()
            for i, (name, other) in enumerate((pair, pair[::-1]))
            if (at := sides[i][level]) is not None
        ]
        if not ready:
            break
        now, _, winner, loser = min(ready, key=lambda r: r[0])
        made.append(Decision(winner, loser, now))
        del undecided[(winner, loser) if (winner, loser) in undecided else (loser, winner)]
    return tuple(made)

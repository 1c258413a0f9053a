"""The result of a comparison of several learners on one stream, and Holm's correction over time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias, get_args

from streamgauge.comparisons._holm import holm
from streamgauge.comparisons._text import item_number, percent
from streamgauge.comparisons.verdict import Verdict
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
    """Comparison of several learners; P(any decision is ever wrong) is about `alpha` at most.

    `verdicts` are those of each pair, at the level that the correction gives it now: with Holm's,
    each decided pair leaves a larger share of alpha to the others. `p` are the p-values of the
    pairs, corrected; a pair is decided exactly if its p is at most `alpha`. `current_decisions` are
    the pairs decided now, from the current p-values alone. `first_decisions` has each pair that was
    ever decided, with the position; a decision of the past may not hold now. Both hold at all times
    by the union bound. What each verdict conditions on is that of `LongRun`.
    """

    names: tuple[str, ...]
    first_decisions: tuple[Decision, ...]
    verdicts: tuple[Verdict, ...]
    correction: Correction
    alpha: float

    @property
    def p(self) -> tuple[float, ...]:
        """The current p-value of each pair, corrected for the number of pairs; NaN without items.

        They are those of the long run, anytime-valid.
        """
        found = [v.p for v in self.verdicts]
        known = [1.0 if math.isnan(p) else p for p in found]
        if self.correction == "holm":
            corrected = holm(known)
        else:
            corrected = [min(1.0, len(known) * p) for p in known]
        return tuple(
            math.nan if math.isnan(p) else c for p, c in zip(found, corrected, strict=True)
        )

    @property
    def current_decisions(self) -> tuple[Decision, ...]:
        """The pairs that are decided now, and since when, in this order."""
        found = [
            Decision(v.winner, v.b if v.winner == v.a else v.a, v.since)
            for v in self.verdicts
            if v.winner is not None and v.since is not None
        ]
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
        order = {(d.winner, d.loser): nth for nth, d in enumerate(self.current_decisions)}
        rows = list(zip(self.verdicts, self.p, strict=True))
        lines = [""] * len(order)
        for v, p in rows:
            if v.winner is not None:
                loser = v.b if v.winner == v.a else v.a
                since = item_number(v.since, v.axis)
                lines[order[v.winner, loser]] = (
                    f"{v.winner} beats {loser} since {since} (p = {p:.3g}).{v.long_run.caveat}"
                )
        earlier = {frozenset((d.winner, d.loser)): d for d in self.first_decisions}
        for v, p in rows:
            if v.winner is not None:
                continue
            if not v.counted:
                lines.append(v.nothing_to_compare)
                continue
            before = earlier.get(frozenset((v.a, v.b)))
            was = (
                ""
                if before is None
                else f" At {item_number(before.at, v.axis)} it was decided for {before.winner}, "
                "which no longer holds."
            )
            lines.append(f"Not decided: {v.a} and {v.b}: {_why(v, p)}{was}")
        if self.verdicts:
            lines.append(
                f"P(any decision is ever wrong) is about {percent(self.alpha)} at most "
                f"({self.correction}, {self.verdicts[0].long_run.condition})."
            )
        lines += dict.fromkeys(note for v in self.verdicts for note in v.notes)
        return "\n".join(lines)


def _why(v: Verdict, p: float) -> str:
    """Why a pair is not decided."""
    if v.status in ("undecided", "undecided, one-sided tail"):
        return f"{v.difference:.3g} within [{v.low:.3g}, {v.high:.3g}] (p = {p:.3g})."
    return v.long_run.outcome


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


def pair_levels(alpha: float, pairs: int) -> tuple[float, ...]:
    """Levels at which a pair is decided while 1, 2, …, all pairs are undecided."""
    return tuple(alpha / still for still in range(1, pairs + 1))


def current_levels(p: Sequence[float], alpha: float, correction: Correction) -> list[int]:
    """The index in `pair_levels` of the level that each pair has now.

    By Holm's rule, that at which it is decided, or at which it would be the next one.

    Examples
    --------
    >>> current_levels([0.01, 0.04, 0.03], 0.05, "holm")
    [2, 1, 1]
    """
    pairs = len(p)
    if correction == "bonferroni":
        return [pairs - 1] * pairs
    order = sorted(range(pairs), key=lambda i: 1.0 if math.isnan(p[i]) else p[i])
    found = [0] * pairs
    still = pairs
    for i in order:
        found[i] = still - 1
        if p[i] <= alpha / still:
            still = max(still - 1, 1)
    return found


def decide_pairs(
    threshold_times: Mapping[Pair, tuple[Sequence[int | None], Sequence[int | None]]],
    correction: Correction,
) -> tuple[Decision, ...]:
    """The decided pairs, in the order of decision.

    `threshold_times` holds for each pair when the first, and when the second, was first decided at
    each of `pair_levels`. A pair needs the level of the number of undecided pairs (Holm), or always
    that of all pairs (Bonferroni).
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

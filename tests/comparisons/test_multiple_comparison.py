"""How several learners stand: from what was decided, and from what holds now."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from streamgauge.comparisons import MultipleComparison, compare
from streamgauge.comparisons.multiple_comparison import Decision
from streamgauge.log import from_columns
from streamgauge.types import Schema

EMPTY = from_columns(
    Schema((), classes=("no", "yes")), np.empty(0, np.int32), np.empty(0, np.int32)
)
DUELS = [
    (winner, decided, difference)
    for winner, decided, difference in product((None, "a", "b"), (None, "a", "b"), (-0.2, 0.0, 0.2))
]
"""Who wins now, for whom it was decided once, and who has lost less so far (a: negative)."""


def comparison(winner: str | None, decided: str | None, difference: float) -> MultipleComparison:
    """A duel of a and b, decided at item 30; the winner of now is it since item 70."""
    duel = replace(
        compare(EMPTY, EMPTY, names=("a", "b")),
        winner=winner,
        since=None if winner is None else 70,
        difference=difference,
        counted=100,
    )
    beaten = () if decided is None else (Decision(decided, "b" if decided == "a" else "a", 30),)
    return MultipleComparison(("a", "b"), beaten, (duel,), "holm", 0.05)


@pytest.mark.parametrize(("winner", "decided", "difference"), DUELS)
def test_current_decisions_are_those_that_hold_now(winner, decided, difference):
    seen = comparison(winner, decided, difference)
    other = {"a": "b", "b": "a"}
    if winner is not None:
        expected = Decision(winner, other[winner], 70)
    elif decided is not None and (difference < 0 if decided == "a" else difference > 0):
        expected = Decision(decided, other[decided], 30)
    else:
        expected = None
    assert seen.current_decisions == (() if expected is None else (expected,))
    assert seen.best == (None if expected is None else expected.winner)
    words = seen.to_text()
    if expected is not None:
        line = f"{expected.winner} beats {expected.loser} since item {expected.at}."
        assert words.startswith(line)
    else:
        assert words.startswith("Not decided: a and b")
    overturned = f"At item 30 it was decided for {decided}, which no longer holds."
    assert (overturned in words) == (decided is not None and expected is None)


def test_ahead_is_in_the_order_of_decision_and_the_best_beats_all():
    one = compare(EMPTY, EMPTY, names=("a", "b"))
    ends = {("a", "b"): ("a", 50), ("a", "c"): ("a", 20), ("b", "c"): ("c", 40)}
    verdicts = tuple(
        replace(one, a=a, b=b, winner=winner, since=since)
        for (a, b), (winner, since) in ends.items()
    )
    seen = MultipleComparison(("c", "b", "a"), (), verdicts, "bonferroni", 0.1)
    assert [(d.winner, d.loser, d.at) for d in seen.current_decisions] == [
        ("a", "c", 20),
        ("c", "b", 40),
        ("a", "b", 50),
    ]
    assert seen.best == "a"
    assert "with a probability of at least 90 % (bonferroni)" in seen.to_text()
    assert replace(seen, verdicts=verdicts[1:]).best is None

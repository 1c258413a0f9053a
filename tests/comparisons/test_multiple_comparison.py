"""How several learners compare: decided now, decided ever, and never in contradiction."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import comparisons as slow
from samples.examples import examples
from streamgauge.comparisons import MultipleComparison, Tournament, compare, compare_all
from streamgauge.comparisons.multiple_comparison import Decision, current_levels, pair_levels
from streamgauge.log import from_columns
from streamgauge.report._verdicts import _cells
from streamgauge.types import Schema

TWO = Schema((), classes=("no", "yes"))
EMPTY = from_columns(TWO, np.empty(0, np.int32), np.empty(0, np.int32))


def log_with(wrong):
    return from_columns(TWO, np.zeros(len(wrong), np.int32), wrong.astype(np.int32))


def decided(name, a, b, winner, since):
    """A verdict on two names with this winner since an item."""
    one = compare(EMPTY, EMPTY, names=(a, b))
    long_run = replace(one.long_run, winner=winner, since=since, difference=0.0)
    return replace(one, long_run=long_run, counted=100)


def test_a_decision_of_the_past_is_not_one_of_now():
    verdict = decided("x", "a", "b", None, None)
    seen = MultipleComparison(("a", "b"), (Decision("a", "b", 30),), (verdict,), "holm", 0.05)
    assert seen.current_decisions == ()
    assert seen.best is None
    words = seen.to_text()
    assert words.startswith("Not decided: a and b")
    assert "At item 30 it was decided for a, which no longer holds." in words
    assert "beats" not in words


def test_current_decisions_are_in_order_and_the_best_beats_all():
    ends = {("a", "b"): ("a", 50), ("a", "c"): ("a", 20), ("b", "c"): ("c", 40)}
    verdicts = tuple(decided("x", *pair, *end) for pair, end in ends.items())
    seen = MultipleComparison(("c", "b", "a"), (), verdicts, "bonferroni", 0.1)
    assert [(d.winner, d.loser, d.at) for d in seen.current_decisions] == [
        ("a", "c", 20),
        ("c", "b", 40),
        ("a", "b", 50),
    ]
    assert seen.best == "a"
    assert seen.to_text().splitlines()[0].startswith("a beats c since item 20")
    assert "about 10 % at most (bonferroni" in seen.to_text()
    assert replace(seen, verdicts=verdicts[1:]).best is None


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.sampled_from([0.01, 0.05, 0.4]))
def test_a_pair_is_decided_at_its_level_if_holms_p_is_at_most_alpha(p, alpha):
    levels = pair_levels(alpha, len(p))
    for value, corrected, nth in zip(
        p, slow.holm(p), current_levels(p, alpha, "holm"), strict=True
    ):
        if abs(corrected - alpha) > 1e-12:
            assert (value <= levels[nth]) == (corrected <= alpha)
    assert current_levels(p, alpha, "bonferroni") == [len(p) - 1] * len(p)


def wandering(seed, n, learners):
    """Errors of learners whose leads come and go, in bursts or not."""
    rng = np.random.default_rng(seed)
    phase, size = rng.random(learners) * 6, rng.choice([0.0, 0.1, 0.3], learners)
    chance = 0.3 + size[:, None] * np.sin(np.arange(n) / n * 9 + phase[:, None])
    burst = rng.choice([1, 1, 30])
    draws = np.repeat(rng.random((learners, n // burst + 1)), burst, axis=1)[:, :n]
    return draws < chance


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 2**31), st.sampled_from([2, 3, 4]), st.sampled_from([600, 3000]))
def test_compare_compare_all_and_the_report_never_disagree(seed, learners, n):
    logs = {f"l{i}": log_with(w) for i, w in enumerate(wandering(seed, n, learners))}
    found = compare_all(logs, spell=20, alpha=0.2)
    held = {frozenset((d.winner, d.loser)): d for d in found.current_decisions}
    live = Tournament(list(logs), spell=20, alpha=0.2)
    live.update(
        {
            name: np.concatenate([p.prediction for p in log.labelled_predictions()])
            for name, log in logs.items()
        },
        np.zeros(n, np.int32),
    )
    for v, p, there in zip(found.verdicts, found.p, live.comparison().verdicts, strict=True):
        alone = compare(logs[v.a], logs[v.b], names=(v.a, v.b), spell=20, alpha=v.alpha)
        for other in (alone, there):
            assert (other.winner, other.status, other.since, other.p, other.low, other.high) == (
                v.winner, v.status, v.since, v.p, v.low, v.high,
            )  # fmt: skip
        outside = v.low > 0 or v.high < 0
        assert outside == v.decided == (v.p <= v.alpha) == (p <= 0.2) == (v.status == "decided")
        decision = held.get(frozenset((v.a, v.b)))
        assert (decision is not None) == v.decided
        assert (f"{v.a} beats {v.b}" in found.to_text()) == (v.winner == v.a)
        cells = _cells(v, p, True)
        assert (cells[2] == "better") == v.decided
        if v.decided:
            assert (decision.winner, decision.at) == (v.winner, v.since) == (cells[0], cells[3])
            assert cells[5] > 0
        assert cells[7] == p


def test_leads_that_were_evened_out_are_no_wins():
    """Each learner leads for a while; at the end all have lost the same: no "beats"."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        lost = [rng.random(1500) < 0.1, rng.random(1500) < 0.5]
        a = np.concatenate([lost[0], lost[1], lost[1], lost[0]])
        b = np.concatenate([lost[1], lost[0], lost[0], lost[1]])
        found = compare_all({"a": log_with(a), "b": log_with(b), "c": log_with(a[::-1])}, spell=50)
        assert {frozenset((d.winner, d.loser)) for d in found.first_decisions} >= {frozenset("ab")}
        assert "beats" not in found.to_text()
        assert found.current_decisions == ()
        assert all(p > 0.05 for p in found.p)


@pytest.mark.parametrize("correction", ["holm", "bonferroni"])
def test_p_values_are_corrected(correction):
    rng = np.random.default_rng(1)
    logs = {n: log_with(rng.random(4000) < e) for n, e in zip("abc", (0.1, 0.2, 0.22), strict=True)}
    found = compare_all(logs, correction=correction)
    raw = [v.p for v in found.verdicts]
    assert found.p == pytest.approx(
        slow.holm(raw) if correction == "holm" else [min(1, 3 * p) for p in raw]
    )
    empty = compare_all(dict.fromkeys("ab", EMPTY))
    assert math.isnan(empty.p[0])
    assert len(list(combinations("abc", 2))) == len(found.verdicts)

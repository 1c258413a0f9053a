"""Predictions that stay valid when one looks at them all the time."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from oracles import pairs as slow
from oracles import verdicts
from samples.examples import examples
from streamgauge.comparisons import (
    Duel,
    Tournament,
    compare,
    compare_all,
    mcnemar_log_e_values,
    mcnemar_statistic,
)
from streamgauge.comparisons._item_loss import ItemLoss
from streamgauge.errors import StreamgaugeError
from streamgauge.log import from_columns
from streamgauge.types import Schema

TWO = Schema((), classes=("no", "yes"))
ITEMS = 20_000


def test_counts_of_e_values_are_broadcast():
    worse = np.array([1.0, 2.0, 3.0])
    for ours, each in zip(
        mcnemar_log_e_values(worse, 5), mcnemar_log_e_values(worse, np.full(3, 5.0)), strict=True
    ):
        np.testing.assert_array_equal(ours, each)


@settings(max_examples=examples(30))
@given(st.integers(0, 2**32), st.floats(-0.3, 0.3), st.integers(1, 40))
def test_watching_a_log_finds_what_a_test_after_every_item_finds(log_of, seed, lead, cut):
    rng = np.random.default_rng(seed)
    swing = 0.4 + lead * np.sin(np.arange(300) / 40)
    draws = rng.random((2, 300))
    rows = [(0, int(u < s), int(v < 0.4)) for u, v, s in zip(*draws, swing, strict=True)]
    a = log_of(
        [(i, y, predicted) for i, (y, predicted, _) in enumerate(rows)], 2, range(0, 300, cut)
    )
    b = log_of([(i, y, predicted) for i, (y, _, predicted) in enumerate(rows)], 2)
    verdict = compare(a, b, alpha=0.5, spell=10)
    pairs = slow.losses([(i, *r) for i, r in enumerate(rows)])
    first, since = slow.watched(pairs, math.log(4))
    found = verdict.so_far
    begun = [(at, name) for at, name in zip(first, "AB", strict=True) if at]
    assert found.first == (min(begun)[::-1] if begun else None)
    standing = [(at, name) for at, name in zip(since, "AB", strict=True) if at]
    assert (found.since, found.leader) == (standing[0] if standing else (None, None))
    first, since = verdicts.watched(np.array([x - y for x, y in pairs]), [0.5], 10)
    begun = [(at[0], name) for at, name in zip(first, "AB", strict=True) if at[0]]
    assert verdict.first == (min(begun)[::-1] if begun else None)
    standing = [(at[0], name) for at, name in zip(since, "AB", strict=True) if at[0]]
    assert (verdict.since, verdict.winner) == (standing[0] if standing else (None, None))


def equals(seed, error=0.2, items=ITEMS, gap=0.0):
    """Losses of two learners, equal but for `gap`."""
    rng = np.random.default_rng(seed)
    return rng.random(items) < error, rng.random(items) < error + gap


def log_with(wrong):
    return from_columns(TWO, np.zeros(len(wrong), np.int32), wrong.astype(np.int32))


def crossings(runs):
    """How many of so many seeded runs of equals are rejected.

    By the long run and so far; by McNemar's e-value; by McNemar's statistic.
    """
    anytime, bets, watched = np.zeros(2), 0, 0
    for seed in range(runs):
        a, b = equals(seed)
        verdict = compare(log_with(a), log_with(b), windows="whole")
        anytime += np.array([verdict.first is not None, verdict.so_far.first is not None])
        worse_a, worse_b = np.cumsum(a & ~b), np.cumsum(b & ~a)
        evidence = np.maximum(*mcnemar_log_e_values(worse_a.astype(float), worse_b.astype(float)))
        bets += bool((evidence >= math.log(40)).any())
        watched += bool((np.abs(mcnemar_statistic(worse_a, worse_b)) > 3.841).any())
    return anytime, bets, watched


def test_equals_watched_all_the_time_are_rarely_decided():
    anytime, bets, watched = crossings(100)
    assert (anytime <= 5).all()
    assert bets <= 5
    assert watched > 25  # the classical statistic, tested after every item, finds a winner


@pytest.mark.slow
def test_equals_watched_all_the_time_are_decided_in_at_most_50_of_1000_runs():
    anytime, bets, watched = crossings(1000)
    assert (anytime <= 50).all()
    assert bets <= 50
    assert watched > 250


def test_equals_that_drift_and_depend_are_rarely_decided():
    """Errors occur in bursts, and both get worse and better together."""
    rejected = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        level = 0.25 + 0.2 * np.sin(np.arange(ITEMS) / 3000)
        bursts = np.repeat(rng.random((2, ITEMS // 10)) < 0.3, 10, axis=1)
        a, b = (rng.random(ITEMS) < level) | bursts[0], (rng.random(ITEMS) < level) | bursts[1]
        swap = rng.random(ITEMS) < 0.5  # given the past, either is as likely to be worse
        first, second = np.where(swap, a, b), np.where(swap, b, a)
        verdict = compare(log_with(first), log_with(second), windows="whole")
        rejected += verdict.first is not None or verdict.so_far.first is not None
    assert rejected <= 5


@pytest.mark.parametrize(("error", "least"), [(0.1, 20), (0.2, 18)])
def test_a_difference_of_two_points_is_found(error, least):
    """Errors of the two are independent here; those of real learners meet on hard items."""
    found = []
    for seed in range(20):
        a, b = equals(seed, error, gap=0.02)
        verdict = compare(log_with(a), log_with(b), windows="whole", names=("a", "b"))
        found.append(verdict.winner)
    assert found.count("a") >= least
    assert "b" not in found


def test_one_side_is_found_sooner_and_the_other_never():
    a, b = equals(3, gap=0.03)
    logs = log_with(a), log_with(b)
    either, one, other = (compare(*logs, side=side) for side in ("either", "a", "b"))
    assert one.since <= either.since
    assert one.so_far.since < either.so_far.since
    assert (one.winner, other.winner) == ("A", None)
    assert one.low == -1.0
    assert other.high == 1.0
    assert one.p < either.p < other.p == 1.0


def test_the_interval_covers_the_mean_so_far_of_a_difference_that_drifts():
    missed = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        chance = 0.3 + 0.2 * np.sin(np.arange(4000) / 300)
        wrong = rng.random((2, 4000)) < [chance, np.full(4000, 0.3)]
        truth = np.cumsum(chance - 0.3) / np.arange(1, 4001)
        verdict = compare(*map(log_with, wrong), every=1)
        curve = verdict.curves["difference_of_mean_losses_a_minus_b", "whole"]
        missed += bool(((truth < curve.low) | (truth > curve.high)).any())
    assert missed <= 6


class Live:
    """The rows of two learners, with labels that arrive late and out of order."""

    def __init__(self, seed=0, items=3000):
        rng = np.random.default_rng(seed)
        self.label = rng.integers(0, 3, items)
        self.prediction = np.where(rng.random((3, items)) < [[0.8], [0.7], [0.69]], self.label, 3)
        arrival = np.arange(items) + rng.integers(0, 60, items)
        self.order = [int(i) for i in np.argsort(arrival, kind="stable") if i % 7]

    def logs(self, log_of):
        return [
            log_of([(i, int(self.label[i]), int(predicted[i])) for i in self.order], 4)
            for predicted in self.prediction
        ]


def test_a_duel_gives_the_verdict_of_the_logs(log_of):
    live = Live()
    duel = Duel("a", "b")
    for item in range(len(live.label)):
        duel.observe(item, *live.prediction[:2, item].tolist())
    for item in live.order:
        duel.label(item, int(live.label[item]))
    a, b, _ = live.logs(log_of)
    there = compare(a, b, names=("a", "b"), windows="whole")
    here = duel.verdict()
    assert here.winner == there.winner == duel.first_winner == "a"
    assert duel.ever_decided
    assert duel.n_labels == here.n_labels == there.n_labels
    assert duel.pending == len(live.label) - len(live.order)
    for name in ("difference", "low", "high", "p", "loss_a", "loss_b"):
        assert getattr(here, name) == pytest.approx(getattr(there, name), rel=1e-12)
    for name in ("low", "high", "log_e_value_a", "log_e_value_b"):
        expected = getattr(there.so_far, name)
        assert getattr(here.so_far, name) == pytest.approx(expected, rel=1e-12)
    assert (here.now, here.status) == (there.now, there.status)
    for name in ("q", "mcnemar", "difference", "long_run"):
        assert here[name, "whole"].value == pytest.approx(there[name, "whole"].value, rel=1e-9)
    # a duel counts labels, a log items; here labels are late
    lost = np.array([live.prediction[:2, i] != live.label[i] for i in live.order], np.float64)
    first, _ = verdicts.watched(lost[:, 0] - lost[:, 1], [0.05], 200)
    assert duel.first_decided_at == first[0][0]


def test_a_duel_stays_decided_while_the_verdict_may_turn():
    duel = Duel(spell=10)
    rng = np.random.default_rng(0)
    for item in range(6000):
        right = rng.random(2) < ((0.9, 0.3) if item < 150 else (0.4, 0.7))
        duel.observe(item, *right.tolist())
        duel.label(item, True)
        assert duel.ever_decided or item < 149
    assert duel.ever_decided
    assert duel.first_winner == "a"
    verdict = duel.verdict()
    assert verdict.winner == "b"
    assert verdict.since > duel.first_decided_at
    assert verdict.first == ("a", duel.first_decided_at)


def test_a_duel_of_numbers_has_a_bound():
    duel = Duel(loss="absolute", bound=10.0, spell=20)
    for item in range(300):
        duel.observe(item, 1.0, 3.0 if item else None)
        duel.label(item, 0.0 if item % 100 else 99.0)
    verdict = duel.verdict()
    assert verdict.winner == "a"
    assert verdict.counted == 299
    # items 100 and 200, of both learners; item 0 is left out
    assert "Clipped to the bound: the losses of 2 items." in verdict.notes
    assert any("without a prediction" in note for note in verdict.notes)
    duel.observe("odd", "x", 1.0)
    with pytest.raises(StreamgaugeError, match="must be numbers for the absolute loss, got 'x'"):
        duel.label("odd", 1.0)


def test_an_abstention_is_wrong_or_left_out():
    wrong, left_out = Duel(), Duel(cold_start="skip")
    for duel in (wrong, left_out):
        duel.observe(1, None, "x")
        duel.label(1, "x")
    assert (wrong.verdict().counted, wrong.verdict().loss_a) == (1, 1.0)
    assert (left_out.n_labels, left_out.verdict().counted) == (1, 0)


@pytest.mark.parametrize("cold_start", ["count_wrong", "skip"])
def test_arrays_with_abstentions_are_the_same_as_items_one_by_one(cold_start):
    rows = [(None, "x", "x"), ("x", "x", "x"), ("y", None, "x"), ("y", "x", "x"), (None, None, "y")]
    single, arrays = Duel(cold_start=cold_start), Duel(cold_start=cold_start)
    for item, (a, b, y) in enumerate(rows):
        single.observe(item, a, b)
        single.label(item, y)
    arrays.update(*zip(*rows, strict=True))
    for duel in (single, arrays):
        verdict = duel.verdict()
        assert verdict.counted == (5 if cold_start == "count_wrong" else 2)
        assert verdict.loss_a == (0.8 if cold_start == "count_wrong" else 0.5)
        assert verdict.loss_b == (0.4 if cold_start == "count_wrong" else 0.0)


def test_a_label_that_is_refused_changes_nothing():
    duel = Duel("a", "b", loss="absolute", bound=10.0)
    tournament = Tournament(["a", "b", "c"], loss="absolute", bound=10.0)
    duel.observe(0, 1.0, 2.0)
    tournament.observe(0, {"a": 1.0, "b": "two", "c": 3.0})
    with pytest.raises(StreamgaugeError):
        duel.label(0, "high")
    with pytest.raises(StreamgaugeError):
        tournament.label(0, 4.0)
    assert (duel.pending, tournament.pending) == (1, 1)
    duel.label(0, 4.0)
    tournament.label(0, None)
    assert (duel.pending, tournament.pending) == (0, 0)


def test_a_label_that_never_arrives_frees_its_item():
    duel = Duel()
    duel.observe("x", 0, 1)
    duel.label("x", None)
    assert (duel.pending, duel.n_labels) == (0, 0)


BAD = {
    "a label of an unknown item": (
        lambda: Duel().label(7, 0),
        r"^Duel: a label must be of an observed item without a label, got one of 7$",
    ),
    "an item twice": (
        lambda: [d := Duel(), d.observe(7, 0, 0), d.observe(7, 0, 0)],
        r"^Duel: an item must be observed once, got 7 again$",
    ),
    "a second label": (
        lambda: [d := Duel(), d.observe(7, 0, 0), d.label(7, 0), d.label(7, 0)],
        r"observed item without a label, got one of 7$",
    ),
    "alpha": (lambda: Duel(alpha=2), r"^Duel: alpha must be above 0 and below 1, got 2$"),
    "side": (lambda: Duel(side="up"), r"^Duel: side must be one of either, a, b, got 'up'$"),
    "names": (lambda: Duel("x", "x"), r"^Duel: names must be two different names"),
    "loss": (lambda: Duel(loss="huber"), r"^Duel: loss must be one of zero_one, absolute"),
    "spell": (lambda: Duel(spell=5), r"^Duel: spell must be a whole number of items, from 10 to"),
    "margin": (lambda: Duel(margin=0), r"^Duel: margin must be above 0 and finite, got 0$"),
    "labelled_share": (
        lambda: Duel(labelled_share=1.5),
        r"^Duel: labelled_share must be a share above 0, at most 1, got 1.5$",
    ),
    "a bound of 0": (lambda: Duel(loss="squared", bound=0), r"bound must be above 0 and finite"),
    "a bound on right or wrong": (lambda: Duel(bound=3), r"bound of zero_one losses must be 1"),
    "cold start": (lambda: Duel(cold_start="default_class"), r"cold_start must be"),
    "one learner": (lambda: Tournament(["a"]), r"^Tournament: learners must be two or more"),
    "a name twice": (lambda: Tournament(["a", "a"]), r"^Tournament: names must be all different"),
    "no such control": (
        lambda: Tournament(["a", "b"], control="c"),
        r"^Tournament: control must be one of a, b, got 'c'$",
    ),
    "correction": (
        lambda: Tournament(["a", "b"], correction="fdr"),
        r"^Tournament: correction must be holm or bonferroni, got 'fdr'$",
    ),
    "a missing prediction": (
        lambda: Tournament(["a", "b"]).observe(1, {"a": 0}),
        r"^Tournament: predictions must be of a, b, got a$",
    ),
    "one log": (lambda: compare_all({"a": log_with(np.ones(3))}), r"learners must be two or more"),
    "logs without names": (lambda: compare_all([1, 2]), r"logs must be a mapping of names to logs"),
    "spell of logs": (
        lambda: compare(log_with(np.ones(3)), log_with(np.ones(3)), spell=2.5),
        r"^compare: spell must be a whole number of items, from 10 to",
    ),
    "margin of logs": (
        lambda: compare_all(dict.fromkeys("ab", log_with(np.ones(3))), margin=-1),
        r"^compare_all: margin must be above 0 and finite, got -1$",
    ),
    "columns of two lengths": (
        lambda: Duel().update([1, 2], [1, 2], [1]),
        r"^Duel: predictions and labels must be columns of one length, got",
    ),
    "columns of words": (
        lambda: Duel(loss="absolute").update(["x"], ["y"], [1.0]),
        r"^Duel: predictions and labels must be numbers for the absolute loss",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_invalid_use_is_refused_in_a_sentence(case):
    act, words = BAD[case]
    with pytest.raises(StreamgaugeError, match=words):
        act()


@pytest.mark.parametrize("correction", ["holm", "bonferroni"])
@pytest.mark.parametrize("control", [None, "b"])
def test_a_tournament_equals_the_comparison_of_its_logs(log_of, correction, control):
    live = Live(seed=2, items=6000)
    names = ("a", "b", "c")
    match = Tournament(names, control=control, correction=correction)
    for item in range(len(live.label)):
        match.observe(item, dict(zip(names, live.prediction[:, item].tolist(), strict=True)))
    for item in live.order:
        match.label(item, int(live.label[item]))
    logs = dict(zip(names, live.logs(log_of), strict=True))
    there = compare_all(logs, control=control, correction=correction)
    here = match.comparison()
    assert [(d.winner, d.loser) for d in here.first_decisions] == [
        (d.winner, d.loser) for d in there.first_decisions
    ]
    assert here.first_decisions == match.first_decisions
    assert {(d.winner, d.loser) for d in here.first_decisions} >= {("a", "b")}
    assert match.best == there.best == ("a" if control is None else None)
    assert "P(any decision is ever wrong) is about 5 % at most" in there.to_text()
    for one, other in zip(here.verdicts, there.verdicts, strict=True):
        assert (one.winner, one.p, one.low, one.high) == (
            other.winner, other.p, other.low, other.high,
        )  # fmt: skip
    assert "Not decided: b and c" in there.to_text()


def test_holm_decides_when_a_step_through_time_does():
    rng = np.random.default_rng(5)
    for _ in range(200):
        names = "abcd"[: rng.integers(2, 5)]
        pairs = list(combinations(names, 2))
        threshold_times, flat = {}, {}
        for pair in pairs:
            sides = []
            for duel in (pair, pair[::-1]):
                times = np.sort(rng.choice(1000, len(pairs), replace=False) + 1).tolist()
                reached = int(rng.integers(0, len(pairs) + 1)) if duel == pair else 0
                ends = [t if k < reached else None for k, t in enumerate(times)]
                sides.append(ends)
                flat[duel] = ends
            threshold_times[pair] = tuple(sides)
        made = sg.comparisons.multiple_comparison.decide_pairs(threshold_times, "holm")
        there = slow.holm(flat, len(pairs))
        assert [d.at for d in made] == [at for _, _, at in there]
        assert {(d.winner, d.loser) for d in made} == {(w, loser) for w, loser, _ in there}


def test_several_equals_are_rarely_decided():
    wrong = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        logs = {name: log_with(rng.random(5000) < 0.3) for name in "abcd"}
        wrong += bool(compare_all(logs).first_decisions)
    assert wrong <= 2


@pytest.mark.parametrize(("loss", "expected"), [("absolute", (3.0, 0.5)), ("squared", (9.0, 0.25))])
def test_a_loss_of_numbers_is_its_formula(loss, expected):
    losses = ItemLoss("test", loss, 100.0, None)
    assert losses.losses_of(4.0, 1.5, 1) == expected


def test_a_loss_above_the_bound_is_clipped_and_counted_once():
    tournament = Tournament(["a", "b"], loss="absolute", bound=0.4)
    for item, prediction in enumerate([4.0, 1.2, 1.4]):
        tournament.observe(item, {"a": prediction, "b": 1.0})
        tournament.label(item, 1.0)
    verdict = tournament.comparison().verdicts[0]
    assert verdict.loss_a == pytest.approx((0.4 + 0.2 + 0.4) / 3)
    assert "Clipped to the bound: the losses of 1 item." in verdict.notes

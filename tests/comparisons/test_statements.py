"""So far, long run and now, against their slow twins."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import verdicts as slow
from samples.examples import examples
from streamgauge._core import SequentialTest, coin_log_evidence
from streamgauge.comparisons import compare
from streamgauge.comparisons._boundary import p_value, squared_quantile, tail
from streamgauge.comparisons._statements import current_p, long_run_of, now_of, so_far_of
from streamgauge.log import from_columns
from streamgauge.types import Schema

REAL = Schema(())
SIDES = ("either", "a", "b")


def sequential_test(d, alpha=0.05, spell=200, bound=None, side="either"):
    """The test of differences, as losses of A and B."""
    threshold = math.log((2 if side == "either" else 1) / alpha)
    test = SequentialTest(threshold, [squared_quantile(alpha, side)], 0, bound, spell)
    test.push(np.maximum(d, 0.0), np.maximum(-d, 0.0))
    return test


def statements(d, alpha=0.05, spell=200, bound=None, side="either"):
    test = sequential_test(d, alpha, spell, bound, side)
    limit = 1.0 if bound is None else bound
    long_run = long_run_of(test, ("a", "b"), alpha, side, spell, 0, None, "items", limit)
    so_far = so_far_of(test, ("a", "b"), alpha, side, None, "items", limit)
    return long_run, so_far, now_of(test, ("a", "b"), alpha, side, spell, limit)


def differences(seed, n, lead=0.0, burst=1.0, real=False):
    """Differences of losses, in spells of mean length `burst`."""
    rng = np.random.default_rng(seed)
    last = np.maximum.accumulate(np.where(rng.random(n) < 1 / burst, np.arange(n), 0))
    if real:
        return (rng.standard_t(3, n)[last] + lead).astype(np.float64)
    u = rng.random(n)[last]
    return ((u < 0.2 + lead / 2).astype(np.float64) - (u > 0.8 + lead / 2)).astype(np.float64)


kinds = st.tuples(
    st.integers(0, 2**31),
    st.sampled_from([60, 99, 100, 150, 500, 501, 2000, 3001]),
    st.sampled_from([0.0, 0.05, -0.3, 0.4]),
    st.sampled_from([1.0, 3.0, 40.0]),
    st.booleans(),
)


@settings(max_examples=examples(60), deadline=None)
@given(kinds, st.sampled_from([0.3, 0.05, 0.001]), st.sampled_from([10, 50, 200]))
def test_the_long_run_is_that_of_its_formula(kind, alpha, spell):
    d = differences(*kind)
    real = kind[4]
    long_run, _, _ = statements(d, alpha, spell, math.inf if real else None)
    status, low, high, effective = slow.long_run(d, alpha, spell)
    if not real:
        low, high = max(low, -1.0), min(high, 1.0)
    assert long_run.status == status
    assert (long_run.low, long_run.high) == pytest.approx((low, high), rel=1e-9, abs=1e-12)
    if not math.isnan(effective):
        assert long_run.effective_items == pytest.approx(effective, rel=1e-9)


def rare(seed, n, losses, real):
    """A leads: B loses on 3 % of the items, A in so many outages of up to 90 items."""
    rng = np.random.default_rng(seed)
    d = -1.0 * (rng.random(n) < 0.03)
    for start in rng.integers(0, n, losses):
        d[start : start + int(rng.integers(1, 90))] += rng.random() < 0.7
    return d * rng.exponential(size=n) if real else np.sign(d)


@settings(max_examples=examples(100), deadline=None)
@given(
    st.integers(0, 2**31),
    st.sampled_from([500, 1999, 2000, 5000, 20_001]),
    st.sampled_from([0, 1, 2, 7, 12, 30]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([10, 50, 200, 203]),
)
def test_the_caveat_of_few_losses_is_that_of_its_formula(seed, n, losses, real, mirrored, spell):
    d = rare(seed, n, losses, real) * (-1.0 if mirrored else 1.0)
    found, _, _ = statements(d, 0.2, spell, math.inf if real else None)
    if found.winner is None:
        assert found.few_losses is None
        return
    nth = ("a", "b").index(found.winner)
    there, here = slow.few_losses(d, nth, spell), found.few_losses
    assert (there is None) == (here is None)
    if here is not None:
        assert (here.winner, here.loser, here.spell) == (found.winner, "ba"[nth], spell)
        assert here.stretch == spell // 4
        assert (here.stretches, here.lead, here.outages) == pytest.approx(there)


def single_losses_of_b(n=20_000):
    """B loses on every 50th item, A on none."""
    return np.where(np.arange(n) % 50 == 7, -1.0, 0.0)


def test_a_winner_without_losses_has_a_caveat_until_three_outages_do_not_undo_its_lead():
    found, _, _ = statements(single_losses_of_b())
    assert (found.status, found.winner) == ("decided", "a")
    caveat = found.few_losses
    assert (caveat.stretches, caveat.lead, caveat.outages) == (0, 400, 2)
    assert (
        "a's lead over b, a total loss lower by 400, is below that of 3 outages of 200 items"
        in (found.to_text())
    )
    assert "a never had the larger loss: an outage that has not occurred yet" in found.to_text()
    later, _, _ = statements(single_losses_of_b(31_000))
    assert (later.winner, later.few_losses) == ("a", None)


def test_nine_single_losses_far_from_each_other_are_not_few():
    d = single_losses_of_b()
    d[1000:18_000:2000] = 1.0
    found, _, _ = statements(d)
    assert (found.winner, found.few_losses) == ("a", None)
    d[17_000] = 0.0
    found, _, _ = statements(d)
    assert (found.winner, found.few_losses.stretches) == ("a", 8)
    assert "only about 8 separate stretches of 50 items" in found.to_text()
    d[17_000:17_008] = 1.0  # most of the losses are in one stretch
    found, _, _ = statements(d)
    assert (found.winner, round(found.few_losses.stretches, 3)) == ("a", round(16**2 / 72, 3))


def test_no_winner_has_no_caveat():
    d = np.zeros(5000)
    d[100] = -1.0
    found, _, _ = statements(d)
    assert (found.winner, found.few_losses, found.caveat) == (None, None, "")


@settings(max_examples=examples(60), deadline=None)
@given(kinds, st.sampled_from([0.3, 0.05]), st.sampled_from(SIDES))
def test_winner_interval_and_p_never_contradict_each_other(kind, alpha, side):
    d = differences(*kind)
    long_run, so_far, now = statements(d, alpha, 50, math.inf if kind[4] else None, side)
    outside = long_run.low > 0 or long_run.high < 0
    assert outside == (long_run.winner is not None) == (long_run.p <= alpha)
    assert (long_run.status == "decided") == outside
    if long_run.winner is not None:
        assert long_run.winner == ("a" if long_run.high < 0 else "b")
        assert side in ("either", long_run.winner)
        assert long_run.since <= len(d)
        assert long_run.first is not None
    if so_far is not None:
        outside = so_far.low > 0 or so_far.high < 0
        assert outside == (so_far.leader is not None) == (so_far.p <= alpha)
    assert (now.low > 0 or now.high < 0) == (now.leader is not None)


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 2**31), st.integers(1, 80), st.sampled_from([1.0, 7.0]), st.booleans())
def test_so_far_is_the_wealth_of_the_bets(seed, n, bound, whole):
    rng = np.random.default_rng(seed)
    d = rng.integers(-1, 2, n).astype(np.float64) if whole else rng.uniform(-1, 1, n)
    d *= bound
    zero_one = whole and bound == 1
    _, found, _ = statements(d, 0.2, 50, None if zero_one else bound)
    log_a, log_b, low, high = slow.so_far(d.tolist(), 0.2, bound)
    assert (found.log_e_value_a, found.log_e_value_b) == pytest.approx((log_a, log_b), abs=1e-9)
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("n", [2047, 2048, 5000, 9217, 20_000])
def test_now_is_the_shortest_window_that_decides(n, real):
    for seed in range(3):
        d = differences(seed, n, 0.0, 1.0, real)
        d[: n // 2] += 0.3 * np.sign(d[: n // 2] - 0.5) * real
        d[-3000:] = np.where(np.random.default_rng(seed).random(len(d[-3000:])) < 0.3, 1.0, 0.0)
        _, _, found = statements(d, 0.05, 200, math.inf if real else None)
        windows = slow.windows(d, 0.05, 200)
        expected = slow.now(d, 0.05, 200)
        if not windows:
            assert math.isnan(found.difference)
            assert found.leader is None
        elif expected is None:
            assert (found.leader, found.length) == (None, windows[0][0])
        else:
            mean, length = expected
            assert (found.leader, found.length) == ("a" if mean < 0 else "b", length)
            (row,) = [w for w in windows if w[0] == length]
            limit = math.inf if real else 1.0
            bounds = max(row[2], -limit), min(row[3], limit)
            assert (found.low, found.high) == pytest.approx(bounds, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("size", [1e5, 1e9, 1e12, 1e15])
def test_after_one_huge_loss_nobody_is_ahead_of_an_equal_learner(size):
    for seed in range(5):
        d = np.random.default_rng(seed).normal(size=30_000)
        d[700] = size * (-1) ** seed
        _, _, found = statements(d, bound=math.inf)
        length, mean, low, high, _ = slow.windows(d, 0.05, 200)[0]
        assert (found.leader, found.length) == (None, length)
        assert (found.low, found.difference, found.high) == pytest.approx((low, mean, high))


def test_the_first_verdict_is_at_most_one_percent_late():
    for seed in range(3):
        d = differences(seed, 2000, 0.12)
        found, _, _ = statements(d, 0.05, 50)
        assert found.first is not None
        at = found.first[1]
        assert slow.long_run(d[:at], 0.05, 50)[0] == "decided"
        if at > 500:  # the check before was too early
            earlier = at - max(1, 2 ** (math.floor(math.log2(at / 24)) - 3))
            assert slow.long_run(d[:earlier], 0.05, 50)[0] == "undecided"
            assert earlier > 0.99 * at - 1


@pytest.mark.parametrize(("alpha", "a"), [(0.1, 2.500278), (0.05, 2.795483), (0.01, 3.368214)])
def test_quantiles_are_those_of_the_boundary(alpha, a):
    assert math.sqrt(squared_quantile(alpha)) == pytest.approx(a, abs=1e-6)
    assert tail(a) == pytest.approx(slow.tail(a), rel=1e-12)
    assert squared_quantile(alpha / 2, "a") == pytest.approx(a * a, abs=1e-5)
    assert p_value(a * a, "either", True) == pytest.approx(alpha, rel=1e-5)
    assert p_value(a * a, "b", False) == pytest.approx(alpha / 2, rel=1e-5)
    assert p_value(a * a, "a", False) == 1.0


def test_a_tail_on_the_other_side_leaves_the_verdict_open():
    d = np.full(5000, 1.0) + 0.01 * np.random.default_rng(0).normal(size=5000)
    d[77] = -900.0
    found, so_far, _ = statements(d, bound=math.inf)
    assert found.status == "undecided, one-sided tail"
    assert (found.winner, found.low, found.p) == (None, -math.inf, 1.0)
    assert so_far is None
    assert "rare large losses" in found.to_text()


def test_equal_losses_are_always_equal_and_a_constant_difference_is_decided():
    found, _, now = statements(np.zeros(3000))
    assert (found.status, found.p, now.leader) == ("always equal", 1.0, None)
    found, _, _ = statements(np.full(3000, -1.0))
    assert (found.status, found.winner) == ("decided", "a")


def test_spells_of_luck_are_too_few_effective_items():
    d = differences(1, 20_000, 0.0, 300.0)
    found, _, _ = statements(d)
    assert found.status == "too few effective items"
    assert found.effective_items < 100
    words = found.to_text()
    assert "independent items' worth" in words
    assert (found.winner, found.p, found.low, found.high) == (None, 1.0, -1.0, 1.0)


def test_a_lead_that_is_lost_is_no_win():
    """A leads by 20 points, then B; at the end both have lost the same."""
    rng = np.random.default_rng(4)
    half = 6000
    gain = (rng.random(half) < 0.2).astype(np.float64)
    found, _, now = statements(np.concatenate([-gain, gain]))
    assert found.winner is None
    assert found.first is not None
    assert found.first[0] == "a"
    assert "which no longer holds" in found.to_text()
    assert now.leader == "b"
    assert "over the last" in now.to_text()


def test_losses_without_a_bound_are_compared_in_the_long_run():
    rng = np.random.default_rng(2)
    label = rng.normal(size=8000)
    a, b = (from_columns(REAL, label, label + rng.normal(0, s, 8000)) for s in (1.0, 1.2))
    verdict = compare(a, b, names=("a", "b"))
    assert (verdict.winner, verdict.so_far) == ("a", None)
    assert "no exact statement" in verdict.to_text()
    bounded = compare(a, b, names=("a", "b"), bound=10.0)
    assert bounded.so_far is not None
    assert bounded.so_far.leader == "a"


def test_two_are_as_good_within_a_margin_and_one_is_not_worse():
    rng = np.random.default_rng(3)
    label = np.zeros(30_000, np.int32)
    schema = Schema((), classes=(0, 1))
    a, b = (
        from_columns(schema, label, (rng.random(30_000) < e).astype(np.int32)) for e in (0.2, 0.2)
    )
    wide, narrow = (compare(a, b, names=("a", "b"), margin=m) for m in (0.05, 0.0001))
    assert wide.equivalent is True
    assert wide.not_worse == ("a", "b")
    assert "a is as good as b, within ±0.05" in wide.to_text()
    assert (narrow.equivalent, narrow.not_worse) == (False, ())
    assert "is undecided" in narrow.to_text()
    c = from_columns(schema, label, (rng.random(30_000) < 0.26).astype(np.int32))
    worse = compare(a, c, names=("a", "c"), margin=0.02)
    assert (worse.equivalent, worse.not_worse) == (False, ("a",))
    assert "a is not worse than c by more than 0.02" in worse.to_text()
    assert compare(a, b).equivalent is None


@given(st.integers(0, 40), st.integers(0, 40))
def test_evidence_of_counts_is_the_wealth_of_the_bets(wins, losses):
    found = float(coin_log_evidence(np.array([float(wins)]), np.array([float(losses)]))[0])
    assert found == pytest.approx(slow.log_wealth([1.0] * wins + [-1.0] * losses), abs=1e-9)


def test_a_current_p_is_that_of_the_statement():
    d = differences(5, 4000, 0.1)
    found, _, _ = statements(d)
    assert current_p(sequential_test(d)) == found.p

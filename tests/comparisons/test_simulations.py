"""How often equal learners get a winner, and how soon unequal ones: watched, by simulation.

The quick tests have few runs; the slow ones are those whose rates the documentation gives.
`pytest -m slow -s` prints the rates with their Monte-Carlo errors.
"""

from __future__ import annotations

import math
import sys
from functools import partial

import numpy as np
import pytest

from oracles import dependent_losses as kinds
from streamgauge._core import SequentialTest
from streamgauge.comparisons._boundary import squared_quantile
from streamgauge.comparisons._statements import long_run_of, now_of

QUANTILE = squared_quantile(0.05)
THRESHOLD = math.log(40)

EQUAL = {
    "independent": (kinds.independent, 0.05),
    "2 % disagree": (kinds.disagree, 0.05),
    "bursts of 1.5": (partial(kinds.in_bursts, length=1.5), 0.05),
    "bursts of 2": (partial(kinds.in_bursts, length=2), 0.05),
    "bursts of 5": (partial(kinds.in_bursts, length=5), 0.05),
    "bursts of 20": (partial(kinds.in_bursts, length=20), 0.05),
    "bursts of 100": (partial(kinds.in_bursts, length=100), 0.05),
    "shared regimes": (kinds.shared_regimes, 0.05),
    "opposed regimes, 5 points": (partial(kinds.opposed_regimes, points=0.05), 0.10),
    "opposed regimes, 10 points": (kinds.opposed_regimes, 0.10),
    "absolute t2": (kinds.heavy, 0.05),
    "squared t3": (kinds.heavier, 0.05),
    "log-normal 1": (partial(kinds.lognormal, sigma=1), 0.05),
    "log-normal 2": (partial(kinds.lognormal, sigma=2), 0.05),
    "rare errors in bursts of 10": (kinds.rare_bursts, 0.05),
    "periods of 100": (kinds.periodic, 0.05),
    "heavy-tailed bursts": (kinds.long_runs, 0.05),
    "moving average of 25": (kinds.moving_average, 0.05),
}
"""Equal learners: kind of dependence, and the rate of wrong winners that is allowed."""

REAL = {"absolute t2", "squared t3", "log-normal 1", "log-normal 2", "moving average of 25"}

UNEQUAL = {
    "20 against 21 %": (partial(kinds.independent, b=0.21), 200_000, 31_000),
    "20 against 22 %": (partial(kinds.independent, b=0.22), 60_000, 7_000),
    "1 against 2 %": (partial(kinds.independent, a=0.01, b=0.02), 20_000, 3_500),
    "bursts of 5, 20 against 23 %": (partial(kinds.in_bursts, length=5, b=0.23), 120_000, 22_000),
}
"""Kind of stream, its items, and the median number of items at which the winner is named."""


def watch(d, bound=None, spell=200):
    """The test of differences of losses."""
    test = SequentialTest(THRESHOLD, [QUANTILE], 0, bound, spell)
    test.push(np.maximum(d, 0.0), np.maximum(-d, 0.0))
    return test


def first_winner(test):
    """(item, side) of the first winner of the long run; None if there is none."""
    (a, _), (b, _) = test.long_run_times()
    found = [(at[0], side) for at, side in ((a, "a"), (b, "b")) if at[0] is not None]
    return min(found) if found else None


def wrong_rate(name, runs, items, seed):
    """Share of runs with a winner between equals, and share that ends with too few effective."""
    make, _ = EQUAL[name]
    bound = math.inf if name in REAL else None
    wrong = few = 0
    for nth in range(runs):
        test = watch(np.asarray(make(np.random.default_rng((seed, nth)), items), float), bound)
        wrong += first_winner(test) is not None
        few += test.long_run()[0] == "too few effective items"
    return wrong / runs, few / runs


def error(rate, runs):
    """The Monte-Carlo error of a rate."""
    return math.sqrt(max(rate, 1 / runs) * (1 - rate) / runs)


def say(words):
    """Print the words: `pytest -s` shows them."""
    sys.stdout.write(words + "\n")


def shown(what, rate, runs):
    say(f"{what}: {100 * rate:.1f} ± {100 * error(rate, runs):.1f} % of {runs} runs")


QUICK = ["independent", "2 % disagree", "bursts of 2", "bursts of 20", "opposed regimes, 10 points"]


@pytest.mark.parametrize("name", QUICK)
def test_equal_learners_rarely_get_a_winner(name):
    runs = 60
    rate, _ = wrong_rate(name, runs, 20_000, 1)
    assert rate <= EQUAL[name][1] + 2.5 * error(EQUAL[name][1], runs)


@pytest.mark.slow
@pytest.mark.parametrize("name", EQUAL)
def test_equal_learners_get_a_winner_at_most_at_the_stated_rate(name):
    runs, items = 1000, 20_000
    rate, few = wrong_rate(name, runs, items, 2)
    shown(f"wrong winners, {name}, {items:,} items", rate, runs)
    assert rate <= EQUAL[name][1]
    if name == "bursts of 100":
        shown("too few effective items at the end", few, runs)
        assert few >= 0.8


@pytest.mark.slow
@pytest.mark.parametrize("name", EQUAL)
def test_equal_learners_get_no_more_winners_on_long_streams(name):
    runs, items = 400, 100_000
    rate, _ = wrong_rate(name, runs, items, 3)
    shown(f"wrong winners, {name}, {items:,} items", rate, runs)
    assert rate <= EQUAL[name][1] + error(EQUAL[name][1], runs)


def median_items(name, runs, seed):
    """The median number of items at which the right one is named, and the share of wrong ones."""
    make, items, _ = UNEQUAL[name]
    at, wrong = [], 0
    for nth in range(runs):
        first = first_winner(watch(make(np.random.default_rng((seed, nth)), items)))
        at.append(math.inf if first is None else first[0])
        wrong += first is not None and first[1] == "b"
    return float(np.median(at)), wrong / runs


@pytest.mark.parametrize("name", ["20 against 22 %", "1 against 2 %"])
def test_a_difference_is_found_in_time(name):
    items, wrong = median_items(name, 21, 4)
    assert items <= 1.4 * UNEQUAL[name][2]
    assert wrong == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", UNEQUAL)
def test_the_median_number_of_items_to_a_winner_is_as_stated(name):
    items, wrong = median_items(name, 500, 5)
    say(f"median items to a winner, {name}: {items:,.0f}; wrong side {100 * wrong:.1f} %")
    assert items <= UNEQUAL[name][2]
    assert wrong <= 0.01


OUTAGES = [(10, 0.01), (40, 0.01), (200, 0.01), (40, 0.05)]
"""Mean length of the outages of one learner, and the error of both."""


def few_losses_at_first(d):
    """Side of the first winner, and whether it then has the caveat of few losses; None: no one."""
    first = first_winner(watch(d))
    if first is None:
        return None
    at, side = first
    found = long_run_of(watch(d[:at]), ("a", "b"), 0.05, "either", 200, 0, None, "items", 1.0)
    assert found.winner == side
    return side, found.few_losses is not None


def caveats(make, runs, items, seed):
    """Share of runs with a winner, and with A as the winner; share of winners with the caveat."""
    found = [few_losses_at_first(make(np.random.default_rng((seed, nth)), items))
             for nth in range(runs)]  # fmt: skip
    named = [one for one in found if one is not None]
    won = sum(side == "a" for side, _ in named) / runs
    return len(named) / runs, won, sum(with_caveat for _, with_caveat in named) / max(1, len(named))


@pytest.mark.parametrize(("length", "share"), OUTAGES[:3])
def test_a_winner_without_an_outage_yet_has_a_caveat(length, share):
    make = partial(kinds.outages, length=length, error=share)
    named, _, with_caveat = caveats(make, 60, 20_000, 21)
    assert named > 0.1
    assert with_caveat >= 0.9


@pytest.mark.parametrize("name", ["20 against 22 %", "1 against 2 %"])
def test_a_winner_whose_losses_are_known_has_no_caveat(name):
    _, won, with_caveat = caveats(UNEQUAL[name][0], 30, UNEQUAL[name][1], 22)
    assert won >= 0.95
    assert with_caveat <= 0.1 + 2.5 * error(0.1, 30)


@pytest.mark.slow
@pytest.mark.parametrize(("length", "share"), [*OUTAGES, (10, 0.05), (200, 0.05), (40, 0.2)])
def test_wrong_winners_with_outages_have_a_caveat_as_often_as_stated(length, share):
    runs = 1000
    make = partial(kinds.outages, length=length, error=share)
    named, won, with_caveat = caveats(make, runs, 20_000, 23)
    what = f"outages of {length}, {100 * share:g} % errors"
    shown(f"{what}: winners", named, runs)
    shown(f"{what}: the one with outages", won, runs)
    shown(f"{what}: winners with a caveat", with_caveat, round(named * runs))
    if (length, share) in OUTAGES:
        assert with_caveat >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize("name", UNEQUAL)
def test_right_winners_rarely_have_a_caveat(name):
    runs = 500
    make, items, _ = UNEQUAL[name]
    _, won, with_caveat = caveats(make, runs, items, 24)
    shown(f"{name}: right winners with a caveat", with_caveat, runs)
    assert won >= 0.99
    assert with_caveat <= 0.1


SOON = [(0.06, 260), (0.02, 3_000)]
"""Error of B against 1 % of A, and the median number of items at which A is named so far."""


def median_so_far(b, runs, seed):
    """The median item of the first decision for A, and the share of runs with one for B."""
    at, wrong = [], 0
    for nth in range(runs):
        rng = np.random.default_rng((seed, nth))
        (first, _), (other, _) = watch(kinds.independent(rng, 12_000, 0.01, b)).so_far_times()
        at.append(math.inf if first is None else first)
        wrong += other is not None
    return float(np.median(at)), wrong / runs


@pytest.mark.parametrize(("b", "most"), SOON)
def test_so_far_decides_soon(b, most):
    assert median_so_far(b, 101, 6)[0] <= most


@pytest.mark.slow
@pytest.mark.parametrize(("b", "most"), SOON)
def test_the_median_number_of_items_to_a_leader_so_far_is_as_stated(b, most):
    items, wrong = median_so_far(b, 2001, 12)
    say(f"median items to a leader so far, 1 against {100 * b:g} %: {items:,.0f}; wrong side "
        f"{100 * wrong:.2f} % of 2,001 runs")  # fmt: skip
    assert items <= most
    assert wrong <= 0.025


def looks(d, every=256):
    """(items, learner named now) at each look; None if no window decides."""
    test = SequentialTest(THRESHOLD, [QUANTILE], 0, None, 200)
    for start in range(0, len(d), every):
        part = d[start : start + every]
        test.push(np.maximum(part, 0.0), np.maximum(-part, 0.0))
        yield start + len(part), now_of(test, ("a", "b"), 0.05, "either", 200, 1.0).leader


def after_a_change(runs, seed, points=0.03, change=10_000, items=40_000):
    """The items after a change of the lead at which "now" names the new leader."""
    found = []
    for nth in range(runs):
        rng = np.random.default_rng((seed, nth))
        lead = np.where(np.arange(items) < change, -points, points) / 2
        d = (rng.random(items) < 0.2 + lead) * 1.0 - (rng.random(items) < 0.2 - lead)
        named = [n - change for n, leader in looks(d) if leader == "b"]
        found.append(named[0] if named else math.inf)
    return np.array(found)


def test_now_names_the_new_leader_after_a_change():
    found = after_a_change(7, 7, points=0.1, items=20_000)
    assert (found > 0).all()
    assert np.median(found) <= 4_000


@pytest.mark.slow
def test_now_names_the_new_leader_within_8000_items():
    found = after_a_change(200, 8)
    say(f"now, after a change by 3 points: median {np.median(found):,.0f} items")
    assert (found > 0).mean() >= 0.95
    assert np.median(found) <= 8_000


def false_now(name, runs, items, seed):
    make, _ = EQUAL[name]
    ever = 0
    for nth in range(runs):
        d = make(np.random.default_rng((seed, nth)), items)
        ever += any(leader for _, leader in looks(np.asarray(d, float), 512))
    return ever / runs


def test_equals_are_rarely_named_now():
    assert false_now("bursts of 5", 20, 20_000, 9) <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["independent", "2 % disagree", "bursts of 5", "bursts of 20", "shared regimes"]
)
def test_equals_are_named_now_in_at_most_5_percent_of_runs(name):
    rate = false_now(name, 200, 50_000, 10)
    shown(f"false now, {name}, 50,000 items", rate, 200)
    assert rate <= 0.05


@pytest.mark.slow
def test_a_lead_that_changes_has_no_winner_while_it_is_even():
    """A better for 10,000 items, then B: nobody wins the long run at 20,000, B leads now."""
    wrong = right = 0
    for nth in range(200):
        rng = np.random.default_rng((11, nth))
        lead = np.where(np.arange(20_000) < 10_000, -0.05, 0.05)
        d = (rng.random(20_000) < 0.2 + lead) * 1.0 - (rng.random(20_000) < 0.2 - lead)
        test = watch(d)
        wrong += test.long_run()[5] >= QUANTILE
        right += now_of(test, ("a", "b"), 0.05, "either", 200, 1.0).leader == "b"
    say(f"even at the end: {wrong} winners of the long run, {right} of 200 right now")
    assert wrong <= 2
    assert right >= 190

"""How often findings are false, and how often they speak, over simulated streams.

`make test` runs few repetitions; tests marked slow run at least 1,000. `pytest -m slow -s` prints
the rates with their Monte-Carlo errors.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from scipy.signal import lfilter

from oracles import dependent_losses as losses
from oracles import label_sequences as sequences
from streamgauge.diagnosis import quick_test
from streamgauge.diagnosis.autocorrelation import autocorrelation_of
from streamgauge.diagnosis.labels import label_dependence
from streamgauge.log import from_columns
from streamgauge.log.lateness import lateness_of
from streamgauge.report.findings._label_repeats import REPEATS_Z
from streamgauge.report.findings.whole_differs_from_end import ends_differently
from streamgauge.report.label_sequence import LabelSequenceCounter
from streamgauge.report.paired_tests import compared_logs
from streamgauge.report.performance_drops import Segment, find_drop
from streamgauge.types import Schema

QUICK = 60
SLOW = 1000


def rate(happens: Callable[[np.random.Generator], bool], runs: int, seed: int) -> float:
    """Share of runs in which something happens."""
    return sum(happens(np.random.default_rng([seed, run])) for run in range(runs)) / runs


def at_most(share: float, limit: float, runs: int) -> None:
    """Whether a rate is compatible with a limit: three Monte-Carlo errors above it."""
    error = math.sqrt(limit * (1 - limit) / runs)
    own = 100 * math.sqrt(share * (1 - share) / runs)
    sys.stdout.write(f"\n  {100 * share:.1f} ± {own:.1f} % of {runs} runs")
    assert share <= limit + 3 * error, f"{100 * share:.1f} % of {runs} runs"


def order_of(labels, classes=None):
    counter = LabelSequenceCounter(classes or int(labels.max()) + 1)
    counter.push(labels)
    return counter.finish()


def depends(order) -> bool:
    """The condition of `temporal_dependence`, without its effect size."""
    return bool(order.successions) or abs(order.z_repeats) > REPEATS_Z


IN_RANDOM_ORDER = {
    "two": (sequences.independent, 6000),
    "balanced": (partial(sequences.independent, shares=(0.5, 0.5)), 3000),
    "rare": (sequences.rare, 6000),
    "very rare": (partial(sequences.rare, share=0.001), 20_000),
    "three": (partial(sequences.independent, shares=(0.5, 0.49, 0.01)), 6000),
    "forty": (sequences.many, 10_000),
    "short": (sequences.independent, 400),
}

DEPENDENT = {
    "lag two": (sequences.lag_two, 6000),
    "never two on": (sequences.never_two_on, 6000),
    "faults": (sequences.faults, 6000),
    "sticky": (partial(sequences.sticky, stay=0.56), 6000),
    "alternating": (partial(sequences.sticky, stay=0.44), 6000),
}

DRIFTING = {
    "slow": (sequences.slow_drift, 6000),
    "sudden": (sequences.sudden_drift, 6000),
    "season": (sequences.seasonal, 6000),
}


def check_random(name: str, runs: int) -> None:
    make, n = IN_RANDOM_ORDER[name]
    share = rate(lambda rng: not order_of(make(rng, n)).random, runs, 1)
    at_most(share, 0.05, runs)


def check_dependent(name: str, runs: int) -> None:
    make, n = DEPENDENT[name]
    silent = rate(lambda rng: not order_of(make(rng, n)).successions, runs, 2)
    at_most(silent, 0.05, runs)


def check_drifting(name: str, runs: int) -> None:
    make, n = DRIFTING[name]
    at_most(rate(lambda rng: order_of(make(rng, n)).random, runs, 3), 0.05, runs)
    at_most(rate(lambda rng: depends(order_of(make(rng, n))), runs, 4), 0.05, runs)


@pytest.mark.parametrize("name", IN_RANDOM_ORDER)
def test_labels_in_random_order_look_independent(name: str) -> None:
    check_random(name, QUICK)


@pytest.mark.parametrize("name", DEPENDENT)
def test_dependent_labels_do_not_look_independent(name: str) -> None:
    check_dependent(name, QUICK)


@pytest.mark.parametrize("name", DRIFTING)
def test_drift_of_the_prior_is_neither_independence_nor_dependence(name: str) -> None:
    check_drifting(name, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("check", "name"),
    [
        *((check_random, name) for name in IN_RANDOM_ORDER),
        *((check_dependent, name) for name in DEPENDENT),
        *((check_drifting, name) for name in DRIFTING),
    ],
)
def test_statements_about_labels_hold(check, name: str) -> None:
    check(name, SLOW)


@pytest.mark.parametrize("runs", [QUICK, pytest.param(SLOW, marks=pytest.mark.slow)])
@pytest.mark.parametrize("code", [0, 1])
def test_the_limit_of_a_class_is_the_excess_found_in_95_percent_of_cases(
    runs: int, code: int
) -> None:
    """A chain whose rarer or more frequent class follows itself that much more often."""
    n, share = 6000, 0.1
    made = order_of(sequences.rare(np.random.default_rng(0), n, share))
    excess = made.limits[1]  # of a rare class: the chain has one rate
    stay = share + excess

    def found(rng):
        flags = losses.runs(rng, n, 1 / (1 - stay), (1 - share) / share / (1 - stay))
        labels = flags.astype(np.int32)
        return bool(order_of(labels if code else 1 - labels).successions)

    at_most(1 - rate(found, runs, 5), 0.05, runs)


W = 1000
BURSTS = (1.25, 2, 5, 20, 100)


def with_drop(rng, n, start, end, length, before=0.2, during=0.5):
    """Losses in bursts with an error rate of `before`, and of `during` from `start` to `end`."""
    made = losses.bursts(rng, n, length, before).astype(np.float64)
    made[start:end] = losses.bursts(rng, end - start, length, during)
    return made


def statement(made, start, until=None, window=W):
    """None, `recovered` or `not recovered`."""
    segment = Segment(0, start, start, len(made) if until is None else until)
    found = find_drop(made, segment, window, 0.05, classification=True)
    return None if found is None else "not recovered" if math.isnan(found[2]) else "recovered"


def check_no_effect(length: float, runs: int) -> None:
    """A drift without effect, under bursts; then with an outage long after it."""
    start, n = 10_000, 40_000

    def speaks(rng, outage):
        made = losses.bursts(rng, n, length, 0.2).astype(np.float64)
        if outage:
            made[30_000:32_000] = 1.0
        return statement(made, start) is not None

    at_most(rate(partial(speaks, outage=False), runs, 6), 0.05, runs)
    at_most(rate(partial(speaks, outage=True), runs, 7), 0.05, runs)


def improving(rng, n):
    """An error rate that falls from 40 % to 20 %."""
    return (rng.random(n) < 0.2 + 0.2 * np.exp(-np.arange(n) / 3000)).astype(np.float64)


def regimes(rng, n):
    """An error rate of 10 or 30 %, in regimes of mean length 100."""
    return (rng.random(n) < 0.2 + 0.1 * losses.regimes(rng, n, 100)).astype(np.float64)


def pareto_bursts(rng, n):
    """Errors in runs with heavy-tailed lengths, mean about 5."""
    return (losses.long_runs(rng, n) > 0).astype(np.float64)


def smooth_errors(rng, n):
    """Absolute values of an autoregressive series."""
    return np.abs(lfilter([1.0], [1.0, -0.9], rng.normal(size=n)))


WITHOUT_EFFECT = {
    "improving": (improving, True),
    "regimes": (regimes, True),
    "heavy-tailed bursts": (pareto_bursts, True),
    "log-normal errors": (lambda rng, n: rng.lognormal(0, 1, n), False),
    "smooth errors": (smooth_errors, False),
}
"""Losses at a drift without effect, and whether they are 0 or 1."""


def check_kind(name: str, runs: int) -> None:
    make, classification = WITHOUT_EFFECT[name]

    def speaks(rng):
        segment = Segment(0, 10_000, 10_000, 30_000)
        return find_drop(make(rng, 30_000), segment, W, 0.05, classification) is not None

    at_most(rate(speaks, runs, 22), 0.05, runs)


@pytest.mark.parametrize("runs", [QUICK, pytest.param(SLOW, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", WITHOUT_EFFECT)
def test_other_losses_at_a_drift_without_effect_are_no_drop(name: str, runs: int) -> None:
    check_kind(name, runs)


def check_recovery(length: float, runs: int) -> None:
    """False statements about drops that last and drops that do not."""
    start, n = 10_000, 30_000
    lasts = rate(lambda rng: statement(with_drop(rng, n, start, n, length), start) == "recovered",
                 runs, 8)  # fmt: skip
    at_most(lasts, 0.05, runs)
    ends = rate(
        lambda rng: (
            statement(with_drop(rng, n, start, start + 3000, length), start) == "not recovered"
        ),
        runs,
        9,
    )
    at_most(ends, 0.05, runs)
    nearly = rate(  # an accuracy of 94 % of the earlier one
        lambda rng: (
            statement(with_drop(rng, n, start, n, length, 0.2, 0.248), start) == "recovered"
        ),
        runs,
        10,
    )
    at_most(nearly, 0.05, runs)


@pytest.mark.parametrize("length", [1.25, 5, 20])
def test_a_drift_without_effect_is_no_drop(length: float) -> None:
    check_no_effect(length, QUICK)


@pytest.mark.parametrize("length", [1.25, 5])
def test_drops_that_last_are_not_recovered_from(length: float) -> None:
    check_recovery(length, QUICK)


def test_drops_and_recoveries_are_found() -> None:
    def found(rng, length, end, stated):
        return statement(with_drop(rng, 30_000, 10_000, end, length), 10_000) == stated

    for length, least in ((1.25, 0.95), (5, 0.4)):
        for end, stated in ((30_000, "not recovered"), (13_000, "recovered")):
            happens = partial(found, length=length, end=end, stated=stated)
            assert rate(happens, QUICK, 11) >= least, (length, stated)


def test_an_outage_after_a_recovery_is_no_missing_recovery() -> None:
    def stated(rng):
        made = with_drop(rng, 40_000, 10_000, 12_000, 1.25)
        made[36_000:] = 1.0
        return statement(made, 10_000) == "recovered"

    assert rate(stated, QUICK, 12) >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize("check", [check_no_effect, check_recovery])
@pytest.mark.parametrize("length", BURSTS)
def test_statements_about_drops_hold(check, length: float) -> None:
    check(length, SLOW)


def check_end(length: float, n: int, runs: int) -> None:
    def speaks(rng):
        return ends_differently(losses.bursts(rng, n, length, 0.2).astype(np.float64), W, 0.05)

    at_most(rate(speaks, runs, 13), 0.05, runs)


@pytest.mark.parametrize("length", [1.25, 5])
def test_fluctuation_is_no_change_at_the_end(length: float) -> None:
    check_end(length, 6000, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("n", [3000, 6000, 40_000])
@pytest.mark.parametrize("length", BURSTS)
def test_statements_about_the_end_hold(length: float, n: int) -> None:
    check_end(length, n, SLOW)


def test_a_change_at_the_end_is_found() -> None:
    def speaks(rng, length, points):
        made = with_drop(rng, 6000, 5000, 6000, length, 0.2, 0.2 + points)
        return ends_differently(made, W, 0.05)

    assert rate(partial(speaks, length=1.25, points=0.1), QUICK, 14) >= 0.9
    assert rate(partial(speaks, length=5, points=0.3), QUICK, 14) >= 0.8


SCHEMA = Schema((), classes=("a", "b"))


def pair(rng, n, length, a=0.2, b=0.2):
    """Two logs with errors in bursts."""
    label = rng.integers(0, 2, n, dtype=np.int32)
    wrong = (losses.bursts(rng, n, length, share) for share in (a, b))
    return (from_columns(SCHEMA, label, np.where(w, 1 - label, label)) for w in wrong)


def check_pair(n: int, length: float, runs: int) -> None:
    at_most(rate(lambda rng: compared_logs(*pair(rng, n, length)).p <= 0.05, runs, 15), 0.05, runs)


@pytest.mark.parametrize(("n", "length"), [(200, 1.25), (1000, 5), (5000, 20)])
def test_equal_learners_are_not_different(n: int, length: float) -> None:
    check_pair(n, length, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("n", [200, 500, 1000, 2000, 5000, 20_000])
@pytest.mark.parametrize("length", BURSTS)
def test_statements_about_differences_hold(n: int, length: float) -> None:
    check_pair(n, length, SLOW)


def test_different_learners_are_found() -> None:
    for n, length, gap in ((500, 1.25, 0.3), (5000, 1.25, 0.05), (20_000, 5, 0.1)):
        found = rate(
            lambda rng, n=n, length=length, gap=gap: (
                compared_logs(*pair(rng, n, length, 0.2, 0.2 + gap)).p <= 0.05
            ),
            QUICK,
            16,
        )
        assert found >= 0.85, (n, length, gap, found)


def check_quick(make, says: str, runs: int) -> None:
    at_most(rate(lambda rng: quick_test(make(rng, 100)).better == says, runs, 17), 0.05, runs)


@pytest.mark.parametrize("runs", [QUICK, pytest.param(SLOW, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("make", "says"),
    [
        (sequences.independent, "persistent"),
        (partial(sequences.independent, shares=(0.5, 0.5)), "persistent"),
        (partial(sequences.independent, shares=(0.4, 0.3, 0.3)), "persistent"),
        (partial(sequences.sticky, stay=0.5), "majority"),
        (partial(sequences.sticky, stay=0.7), "majority"),
    ],
)
def test_the_quick_test_is_wrong_in_at_most_5_percent(make, says: str, runs: int) -> None:
    check_quick(make, says, runs)


@pytest.mark.parametrize("runs", [QUICK, pytest.param(SLOW, marks=pytest.mark.slow)])
@pytest.mark.parametrize("length", [1.25, 5, 20])
def test_delays_in_runs_do_not_depend_on_labels_in_runs(runs: int, length: float) -> None:
    def stated(rng):
        n = 5000
        label = losses.bursts(rng, n, length, 0.3).astype(np.int32)
        late = rng.integers(0, 50, n) + 40 * losses.bursts(rng, n, length, 0.3)
        return bool(lateness_of(("a", "b"), label, late).to_text())

    at_most(rate(stated, runs, 21), 0.05, runs)


@pytest.mark.parametrize("runs", [QUICK, pytest.param(SLOW, marks=pytest.mark.slow)])
@pytest.mark.parametrize("lags", [1, 10])
@pytest.mark.parametrize("error", [0.5, 0.05])
def test_independent_errors_are_not_dependent(runs: int, lags: int, error: float) -> None:
    def stated(rng):
        return autocorrelation_of((rng.random(3000) < error).astype(np.float64), lags).dependent

    at_most(rate(stated, runs, 18), 0.05, runs)


@pytest.mark.parametrize(("length", "n"), [(2, 20_000), (5, 20_000), (20, 50_000), (100, 100_000)])
def test_effective_items_reach_as_far_as_the_dependence(length: float, n: int) -> None:
    """The variance of the mean over many runs is that of so many independent errors, about."""
    made = [losses.bursts(np.random.default_rng([19, i]), n, length, 0.2) for i in range(20)]
    stay = 1 - 1 / length - 0.25 / length  # the correlation at lag 1
    expected = n * (1 - stay) / (1 + stay)
    found = np.median([autocorrelation_of(m.astype(np.float64), 3).effective_items for m in made])
    assert 0.5 * expected < found < 1.1 * expected


@pytest.mark.parametrize("runs", [QUICK, pytest.param(SLOW, marks=pytest.mark.slow)])
@pytest.mark.parametrize("make", [sequences.sticky, sequences.rare, sequences.many])
def test_the_order_of_a_chain_is_not_overstated(make, runs: int) -> None:
    """Order 1 of a chain, 0 of independent labels."""
    most = 1 if make is sequences.sticky else 0
    at_most(rate(lambda rng: label_dependence(make(rng, 5000)).order > most, runs, 20), 0.05, runs)

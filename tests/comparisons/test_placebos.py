"""Placebo pairs on real streams: two learners that are swapped in spells, so neither is better.

The learners repeat earlier labels, so their errors depend on each other as those of the stream do;
the simulations on which the verdicts were tuned had no part in them. `pytest -m slow -s` prints the
table of docs/comparing.md.
"""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest

import streamgauge as sg
from oracles import dependent_losses as kinds
from streamgauge._core import SequentialTest
from streamgauge.comparisons._boundary import squared_quantile
from streamgauge.names import make

QUANTILE = squared_quantile(0.05)
THRESHOLD = math.log(40)

STREAMS = {"electricity": (1, 48), "weather": (1, 2), "airlines": (1, 7), "covtype": (1, 2)}
"""Streams, and the lags of the labels that the two learners repeat."""

MOST_ITEMS = 100_000
SPELLS = (5, 20, 50, 200, 500)


def differences(name):
    """Loss of the learner of the first lag minus that of the second, per item."""
    stream = sg.streams.take(make("stream", name), MOST_ITEMS)
    label = np.concatenate([batch.label for batch in stream.batches()])
    first, second = STREAMS[name]
    start = max(first, second)
    now = label[start:]
    wrong = [now != label[start - lag : len(label) - lag] for lag in (first, second)]
    return [one.astype(np.float64) for one in wrong]


def watched(d, spell=200):
    """(long run names a winner, so far names a leader), at any time."""
    test = SequentialTest(THRESHOLD, [QUANTILE], 0, None, spell)
    test.push(np.maximum(d, 0.0), np.maximum(-d, 0.0))
    long_run = any(first[0] is not None for first, _ in test.long_run_times())
    so_far = any(first is not None for first, _ in test.so_far_times())
    return long_run, so_far


def placebo(d, length, runs, seed):
    """Shares of runs in which a winner was named: long run, so far."""
    found = [
        watched(d * kinds.regimes(np.random.default_rng((seed, length, nth)), len(d), length))
        for nth in range(runs)
    ]
    return np.mean(found, axis=0)


def error(rate, runs):
    """The Monte-Carlo error of a rate."""
    return math.sqrt(max(rate * (1 - rate), 1 / runs) / runs)


@pytest.mark.data
def test_swapped_learners_rarely_get_a_winner():
    a, b = differences("electricity")
    long_run, so_far = placebo((a - b)[:20_000], 20, 20, 1)
    assert long_run <= 0.05 + 2.5 * error(0.05, 20)
    assert so_far > 0.3  # exact about the items seen, and not about the learners


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("name", STREAMS)
def test_learners_that_are_swapped_get_a_winner_at_most_at_the_stated_rate(name):
    runs = 400
    a, b = differences(name)
    cells = []
    for length in SPELLS:
        long_run, so_far = placebo(a - b, length, runs, 2)
        cells.append(f"{100 * long_run:.1f} / {100 * so_far:.1f}")
        # the promise: 5 % below spell / 4, 10 % up to the spell, none beyond
        most = 0.05 if length <= 50 else 0.10 if length <= 200 else 1.0
        assert long_run <= most + error(most, runs), (name, length)
    test = SequentialTest(THRESHOLD, [QUANTILE], 0, None, 200)
    test.push(a, b)
    firsts = [first[0] for first, _ in test.long_run_times() if first[0] is not None]
    named = f"at {min(firsts):,}" if firsts else "none"
    lags = ", ".join(map(str, STREAMS[name]))
    sys.stdout.write(
        f"| {name} ({lags}; {len(a):,}; {100 * a.mean():.1f}, {100 * b.mean():.1f}) | "
        f"{' | '.join(cells)} | {named} |\n"
    )

"""Stars against the best mean rank: the data choose it, so all pairs are corrected for."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest

from streamgauge.comparisons import Scores, versus_control_test
from streamgauge.comparisons.wilcoxon_holm import wilcoxon_holm_test


def false_stars(runs, learners, streams, seed):
    """Share of tables of equal learners with any p below 5 % against the best."""
    found = 0
    for nth in range(runs):
        rng = np.random.default_rng((seed, nth))
        values = rng.normal(size=(streams, learners)) + 5 * rng.normal(size=(streams, 1))
        p = versus_control_test(Scores(range(learners), range(streams), values)).p
        found += bool(np.nanmin(p) < 0.05)
    return found / runs


def test_p_against_the_best_is_that_of_all_pairs():
    rng = np.random.default_rng(0)
    table = Scores("abcd", range(12), rng.normal(size=(12, 4)) + np.array([0, 0.5, 1, 2]))
    against = versus_control_test(table)
    assert against.chosen
    np.testing.assert_allclose(against.p, wilcoxon_holm_test(table).p[against.control])
    assert "Holm over all pairs" in against.to_text()
    named = versus_control_test(table, table.learners[against.control])
    assert not named.chosen
    assert (named.p[~np.isnan(named.p)] <= against.p[~np.isnan(against.p)]).all()
    np.testing.assert_array_equal(named.p_uncorrected, against.p_uncorrected)
    by_ranks = versus_control_test(table, statistic="ranks")
    assert by_ranks.chosen


def test_equal_learners_rarely_get_stars():
    assert false_stars(60, 5, 10, 1) <= 0.05 + 2.5 * math.sqrt(0.05 * 0.95 / 60)


@pytest.mark.slow
@pytest.mark.parametrize("learners", [5, 10])
@pytest.mark.parametrize("streams", [10, 20])
def test_equal_learners_get_stars_in_at_most_5_percent_of_tables(learners, streams):
    runs = 1000
    rate = false_stars(runs, learners, streams, 2)
    error = math.sqrt(0.05 * 0.95 / runs)
    words = f"false stars, {learners} learners on {streams} streams: {100 * rate:.1f} %"
    sys.stdout.write(f"{words} ± {100 * error:.1f} of {runs} tables\n")
    assert rate <= 0.05 + error

"""Measures of alarms against scikit-learn, statsmodels and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching
from scipy.stats import hypergeom
from sklearn.metrics import f1_score, precision_score, recall_score
from statsmodels.duration.survfunc import SurvfuncRight

from streamgauge.alarm_measures import (
    F1,
    Precision,
    Recall,
    RestrictedMeanDelay,
    match_alarms,
)
from streamgauge.alarm_measures.lift import chances
from streamgauge.types import Drift


def random_case(seed, drifts=6, alarms=25, n=300, w=40):
    rng = np.random.default_rng(seed)
    starts = rng.choice(n, drifts, replace=False)
    known = [Drift(int(s), int(s), int(s + rng.integers(0, 30))) for s in starts]
    return match_alarms(rng.integers(0, n, alarms), known, n, w)


@pytest.mark.parametrize("seed", range(20))
def test_as_many_drifts_are_matched_as_by_scipy(seed):
    found = random_case(seed)
    fits = (found.alarms >= found.first[:, None]) & (found.alarms <= found.last[:, None])
    best = maximum_bipartite_matching(csr_matrix(fits), perm_type="column")
    assert found.found.sum() == (best >= 0).sum()


@pytest.mark.parametrize("seed", range(5))
def test_precision_recall_and_f1_are_those_of_scikit_learn(seed):
    found = random_case(seed)
    hits, drifts, alarms = int(found.found.sum()), len(found.drifts), len(found.alarms)
    truth = [1] * drifts + [0] * (alarms - hits)
    named = [1] * hits + [0] * (drifts - hits) + [1] * (alarms - hits)
    assert Precision().value(found) == pytest.approx(precision_score(truth, named))
    assert Recall().value(found) == pytest.approx(recall_score(truth, named))
    assert F1().value(found) == pytest.approx(f1_score(truth, named))


def test_the_restricted_mean_delay_is_the_area_under_the_kaplan_meier_curve_of_statsmodels():
    """The last window is cut by the end of the stream."""
    drifts = [Drift(t, t, t) for t in (100, 200, 300, 400, 480)]
    found = match_alarms([110, 230, 345, 700], drifts, 500 + 201, 50)
    cut = match_alarms([110, 230, 345], drifts, 500, 50)
    times, events = [10, 30, 45, 51, 19], [1, 1, 1, 0, 0]
    curve = SurvfuncRight(times, events)
    steps = np.append(curve.surv_times, 51)
    shares = np.append(1, curve.surv_prob)
    area = (np.diff(np.append(0, steps)) * shares).sum()
    assert RestrictedMeanDelay().value(cut) == pytest.approx(area)
    assert RestrictedMeanDelay().value(found) == pytest.approx((10 + 30 + 45 + 51 + 51) / 5)


@pytest.mark.parametrize(("alarms", "n"), [(1, 300), (25, 300), (299, 300), (40, 5_000_000)])
def test_the_chance_of_an_alarm_in_a_window_is_hypergeometric(alarms, n):
    found = match_alarms(np.arange(alarms), [Drift(100, 100, 120)], n, 40)
    [chance] = chances(found)
    assert chance == pytest.approx(hypergeom(n, 61, alarms).sf(0), rel=1e-9)

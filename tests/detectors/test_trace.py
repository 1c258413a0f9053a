"""The statistic and threshold of each native detector, item by item."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from oracles import detectors as twins
from streamgauge import detect, detectors
from streamgauge.errors import ParameterError
from streamgauge.lazy import members
from streamgauge.log import from_columns
from streamgauge.types import Schema
from streamgauge.windows import Fading, Sliding

SMALL = {
    "ADWIN": detectors.ADWIN(clock=8, grace_period=5),
    "DDM": detectors.DDM(),
    "EDDM": detectors.EDDM(),
    "HDDMA": detectors.HDDMA(two_sided_test=True),
    "HDDMW": detectors.HDDMW(),
    "KSWIN": detectors.KSWIN(alpha=0.01, window_size=60, stat_size=20),
    "PageHinkley": detectors.PageHinkley(threshold=10, after_alarm="reset"),
    "PageHinkleyRatio": detectors.PageHinkleyRatio(Fading(0.9), Fading(0.99), threshold=15),
    "RandomAlarms": detectors.RandomAlarms(p=0.05, warm_start=10),
    "RDDM": detectors.RDDM(max_size_concept=150, min_size_stable_concept=60, warning_limit=50),
}
BELOW = ("EDDM", "RandomAlarms")
"""Detectors whose alarm is a statistic below the threshold."""


def losses(n: int = 600, seed: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (rng.random(n) < np.where(np.arange(n) // 200 % 2, 0.7, 0.1)).astype(float)


def test_every_detector_is_traced_here():
    assert set(SMALL) == set(members(detectors.__name__))


@pytest.mark.parametrize("name", SMALL)
def test_the_trace_has_the_same_signals_in_any_blocks(name):
    column, spec = losses(), SMALL[name]
    _, rows, kinds = spec.bind(5).observe_many(column)
    whole = spec.bind(5).observe_traced(column)
    assert whole[0].tolist() == rows.tolist()
    assert whole[1].tolist() == kinds.tolist()
    detector, parts = spec.bind(5), []
    for start in range(0, len(column), 7):
        parts.append(detector.observe_traced(column[start : start + 7])[2:])
    for nth in (0, 1):
        again = np.concatenate([part[nth] for part in parts])
        np.testing.assert_array_equal(whole[2 + nth], again)


@pytest.mark.parametrize("name", SMALL)
def test_an_alarm_is_where_the_statistic_passes_the_threshold(name):
    spec = SMALL[name]
    if name == "RDDM":  # a long warning is an alarm, too
        spec = replace(spec, warning_limit=10**6)
    rows, kinds, statistic, threshold = spec.bind(5).observe_traced(losses())
    tested = ~np.isnan(statistic)
    assert tested.any()
    assert not tested.all() or name.startswith("PageHinkley")
    passed = statistic < threshold if name in BELOW else statistic >= threshold
    alarms = np.flatnonzero(passed & tested)
    if name == "PageHinkleyRatio":  # an alarm lasts
        alarms = alarms[np.diff(np.append(-2, alarms)) > 1]
    assert len(alarms)
    assert rows[kinds == 2].tolist() == alarms.tolist()


def slow_test(name, seen):
    """Statistic and threshold of the last of some losses since the start, slowly; None: no test."""
    spec, n = SMALL[name], len(seen)
    if name == "PageHinkley":
        sums, m = [], 0.0
        for t in range(1, n + 1):
            m += seen[t - 1] - sum(seen[:t]) / t - spec.delta
            sums.append(m)
        return sums[-1] - min(sums), spec.threshold
    if name == "DDM":
        levels = []
        for t in range(spec.warm_start + 1, n + 1):
            p = sum(seen[:t]) / t
            levels.append((p + math.sqrt(p * (1 - p) / t), p, math.sqrt(p * (1 - p) / t)))
        if not levels:
            return None
        least = min(levels, key=lambda level: level[0])
        return levels[-1][0], least[1] + spec.drift_threshold * least[2]
    if name == "HDDMA":

        def edge(t, sign):
            bound = math.sqrt(math.log(1 / spec.drift_confidence) / (2 * t))
            return sum(seen[:t]) / t * sign + bound

        found = []
        for sign in (1, -1):
            cut = min(range(1, n + 1), key=lambda t: (edge(t, sign), -t))
            if cut < n:
                m = (n - cut) / (cut * n)
                gap = sign * (sum(seen) / n - sum(seen[:cut]) / cut)
                found.append((gap, math.sqrt(m / 2 * math.log(2 / spec.drift_confidence))))
        return max(found, key=lambda test: test[0] / test[1]) if found else None
    assert name == "RandomAlarms"
    return None if n < spec.warm_start else (twins.uniform(5, n - 1), spec.p)


@pytest.mark.parametrize("name", ["PageHinkley", "DDM", "HDDMA", "RandomAlarms"])
def test_the_test_of_each_loss_up_to_the_first_alarm_is_that_of_the_definition(name):
    column = losses()
    rows, kinds, statistic, threshold = SMALL[name].bind(5).observe_traced(column)
    first = int(rows[kinds == 2][0])
    for at in {*range(0, first + 1, 7), first, first - 1}:
        expected = slow_test(name, column[: at + 1].tolist()) or (math.nan, math.nan)
        assert (statistic[at], threshold[at]) == pytest.approx(expected, nan_ok=True, abs=1e-9), at


def test_adwin_tests_the_cut_that_differs_most():
    """Two halves of equal losses, in buckets: the largest share of the bound over all cuts."""
    spec = detectors.ADWIN(clock=32, grace_period=5, delta=1e-9)
    column = np.repeat([0.0, 1.0], 16)
    _, _, statistic, threshold = spec.bind().observe_traced(column)
    assert np.isnan(statistic[:31]).all()
    rows = [[]]
    for x in column:
        rows[0].append([x])
        for i in range(len(rows)):
            if len(rows[i]) > spec.max_buckets:
                if i + 1 == len(rows):
                    rows.append([])
                rows[i + 1].append(rows[i][0] + rows[i][1])
                del rows[i][:2]
    held = [bucket for row in reversed(rows) for bucket in row]
    found, at, s = [], 0, spec.min_window_length
    for bucket in held[:-1]:
        at += len(bucket)
        if min(at, 32 - at) >= s:
            m = 1 / (at - s + 1) + 1 / (32 - at - s + 1)
            d = math.log(2 * math.log(32) / spec.delta)
            bound = math.sqrt(2 * m * np.var(column) * d) + 2 / 3 * m * d
            found.append((abs(column[:at].mean() - column[at:].mean()), bound))
    assert (statistic[31], threshold[31]) == pytest.approx(max(found, key=lambda f: f[0] / f[1]))


def test_kswin_tests_the_distance_of_the_samples_against_the_exact_quantile():
    spec = SMALL["KSWIN"]
    _, _, statistic, threshold = spec.bind(5).observe_traced(losses())
    far = next(g for g in range(1, 21) if twins.chance(20, g) <= spec.alpha and g / 20 > 0.1)
    assert np.isnan(statistic[:59]).all()
    assert set(threshold[~np.isnan(threshold)]) == {far / 20}
    assert set(np.round(statistic[59:][~np.isnan(statistic[59:])] * 20, 9)) <= set(range(21))


@pytest.fixture
def log():
    prediction = losses(400).astype(np.int32)
    return from_columns(Schema((), classes=("a", "b")), np.zeros(400, np.int32), prediction)


def test_detect_gives_the_trace_beside_the_same_alarms(log):
    traced = detect(log, "hddm_w", trace=True)
    plain = detect(log, "hddm_w")
    assert traced.alarms.alarms.tolist() == plain.alarms.tolist()
    assert traced.item.tolist() == list(range(400))
    assert len(traced) == len(traced.statistic) == len(traced.threshold) == 400
    windowed = detect(log, "page_hinkley(threshold=5)", Sliding(10), trace=True)
    assert windowed.detector == "page_hinkley(threshold=5) of sliding(10)"


class Own:
    """A detector with a statistic of its own."""

    def __init__(self, tells=True):
        self.tells = tells

    def bind(self, seed=0, window=None):
        made = Own(self.tells)
        made.last = 0.0
        return made

    def observe(self, loss):
        self.last = loss
        return 2 if loss > 0.5 else 0

    def observe_many(self, losses, stop=False):
        rows = [row for row, loss in enumerate(losses) if self.observe(loss) == 2]
        return len(losses), np.array(rows, np.int64), np.full(len(rows), 2, np.uint8)

    def reset(self):
        self.last = 0.0

    def clone(self, seed):
        return self.bind(seed)

    def last_test(self):
        return (self.last, 0.5) if self.tells else None


def test_a_detector_of_ones_own_tells_its_statistic_by_last_test(log):
    traced = detect(log, Own(), trace=True)
    assert traced.statistic.tolist() == losses(400).tolist()
    assert traced.alarms.alarms.tolist() == detect(log, Own()).alarms.tolist()


class Wrong(Own):
    """A detector whose state is none of the three."""

    def bind(self, seed=0, window=None):
        made = Wrong()
        made.last = 0.0
        return made

    def observe(self, loss):
        return 7


def test_a_state_that_is_none_of_the_three_is_refused(log):
    with pytest.raises(ParameterError, match="what observe returns must be 0, 1 or 2, got 7"):
        detect(log, Wrong(), trace=True)


def test_a_detector_that_does_not_tell_its_statistic_is_refused_in_one_sentence(log):
    with pytest.raises(ParameterError, match="last_test must return a statistic and a threshold"):
        detect(log, Own(tells=False), trace=True)
    drift = pytest.importorskip("river.drift")
    with pytest.raises(ParameterError) as caught:
        detect(log, drift.ADWIN(), trace=True)
    assert str(caught.value) == (
        "detect: trace must be False for river:ADWIN, which does not tell its statistic, "
        "got True; a detector of your own tells it by last_test()"
    )

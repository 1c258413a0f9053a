"""Alarms beside those of river and MOA, on the same losses with the same parameters.

river resets after every alarm, so our detectors are configured to reset too. Where a definition
differs, the twin with that difference equals theirs, and its docstring states the difference.
"""

from __future__ import annotations

import numpy as np
import pytest
from river import drift

from oracles import detectors as twins
from streamgauge import detectors
from streamgauge.detectors.external import adapt

ODD = 0.0123456789


def losses(seed: int, rows: int = 3000, kind: str = "binary") -> np.ndarray:
    rng = np.random.default_rng(seed)
    rates = np.repeat(rng.choice([0.05, 0.1, 0.3, 0.5, 0.8], 10), rows // 10)
    errors = (rng.random(len(rates)) < rates).astype(float)
    return errors if kind == "binary" else errors * 0.5 + rng.random(len(rates)) * rates * 0.5


def alarms(spec, column, seed=0):
    _, rows, kinds = spec.bind(seed).observe_many(column)
    return rows[kinds == 2].tolist()


def theirs(model, column):
    _, rows, kinds = adapt(model).observe_many(column)
    return rows[kinds == 2].tolist()


PAIRS = {
    "ADWIN": (detectors.ADWIN(after_alarm="reset"), drift.ADWIN()),
    "ADWIN every loss": (
        detectors.ADWIN(0.05, 1, 3, 7, 30, after_alarm="reset"),
        drift.ADWIN(delta=0.05, clock=1, max_buckets=3, min_window_length=7, grace_period=30),
    ),
    "DDM": (detectors.DDM(), drift.binary.DDM()),
    "DDM early": (
        detectors.DDM(1.5, 2.0, 10),
        drift.binary.DDM(warm_start=10, warning_threshold=1.5, drift_threshold=2.0),
    ),
    "EDDM": (detectors.EDDM(), drift.binary.EDDM()),
    "EDDM late": (
        detectors.EDDM(0.8, 0.75, 50),
        drift.binary.EDDM(warm_start=50, alpha=0.8, beta=0.75),
    ),
    "HDDMA": (detectors.HDDMA(), drift.binary.HDDMA()),
    "HDDMA two sides": (
        detectors.HDDMA(0.05, 0.01, two_sided_test=True),
        drift.binary.HDDMA(drift_confidence=0.01, warning_confidence=0.05, two_sided_test=True),
    ),
    "PageHinkley": (
        detectors.PageHinkley(0.005, 20 + ODD, after_alarm="reset"),
        drift.PageHinkley(min_instances=1, delta=0.005, threshold=20 + ODD, alpha=1.0, mode="up"),
    ),
    # as many older losses as are drawn: there is one draw only
    "KSWIN": (
        detectors.KSWIN(window_size=60, stat_size=30, after_alarm="reset"),
        drift.KSWIN(window_size=60, stat_size=30, seed=1),
    ),
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("seed", range(3))
def test_alarms_are_those_of_river(name, seed):
    spec, model = PAIRS[name]
    column = losses(seed, 600 if name == "KSWIN" else 3000)
    found = alarms(spec, column)
    assert found == theirs(model, column)


@pytest.mark.parametrize("name", ["ADWIN", "ADWIN every loss", "PageHinkley", "KSWIN"])
def test_alarms_on_real_losses_are_those_of_river(name):
    spec, model = PAIRS[name]
    column = losses(5, 600 if name == "KSWIN" else 3000, "real")
    found = alarms(spec, column)
    assert found == theirs(model, column)


def test_the_pairs_above_do_raise_alarms():
    for name, (spec, _) in PAIRS.items():
        assert any(alarms(spec, losses(seed)) for seed in range(3)), name


@pytest.mark.parametrize("seed", range(3))
def test_rivers_hddm_w_differs_by_the_weight_of_its_first_loss(seed):
    column = losses(seed, 250)
    found = theirs(drift.binary.HDDMW(two_sided_test=True), column)
    states = twins.hddm_w(column, 0.005, 0.001, 0.05, True, first_weight_is_1=False)
    assert found == [i for i, state in enumerate(states) if state == 2]


MOA = {
    "RDDM": (detectors.RDDM(), {}),
    "RDDM small": (
        detectors.RDDM(
            1.5, 2.0, 30, max_size_concept=400, min_size_stable_concept=100, warning_limit=60
        ),
        {
            "min_n_instances": 30,
            "warning_level": 1.5,
            "drift_level": 2.0,
            "max_size_concept": 400,
            "min_size_concept": 100,
            "warning_limit": 60,
        },
    ),
    "HDDMWeighted": (detectors.HDDMW(), {"test_type": "One-sided"}),
    "HDDMAverage": (detectors.HDDMA(), {"test_type": "One-sided"}),
}


@pytest.mark.capymoa
@pytest.mark.parametrize("name", MOA)
@pytest.mark.parametrize("seed", range(3))
def test_alarms_are_those_of_moa(name, seed):
    made = pytest.importorskip("capymoa.drift.detectors")
    spec, options = MOA[name]
    column = losses(seed, 20_000)
    found = alarms(spec, column)
    assert found
    assert found == theirs(getattr(made, name.split()[0])(**options), column)

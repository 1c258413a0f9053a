"""Saved detectors: whole they go on bit by bit, broken they are refused in a sentence."""

from __future__ import annotations

import random

import numpy as np
import pytest

from oracles.state_files import broken, refusal
from streamgauge import detectors
from streamgauge.windows import Fading, Sliding

SPECS = [
    (detectors.ADWIN(0.5), None),
    (detectors.DDM(), None),
    (detectors.DDM(), Fading(0.99)),
    (detectors.EDDM(), None),
    (detectors.HDDMA(), None),
    (detectors.HDDMW(), None),
    (detectors.KSWIN(), None),
    (detectors.KSWIN(window_size=20, stat_size=5), None),
    (detectors.PageHinkley(0.0, 5.0), Sliding(30)),
    (detectors.RDDM(), None),
    (
        detectors.RDDM(
            warm_start=5, max_size_concept=60, min_size_stable_concept=20, warning_limit=10
        ),
        None,
    ),
    (detectors.RandomAlarms(0.01), None),
    (detectors.PageHinkleyRatio(), None),
]
each = pytest.mark.parametrize(("spec", "window"), SPECS, ids=repr)


def bound(spec, window):
    return spec.bind(seed=3, window=window)


def losses(draw, count):
    chance = np.where(np.arange(count) // 150 % 2, 0.6, 0.1)
    return (draw.random(count) < chance).astype(float)


@each
def test_a_detector_goes_on_bit_by_bit_after_save_and_load(spec, window):
    seen = losses(np.random.default_rng(2), 1500)
    for at in (0, 1, 17, 149, 333, 1200):
        saved, other = bound(spec, window), bound(spec, window)
        saved.observe_many(seen[:at])
        other.load(saved.save())
        for mine, theirs in zip(
            other.observe_many(seen[at:]), saved.observe_many(seen[at:]), strict=True
        ):
            np.testing.assert_array_equal(mine, theirs)
        assert other.save() == saved.save()


@each
def test_a_broken_state_of_a_detector_is_refused_or_harmless(spec, window):
    draw, numbers = random.Random(repr(spec)), np.random.default_rng(1)
    refused = 0
    for _ in range(500):
        trained, other = bound(spec, window), bound(spec, window)
        trained.observe_many(losses(numbers, draw.randrange(1000)))
        before = other.save()
        error = refusal(other, broken(trained.save(), draw))
        if error is None:
            other.observe_many(losses(numbers, 500))
            assert other.memory() > 0
        else:
            refused += 1
            assert ": state must be" in error
            assert other.save() == before
    assert refused > 50


def test_a_detector_of_other_parameters_is_refused():
    with pytest.raises(ValueError, match=r"state must be that of kswin\(.*, got that of ddm\("):
        bound(detectors.KSWIN(), None).load(bound(detectors.DDM(), None).save())
    with pytest.raises(ValueError, match="state must be that of"):
        bound(detectors.DDM(warm_start=40), None).load(bound(detectors.DDM(), None).save())

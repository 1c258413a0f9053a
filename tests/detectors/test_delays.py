"""How long detectors take on an abrupt drift at 32k: the orders of Gama and others (2013)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import streamgauge as sg
from oracles.detectors import delays
from streamgauge import detectors, streams

DRIFT = 32_000
FACTORS = (0.997, 0.9985, 0.999, 0.9993, 0.9994)
SIZES = (1000, 2000, 3000, 4000, 5000)
TEST = detectors.PageHinkley(delta=0.1, threshold=100.0)


def delay(log, detector, window=None):
    """Losses are counted from 1 here, so that the last of the old concept is number DRIFT."""
    return delays((sg.detect(log, detector, window).alarms + 1).tolist(), DRIFT)


@pytest.fixture(scope="module")
def logs():
    concepts = [
        (streams.RandomRBF(centroids=8, model_seed=i), streams.RandomRBF(centroids=8, model_seed=j))
        for i, j in ((1, 2), (3, 4), (5, 6))
    ]
    concepts.append((streams.RandomTree(model_seed=1), streams.RandomTree(model_seed=2)))
    return [
        sg.run(
            streams.concatenate(streams.take(a, DRIFT), streams.take(b, DRIFT), drift=True),
            sg.learners.NaiveBayes(),
            seed=seed,
        )
        for seed, (a, b) in enumerate(concepts)
    ]


def test_smaller_fading_factors_and_windows_detect_sooner_and_raise_no_false_alarm(logs):
    for log in logs:
        for windows in (map(sg.Fading, FACTORS), map(sg.Sliding, SIZES)):
            found = [delay(log, TEST, window) for window in windows]
            assert [false for false, _ in found] == [0] * 5
            assert all(a < b for a, b in pairwise(first for _, first in found)), found


def test_fading_factors_detect_sooner_than_windows_of_like_memory(logs):
    for log in logs:
        for factor, size in zip(FACTORS, SIZES, strict=True):
            assert delay(log, TEST, sg.Fading(factor))[1] < delay(log, TEST, sg.Sliding(size))[1]


def test_the_whole_stream_misses_or_is_slowest(logs):
    missed = 0
    for log in logs:
        false, whole = delay(log, TEST, sg.Whole())
        assert false == 0
        missed += whole is None
        assert whole is None or whole > delay(log, TEST, sg.Sliding(SIZES[-1]))[1]
    assert missed >= 2


def test_the_ratio_is_an_order_of_magnitude_faster(logs):
    """Thousands of items become hundreds; the larger the difference of the estimates, the fewer."""
    for log in logs:
        ratios = [
            delay(log, detectors.PageHinkleyRatio(sg.Fading(FACTORS[0]), sg.Fading(factor)))[1]
            for factor in FACTORS[2:]
        ]
        assert all(a > b for a, b in pairwise(ratios)), ratios
        assert ratios[-1] < 1000 < delay(log, TEST, sg.Fading(FACTORS[-1]))[1]
    single, double = [], []
    for log in logs[:3]:  # the learner is good at the old concept, as the paper's tree is
        single.append(delay(log, TEST, sg.Fading(FACTORS[-1]))[1])
        ratio = detectors.PageHinkleyRatio(sg.Fading(FACTORS[0]), sg.Fading(FACTORS[-1]))
        double.append(delay(log, ratio)[1])
    assert np.mean(single) > 10 * np.mean(double)


def test_the_ratio_of_windows_is_as_fast(logs):
    for log in logs:
        _, first = delay(
            log, detectors.PageHinkleyRatio(sg.Sliding(SIZES[0]), sg.Sliding(SIZES[2]))
        )
        assert first < 1000 < delay(log, TEST, sg.Sliding(SIZES[2]))[1]

"""The accuracy of a majority class learner that is reset at random: formula and runs."""

from __future__ import annotations

import math

import numpy as np
import pytest

import streamgauge as sg
from report.example_logs import sticky
from streamgauge.report.findings.resets_on_dependent_labels import reset_accuracy

N = 20_000
LABELS = sticky(N, 0.85)
REPEATED = float((LABELS[1:] == LABELS[:-1]).mean())
BY_CHANCE = float(((np.bincount(LABELS) / N) ** 2).sum())


def accuracy_of_a_run(p: float) -> float:
    stream = sg.streams.from_arrays(np.zeros((N, 1)), LABELS)
    detector = sg.detectors.RandomAlarms(p=p, warm_start=0)
    learner = sg.learners.Resetting(sg.learners.MajorityClass(), detector)
    return sg.measure(sg.run(stream, learner), "accuracy").final


def test_a_learner_that_is_reset_at_each_item_repeats_the_last_label():
    assert reset_accuracy(REPEATED, BY_CHANCE, 1.0) == REPEATED
    assert accuracy_of_a_run(1.0) == pytest.approx(REPEATED, abs=2 / N)


def test_frequent_resets_at_random_have_the_accuracy_of_the_formula():
    expected = reset_accuracy(REPEATED, BY_CHANCE, 0.5)
    assert accuracy_of_a_run(0.5) == pytest.approx(expected, abs=2 / math.sqrt(N))


def test_the_formula_does_not_promise_more_than_a_run_reaches():
    for p in (0.1, 0.02):
        expected = reset_accuracy(REPEATED, BY_CHANCE, p)
        assert BY_CHANCE < expected < accuracy_of_a_run(p) + 1 / math.sqrt(N)


def test_the_formula_is_between_chance_and_repeating_and_grows_with_the_rate():
    values = [reset_accuracy(0.8, 0.55, q) for q in (1e-6, 1e-3, 0.01, 0.1, 0.5, 0.999, 1.0)]
    assert values == sorted(values)
    assert 0.55 < values[0] < 0.5501
    assert values[-2] == pytest.approx(0.8, abs=1e-3)

"""Traps of older tools: what they print for these alarms is wrong, what is right is checked."""

from __future__ import annotations

import math

import numpy as np
import pytest

from streamgauge.alarm_measures import (
    DCR,
    F1,
    FDR,
    MTFA,
    MTR,
    BifetMTR,
    FalseAlarmRate,
    FalseAlarms,
    FDPMatched,
    MeanDelay,
    MTFAExposure,
    Precision,
    Recall,
    RestrictedMeanDelay,
    match_alarms,
)
from streamgauge.errors import ParameterError
from streamgauge.types import Drift

TWO = [Drift(1000, 1000, 1000), Drift(3000, 3000, 3000)]


def test_repeated_alarms_do_not_raise_recall():
    """CapyMOA: 0.91."""
    ten = match_alarms(np.arange(1010, 1110, 10), TWO, 5000, 500)
    one = match_alarms([1010], TWO, 5000, 500)
    assert Recall().value(ten) == Recall().value(one) == DCR().value(ten) == 0.5
    assert Precision().value(ten) == pytest.approx(0.1)
    assert Precision("ignore").value(ten) == 1.0


def test_forty_false_alarms_on_a_stationary_stream_count():
    """CapyMOA: no false positive, rate 0."""
    forty = match_alarms(np.arange(100, 4100, 100), [], 5000, 500)
    assert FalseAlarms().value(forty) == 40
    assert FalseAlarmRate().value(forty) == pytest.approx(8.0)
    assert FDR().value(forty) == FDPMatched().value(forty) == 1.0
    assert MTFAExposure().value(forty) == 125.0
    assert MTFA().value(forty) == 100.0
    assert Precision().value(forty) == F1().value(forty) == 0.0
    assert math.isnan(Recall().value(forty))


def test_alarms_after_the_last_window_count():
    """CapyMOA: 35 false alarms gave no false positive and F1 = 1."""
    alarms = [1010, 3010, *range(3600, 4300, 20)]
    found = match_alarms(alarms, TWO, 5000, 500)
    assert FalseAlarms().value(found) == 35
    assert Recall().value(found) == 1.0
    assert F1().value(found) == pytest.approx(4 / 39)


def test_the_mean_time_ratio_of_a_perfect_detector_is_infinite():
    """Lukats: NaN."""
    perfect = match_alarms([1000, 3000], TWO, 5000, 500)
    assert MTR().value(perfect) == BifetMTR().value(perfect) == math.inf
    late = match_alarms([1010, 3010], TWO, 5000, 500)  # no false alarm, but a delay
    assert MTR().value(late) == 5000 / 10
    assert BifetMTR().value(late) == math.inf


def test_the_mean_time_ratio_is_zero_if_nothing_is_detected_and_undefined_without_drifts():
    silent = match_alarms([], TWO, 5000, 500)
    assert MTR().value(silent) == BifetMTR().value(silent) == 0.0
    stationary = match_alarms([], [], 5000, 500)
    assert math.isnan(MTR().value(stationary))
    assert math.isnan(BifetMTR().value(stationary))


def test_missed_drifts_do_not_lower_the_mean_delay():
    """MOA divides by all drifts: 50."""
    one = match_alarms([1100], TWO, 5000, 500)
    assert MeanDelay().value(one) == 100
    assert RestrictedMeanDelay().value(one) == (100 + 501) / 2
    assert MeanDelay(until_next=True).value(one) == (100 + 2000) / 2
    assert math.isnan(MeanDelay().value(match_alarms([], TWO, 5000, 500)))


def test_the_window_is_closed_on_both_sides():
    """float: half-open."""
    for alarm, detected in ((999, 0.0), (1000, 0.5), (1500, 0.5), (1501, 0.0)):
        assert DCR().value(match_alarms([alarm], TWO, 5000, 500)) == detected, alarm


def test_a_window_of_no_tolerance_has_one_item():
    assert DCR().value(match_alarms([1000, 3001], TWO, 5000, 0)) == 0.5


def test_the_window_of_a_gradual_drift_runs_from_its_start_to_its_end():
    gradual = [Drift(1000, 1200, 1400, "gradual")]
    assert MeanDelay().value(match_alarms([1900], gradual, 5000, 500)) == 900
    assert FalseAlarms().value(match_alarms([1901], gradual, 5000, 500)) == 1


def test_an_alarm_in_two_windows_is_counted_once_by_the_false_discovery_rate():
    """Eq. 5 as printed gives -1."""
    close = [Drift(100, 100, 100), Drift(110, 110, 110)]
    found = match_alarms([115], close, 500, 50)
    assert FDR().value(found) == 0.0
    assert DCR().value(found) == 1.0
    assert DCR(exclusive=True).value(found) == Recall().value(found) == 0.5


def test_no_alarms_minimise_the_false_discovery_rate_and_maximise_the_time_between_them():
    silent = match_alarms([], TWO, 5000, 500)
    assert FDR().value(silent) == 0.0
    assert MTFA().value(silent) == 5000.0
    assert MTFAExposure().value(silent) == math.inf
    assert MTFAExposure("censored").value(silent) == 5000 - 2 * 501
    assert math.isnan(FDPMatched().value(silent))
    assert math.isnan(Precision().value(silent))


def test_alarms_at_the_start_count():
    """float ignores the first 100 items in the numerator."""
    assert FalseAlarms().value(match_alarms([5, 50], TWO, 5000, 500)) == 2


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"tolerance": -1}, "match_alarms: tolerance must be at least 0, got -1"),
        ({"items": -1, "alarms": []}, "match_alarms: items must be at least 0, got -1"),
        (
            {"alarms": [10, 500]},
            "match_alarms: alarms must be items from 0 to 499, the last of the stream, got 500",
        ),
        ({"alarms": [0.5]}, "match_alarms: alarms must be item numbers, got [0.5]"),
        (
            {"drifts": [Drift(500, 500, 500)]},
            "match_alarms: drifts must be inside the stream of 500 items, got Drift(start=500, "
            "centre=500, end=500, kind='abrupt')",
        ),
    ],
)
def test_a_wrong_parameter_is_named(given, sentence):
    base = {"alarms": [3], "drifts": [], "items": 500, "tolerance": 5}
    with pytest.raises(ParameterError) as caught:
        match_alarms(**(base | given))
    assert str(caught.value) == sentence


def test_a_drift_that_is_known_twice_counts_once():
    twice = [Drift(100, 100, 100), Drift(100, 105, 110), Drift(200, 200, 200)]
    found = match_alarms([105, 106], twice, items=300, tolerance=20)
    assert [drift.start for drift in found.drifts] == [100, 200]
    assert found.last.tolist() == [130, 220]
    assert (found.found.tolist(), found.repeated) == ([True, False], 1)
    assert Recall().value(found) == 0.5

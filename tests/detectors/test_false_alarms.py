"""False alarms raise accuracy on Electricity, as the experiment in examples/ shows."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.names import make

SPEC = Path(__file__).parents[2] / "examples" / "false_alarms.toml"


@pytest.mark.data
def test_resets_at_random_beat_a_detector_and_none_beats_the_last_label():
    spec = tomllib.loads(SPEC.read_text(encoding="utf-8"))
    stream = make("stream", spec["streams"][0])
    accuracy, alarms = {}, {}
    for text in spec["learners"]:
        log = sg.run(stream, make("learner", text), seed=spec["seed"])
        accuracy[text] = sg.measure(log, "accuracy").final
        alarms[text] = len(log.alarms().alarms)
    plain, reset = accuracy["naive_bayes"], accuracy["resetting(naive_bayes, ddm)"]
    often = "resetting(naive_bayes, random_alarms(p=1.0))"
    assert plain + 0.05 < reset < accuracy[often] < accuracy["persistent"]
    for p in ("0.001", "0.01", "0.1", "1.0"):  # forgetting helps, for no reason at all
        random = accuracy[f"resetting(naive_bayes, random_alarms(p={p}))"]
        assert plain < random < accuracy["persistent"]
        assert p == "0.001" or random > reset
    assert alarms[often] == stream.length // 30

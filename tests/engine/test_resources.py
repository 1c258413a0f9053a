"""What a run reports of its own cost."""

from __future__ import annotations

import time

import numpy as np
import psutil

import streamgauge as sg


def test_seconds_and_bytes_are_those_of_the_run():
    stream = sg.streams.from_arrays(np.zeros((500, 2)), np.arange(500) % 2)
    began, cpu = time.perf_counter(), time.process_time()
    log = sg.run(stream, sg.learners.NaiveBayes())
    found = log.resources
    assert found["items"] == 500
    assert 0 < found["seconds"] <= time.perf_counter() - began
    assert 0 <= found["cpu_seconds"] <= time.process_time() - cpu
    assert 0 < found["learner_bytes"] < 1e6
    assert 1e6 < found["resident_bytes"] <= 2 * psutil.Process().memory_info().rss

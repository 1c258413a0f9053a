"""Folds share a label: curves of late labels count labels, not pairs."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.late import compare_bins
from streamgauge.protocols import Delayed, Reevaluating


@pytest.mark.parametrize("every", [1, 3, 7])
def test_the_places_of_a_curve_count_distinct_labels(every):
    rng = np.random.default_rng(0)
    n = 60
    late = rng.integers(0, 9, n)
    stream = sg.streams.from_arrays(
        rng.random((n, 2)), rng.integers(0, 2, n), time=np.arange(n), label_time=np.arange(n) + late
    )
    log = sg.run(stream, sg.learners.NaiveBayes(), Delayed(folds=3, split="split"))
    pairs = [item for batch in log.labelled_predictions() for item in batch.items.tolist()]
    seen, places = 0, []
    for row, item in enumerate(pairs):
        seen += row == 0 or item != pairs[row - 1]
        places.append(seen)
    curve = sg.measure(log, "accuracy", every=every)
    assert curve.axis == "labels"
    due = [i for i in range(len(pairs)) if (i + 1) % every == 0]
    assert curve.at.tolist()[: len(due)] == [places[i] for i in due]
    assert seen == n < len(pairs)


def test_bins_are_compared_at_the_first_the_middle_nine_tenths_and_the_last():
    stream = sg.streams.delay(sg.streams.take(sg.streams.SEA(), 600), 60)
    logs = [
        sg.run(stream, learner, Reevaluating(every=10))
        for learner in (sg.learners.NaiveBayes(), sg.learners.MajorityClass())
    ]
    assert list(compare_bins(*logs, n_bins=20)) == [0, 10, 18, 21]
    assert list(compare_bins(*logs)) == [0, 25, 45, 51]

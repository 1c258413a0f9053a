"""What a report shows where there is nothing to compare."""

from __future__ import annotations

import numpy as np

import streamgauge as sg
from streamgauge.log import from_columns
from streamgauge.report import build
from streamgauge.report.stream_results import count_log
from streamgauge.types import NONE, Schema


def test_one_learner_has_no_verdicts():
    stream = sg.streams.take(sg.streams.SEA(), 400)
    page = build([sg.run(stream, sg.learners.NaiveBayes())])
    (section,) = page.sections
    assert section.verdicts.rows == ()
    assert not section.verdicts_note


def test_one_class_is_found_only_where_one_class_has_labels():
    for labels, expected in (([0] * 50, True), ([0] * 49 + [1], False)):
        stream = sg.streams.from_arrays(np.zeros((50, 1)), np.array(labels), classes=[0, 1])
        page = build([sg.run(stream, sg.learners.NaiveBayes())])
        assert ("one_class" in {f.rule for f in page.findings}) is expected


def test_a_log_is_counted_as_its_rows_are() -> None:
    label = np.array([0, 2, 2, 1, 2, 2], np.int32)
    prediction = np.array([0, 2, 1, NONE, 1, 1], np.int32)
    counts = count_log(from_columns(Schema((), classes=("a", "b", "c")), label, prediction))
    assert counts.labels.tolist() == [1, 1, 4]
    assert counts.predictions.tolist() == [1, 3, 1]
    assert (counts.known, counts.covered, counts.repeats) == (6, 5, 2)

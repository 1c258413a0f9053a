"""What a report shows where there is nothing to compare."""

from __future__ import annotations

import numpy as np

import streamgauge as sg
from streamgauge.report import build


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

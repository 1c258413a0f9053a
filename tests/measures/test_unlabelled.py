"""A stream without labels or without items: every measure of it is NaN."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.measures._compute import matrix
from streamgauge.names import make
from streamgauge.protocols import Delayed, Prequential, Reevaluating
from streamgauge.types import EvaluationProtocol, Stream

WINDOWS = {"sliding": "sliding(3)", "tumbling": "tumbling(3)", "fading": "fading(0.9)"}
PAIRS = [(name, kind) for name, able in matrix().items() for kind, yes in able.items() if yes]


def unlabelled(rows: int, task: str) -> Stream:
    return sg.streams.from_arrays(np.zeros((rows, 1)), np.full(rows, np.nan), task=task)


@pytest.mark.parametrize("rows", [0, 4])
@pytest.mark.parametrize(("name", "kind"), PAIRS)
def test_a_measure_of_no_label_is_nan(rows: int, name: str, kind: str) -> None:
    task = make("measure", name).task
    learner = make("learner", "persistent" if task == "classification" else "last_value")
    log = sg.run(unlabelled(rows, task), learner, Prequential(), scores=name in ("auc", "brier"))
    window = WINDOWS.get(kind, kind if kind == "whole" else "ewma(0.1)")
    assert np.isnan(sg.measure(log, name, window).final)


@pytest.mark.parametrize("rows", [0, 4])
@pytest.mark.parametrize("protocol", [Prequential(), Delayed(), Reevaluating()])
def test_every_reader_of_logs_accepts_one_without_labels(
    rows: int, protocol: EvaluationProtocol
) -> None:
    log = sg.run(unlabelled(rows, "classification"), sg.learners.NaiveBayes(), protocol)
    assert np.isnan(sg.measure(log, "accuracy").final)
    assert len(sg.detect(log, "ddm").alarms) == 0
    assert sg.compare(log, log).winner is None
    if isinstance(protocol, Reevaluating):
        for binning in ("longest", "grzenda"):
            assert np.isnan(sg.late.bins(log, binning=binning).final).all()
        assert not sg.late.costs(log).repeated.any()
        assert len(sg.late.item_changes(log).item) == 0
        assert np.isnan(sg.late.change_summary(log).mean_changes)

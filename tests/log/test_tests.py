"""Curves of a holdout: one point per test."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.errors import TimetableError
from streamgauge.log import one_fold, read_log
from streamgauge.protocols import Holdout, Interleaved, KFold, PeriodicHoldout

STREAM = sg.streams.SEA(items=1000, seed=3)


def recounted(log):
    """Accuracy of each test: rows of a fold in the order of the log, in blocks of the test set."""
    label = {}
    for rows in log.labels():
        label |= dict(zip(rows.item.tolist(), rows.label.tolist(), strict=True))
    found = {}
    for rows in log.predictions():
        for item, fold, prediction in zip(
            rows.item.tolist(), rows.fold.tolist(), rows.prediction.tolist(), strict=True
        ):
            found.setdefault(fold, []).append(prediction == label[item])
    size = int(log.about["test_set"])
    return {
        fold: [sum(hits[i : i + size]) / size for i in range(0, len(hits), size)]
        for fold, hits in found.items()
    }


PROTOCOLS = [
    Holdout(50, 100),
    PeriodicHoldout(50, 100, 7),
    PeriodicHoldout(20, 30, 2, folds=3, split="bootstrap"),
]


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=repr)
def test_a_curve_of_a_holdout_has_one_point_per_test(protocol, tmp_path):
    log = sg.run(STREAM, sg.learners.NaiveBayes(), protocol, folder=tmp_path / "log")
    tests = (1000 - protocol.size) // protocol.every
    at = [protocol.size + (j + 1) * protocol.every for j in range(tests)]
    for read in (log, read_log(tmp_path / "log")):
        expected = recounted(read)
        for fold in range(protocol.folds):
            curve = sg.measure(read, "accuracy", fold=fold)
            assert curve.at.tolist() == at
            np.testing.assert_allclose(curve.value, expected[fold], rtol=1e-12)
        both = sg.measure(read, "accuracy")
        np.testing.assert_allclose(both.value, np.mean(list(expected.values()), axis=0))


def test_the_whole_log_of_a_holdout_counts_every_test():
    log = sg.run(STREAM, sg.learners.NaiveBayes(), Holdout(50, 100))
    [expected] = recounted(log).values()
    whole = sg.measure(log, "accuracy", "whole")
    assert whole.final == pytest.approx(np.mean(expected))
    assert sg.measure(log, "accuracy", "whole", clock="predicted").final == whole.final


def test_an_independent_stream_may_be_put_in_front():
    test, more = (sg.streams.take(sg.streams.SEA(noise=0.0), n) for n in (500, 3000))
    tree = sg.learners.HoeffdingTree()
    known = sg.run(sg.streams.concatenate(test, more), tree, Holdout(500, 1000))
    assert sg.measure(known, "accuracy").value[-1] > 0.9
    assert len(sg.measure(known, "accuracy").value) == 3
    labelled = {int(i) for rows in known.training() for i in rows.item}
    assert min(labelled) == 500


def test_the_tests_of_interleaved_are_blocks():
    log = sg.run(STREAM, sg.learners.NaiveBayes(), Interleaved(train=70, test=30))
    curve = sg.measure(log, "accuracy", "tumbling(30)")
    assert curve.at.tolist() == list(range(100, 1001, 100))


@pytest.mark.parametrize(
    ("protocol", "words"),
    [
        (Holdout(1000, 10), r"Holdout: size must be below the number of labelled items, got 1,000"),
        (
            PeriodicHoldout(500, 501),
            r"PeriodicHoldout: every must be at most .*, got 501 and a stream with 500",
        ),
        (Interleaved(train=1000), r"Interleaved: train must be below the number of items"),
        (
            KFold(1001),
            r"KFold: folds must be at most the number of items, got 1,001 folds and 1,000",
        ),
    ],
)
def test_a_run_that_never_tests_is_refused_in_one_sentence(protocol, words):
    with pytest.raises(TimetableError, match=words):
        sg.run(STREAM, sg.learners.NaiveBayes(), protocol)


def test_two_learners_are_compared_by_their_last_test():
    runs = [sg.run(STREAM, one, Holdout(50, 100)) for one in ("naive_bayes", "majority_class")]
    verdict = sg.compare(*runs)
    losses = [1 - next(iter(recounted(log).values()))[-1] for log in runs]
    assert (verdict.loss_a, verdict.loss_b) == pytest.approx(losses)
    assert verdict.counted == 50
    assert "last test" in verdict.to_text()


def test_one_fold_of_a_holdout_has_its_tests():
    log = sg.run(STREAM, sg.learners.NaiveBayes(), Holdout(50, 100, folds=2))
    ones = [sg.measure(one_fold(log, fold), "accuracy").final for fold in (0, 1)]
    assert ones == [sg.measure(log, "accuracy", fold=fold).final for fold in (0, 1)]

"""Does the delay of labels depend on the class?"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import streamgauge as sg
from oracles import verdicts
from report.example_logs import a_late_log, independent, predictions
from streamgauge.log import lateness as late_module
from streamgauge.log.lateness import delays, lateness, lateness_in, lateness_of

N = 3000
COIN = independent(N)
RNG = np.random.default_rng(5)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 6)), min_size=2, max_size=60),
)
def test_each_class_against_the_others_equals_the_test_of_scipy(rows):
    label, late = np.array(rows).T
    seen = lateness_of("abc", label.astype(np.int32), late)
    for c in range(3):
        mine, others = late[label == c], late[label != c]
        if not len(mine) or not len(others):
            assert np.isnan(seen.later[c])
            continue
        there = stats.mannwhitneyu(mine, others, use_continuity=False, method="asymptotic")
        assert seen.later[c] == pytest.approx(there.statistic / len(mine) / len(others))
        assert seen.middle[c] == np.median(mine)
        assert seen.others[c] == np.median(others)
        if len(set(late.tolist())) > 1:
            shares = (label == c) - len(mine) / len(label)
            ranks = (stats.rankdata(late) - (len(late) + 1) / 2) / len(late)
            _, effective, _ = verdicts.spread(shares * ranks)
            worth = min(1.0, effective / len(label))  # labels and delays may come in runs
            z = stats.norm.isf(there.pvalue / 2) * np.sqrt(worth)
            assert seen.p[c] == pytest.approx(min(1.0, 6 * stats.norm.sf(z)), rel=1e-6)


def test_a_late_class_is_named_and_equal_delays_are_not():
    delays = RNG.integers(0, 100, N)
    guilty = a_late_log(COIN, COIN, delays + 80 * (COIN == 1))
    seen = lateness(guilty)
    assert seen.dependent.all()
    assert seen.to_text().startswith(
        "Labels of class b arrive later than others: the median delay is 12"
    )
    assert lateness(a_late_log(COIN, COIN, delays)).to_text() == ""
    assert not lateness(a_late_log(COIN, COIN, delays)).dependent.any()


def test_labels_in_order_and_reals_are_not_tested():
    assert lateness(a_late_log(COIN, COIN, np.full(N, 7))) is None
    real = sg.run(sg.streams.Friedman(items=100), sg.learners.TargetMean())
    assert lateness(real) is None
    assert lateness(sg.run(sg.streams.SEA(items=100), sg.learners.NaiveBayes())) is None


class OwnProtocol:
    """Delayed without a declared order of events."""

    folds = 1

    def timetable(self, arrivals, seed=0):
        return sg.protocols.Delayed().timetable(arrivals, seed)


@pytest.mark.parametrize("delay", [0, 7])
@pytest.mark.parametrize(
    "protocol",
    [
        OwnProtocol(),
        sg.protocols.Delayed(),
        sg.protocols.Reevaluating(),
        sg.protocols.Prequential(ignore_delays=True),
        sg.protocols.Chunks(20, ignore_delays=True),
    ],
)
def test_delays_are_those_of_the_times_whatever_the_protocol_declares(protocol, delay):
    stream = sg.streams.delay(sg.streams.SEA(items=100), delay)
    log = sg.run(stream, sg.learners.NaiveBayes(), protocol)
    ignored = isinstance(protocol, sg.protocols.Prequential | sg.protocols.Chunks)
    assert delays(log).tolist() == ([] if ignored or not delay else [delay] * 100)
    found = any("Labels are delayed" in f.sentence for f in sg.report.build([log]).findings)
    assert found == bool(delay and not ignored)


def test_few_labels_of_a_class_give_no_result():
    label = np.zeros(500, np.int32)
    label[:29] = 1
    late = np.where(label == 1, 90, RNG.integers(0, 50, 500))
    assert not lateness_of("ab", label, late).dependent.any()
    none = lateness_of("ab", np.empty(0, np.int32), np.empty(0, np.int64))
    assert none.to_text() == ""


def test_a_sample_of_many_labels_gives_the_same_result(monkeypatch):
    delays = RNG.integers(0, 100, N) + 80 * (COIN == 1)
    log = a_late_log(COIN, COIN, delays)
    whole = lateness(log)
    monkeypatch.setattr(late_module, "MOST", 500)
    some = lateness(log)
    assert 300 < some.counts.sum() < 800 < whole.counts.sum()
    assert some.later == pytest.approx(whole.later, abs=0.05)


def test_a_class_with_shorter_delays_is_over_represented():
    classes = tuple("abcdefghijklmnopqrst")  # the others differ little
    label = RNG.integers(0, len(classes), N).astype(np.int32)
    delays = np.where(label == 3, 1, RNG.integers(50, 100, N))
    time = np.arange(N)
    x = RNG.normal(size=(N, 1))
    stream = sg.streams.from_arrays(
        x, np.array(classes)[label], classes=classes, time=time, label_time=time + delays
    )
    log = sg.run(stream, sg.learners.MajorityClass(), sg.protocols.Delayed())
    assert "class d arrive sooner than others" in lateness(log).to_text()
    for findings in (sg.diagnose(stream, {}).findings, sg.report.build([log]).findings):
        (found,) = [f.sentence for f in findings if f.rule == "class_dependent_delay"]
        assert found.endswith(
            "that class is over-represented until the labels of the others arrive."
        )
    longer = lateness(a_late_log(COIN, COIN, RNG.integers(0, 100, N) + 80 * (COIN == 1)))
    assert longer.consequence == "that class is under-represented until its labels arrive"


def test_a_verdict_and_a_diagnosis_state_it_too():
    delays = RNG.integers(0, 100, N) + 200 * (COIN == 1)
    logs = [
        a_late_log(COIN, predictions(COIN, p, s), delays, str(s)) for s, p in ((1, 0.9), (2, 0.7))
    ]
    verdict = sg.compare(*logs)
    assert "arrive later than others" in verdict.to_text()
    assert "in the order labels became known" in verdict.notes[-1]
    three = {str(i): log for i, log in enumerate([*logs, logs[0]])}
    assert sg.comparisons.compare_all(three).to_text().count("arrive later than others") == 1
    time = np.arange(N)
    x = RNG.normal(size=(N, 1))
    stream = sg.streams.from_arrays(x, COIN, time=time, label_time=time + delays)
    made = {s.rule: s for s in sg.diagnose(stream, {}).findings}
    assert made["class_dependent_delay"].severity == "warning"
    at_once = sg.streams.from_arrays(x, COIN)
    assert "class_dependent_delay" not in {s.rule for s in sg.diagnose(at_once, {}).findings}
    assert lateness_in(at_once.schema, at_once.batches()) is None


def test_delays_in_microseconds_are_printed_in_hours_and_days():
    late = np.where(COIN == 1, 3 * 86_400_000_000, 5_400_000_000)
    words = lateness_of(("soon", "late"), COIN, late, "us").to_text()
    assert "the median delay is 3 days, that of the others 1.5 hours" in words


def test_delays_are_those_of_the_log_if_labels_are_late_or_predictions_repeated():
    late = np.array([9, 0, 5, 7, 1, 1, 0, 3])
    assert sorted(delays(a_late_log(COIN[:8], COIN[:8], late)).tolist()) == sorted(late)
    stream = sg.streams.delay(sg.streams.SEA(items=50), 6)
    again = sg.run(stream, sg.learners.NaiveBayes(), sg.protocols.Reevaluating(every=2))
    assert delays(again).tolist() == [6] * 50

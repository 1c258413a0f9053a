"""Drift performance deterioration and drift restoration time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from oracles import adaptation as twin
from samples.examples import examples
from streamgauge.errors import LogError, ParameterError
from streamgauge.log import from_columns
from streamgauge.properties import adaptation, deterioration, restoration
from streamgauge.types import Drift, Schema

CLASSES = Schema((), classes=("no", "yes"))
LOSSES = st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.5, 1.0, math.nan, 1e280, -1e280])


def log_of(wrong, drifts=(), seed="0", first=0):
    """A log whose prediction of each item is wrong where the flag says so."""
    wrong = np.asarray(wrong, bool)
    known = tuple(Drift(d, d, d) for d in drifts)
    schema = Schema((), classes=("no", "yes"), drifts=known)
    label = np.zeros(len(wrong), np.int32)
    about = {"seed": seed, "stream": "made", "learner": "mine"}
    return from_columns(schema, label, wrong.astype(np.int32), about=about)


def same(a, b, scale=1.0):
    return (math.isnan(a) and math.isnan(b)) or a == pytest.approx(b, rel=1e-9, abs=1e-12 * scale)


@given(
    losses=st.lists(LOSSES, max_size=12),
    d=st.integers(0, 14),
    w=st.integers(1, 6),
    partial=st.booleans(),
    score=st.booleans(),
    stop=st.none() | st.integers(0, 14),
)
@settings(max_examples=examples(150), deadline=None)
def test_values_of_steps_agree_with_the_slow_definitions(losses, d, w, partial, score, stop):
    found = deterioration(losses, d, w, partial=partial)
    assert same(found, twin.dpd(losses, d, w, partial), max([1.0, *map(abs, losses)]))
    better = "high" if score else "low"
    found = restoration(losses, d, w, better=better, stop=stop)
    assert same(found, twin.drt(losses, d, w, score, stop))


@given(
    wrong=st.lists(st.booleans(), min_size=1, max_size=60),
    d=st.integers(0, 59),
    batch=st.integers(2, 4),
    steps=st.integers(1, 4),
)
@settings(max_examples=examples(60), deadline=None)
def test_a_log_agrees_with_the_slow_definitions_over_batches(wrong, d, batch, steps):
    d = min(d, len(wrong) - 1)
    row = adaptation(log_of(wrong, [d]), "error", steps * batch, batch=batch).drifts[0]
    at, losses = twin.steps(wrong, d, batch)
    assert same(row.dpd, twin.dpd(losses, at, steps))
    assert same(row.steps, twin.drt(losses, at, steps))
    assert same(row.drt, row.steps * batch)
    score = adaptation(log_of(wrong, [d]), "accuracy", steps * batch, batch=batch).drifts[0]
    assert same(score.dpd, -row.dpd)
    assert same(score.drt, row.drt)


@given(
    wrong=st.lists(st.booleans(), min_size=12, max_size=60),
    d=st.integers(0, 59),
    parts=st.integers(1, 3),
    every=st.integers(1, 2),
    steps=st.integers(1, 3),
)
@settings(max_examples=examples(60), deadline=None)
def test_overlapping_steps_agree_with_the_slow_definition(wrong, d, parts, every, steps):
    d, batch = min(d, len(wrong) - 1), max(2, parts * every)
    batch += batch % every
    w = steps * batch
    row = adaptation(log_of(wrong, [d]), "error", w, batch=batch, every=every).drifts[0]
    before, after = twin.overlapping(wrong, d, batch, every, w)
    count = (w - batch) // every + 1
    if len(before) < count:
        assert math.isnan(row.drt)
        assert math.isnan(row.dpd)
        return
    assert same(row.steps, twin.drt(before + after, len(before), len(before)))
    assert same(row.dpd, twin.dpd(before + after, len(before), count))


def test_two_drifts_restored_after_1_and_20_steps_give_a_mean_of_10_5():
    # c-15 (ii): a running mean that stops early when it does not change gives 1.0
    series = [0.2] * 10 + [0.6] + [0.2] * 29 + [0.6] * 20 + [0.2] * 10
    times = [restoration(series, 10, 5), restoration(series, 40, 5)]
    assert times == [1.0, 20.0]
    assert np.mean(times) == 10.5
    wrong = np.concatenate([np.arange(10) < 10 * loss - 1e-9 for loss in series])
    found = adaptation(log_of(wrong, [100, 400]), "error", 50, batch=10)
    assert [row.steps for row in found.drifts] == [1.0, 20.0]
    assert found.drt.mean == 105.0
    assert (found.restored, found.defined) == (2, 2)


def test_an_alternating_loss_deteriorates_by_0_400_not_by_partial_windows():
    # c-15: means over the partial windows met on the way give another number
    series = [0.4, 0.0] * 5 + [0.8, 0.4] * 5
    partial = [twin.dpd(series, 10, w) for w in range(1, 11)]
    assert deterioration(series, 10, 10) == pytest.approx(0.4, abs=1e-12)
    assert np.mean(partial) == pytest.approx(0.471, abs=1e-3)
    wrong = np.concatenate([np.arange(10) < 10 * loss - 1e-9 for loss in series])
    found = adaptation(log_of(wrong, [100]), "error", 100, batch=10)
    assert found.dpd.mean == pytest.approx(0.4, abs=1e-12)


def test_a_drift_before_the_reference_window_is_undefined_not_never():
    # c-15 (iii)
    found = adaptation(log_of([False] * 10 + [True] * 90, [10]), "error", 20, batch=10)
    (row,) = found.drifts
    assert math.isnan(row.drt)
    assert math.isnan(row.dpd)
    assert row.outcome == ""
    assert found.defined == 0
    assert math.isnan(found.drt.mean)
    assert found.notes == (
        "drift at item 10: the window of 20 items before it is not complete or its value is "
        "undefined, so the restoration time is undefined",
    )
    part = adaptation(log_of([False] * 10 + [True] * 90, [10]), "error", 20, batch=10, partial=True)
    assert part.drifts[0].dpd == 1.0
    assert math.isnan(part.drifts[0].drt)


def test_single_items_are_refused_since_the_first_correct_one_would_restore():
    # c-15 (i): an error that rises from 0.2 to 0.6 for 500 items
    rng = np.random.default_rng(0)
    wrong = np.concatenate([rng.random(1000) < 0.2, rng.random(500) < 0.6, rng.random(500) < 0.2])
    assert restoration(wrong.astype(float), 1000, 500) <= 2
    with pytest.raises(
        ParameterError, match="batch must be at least 2 for error, got 1; the first"
    ):
        adaptation(log_of(wrong, [1000]), "error", 500, batch=1)
    by_batch = adaptation(log_of(wrong, [1000]), "error", 500, batch=100).drifts[0]
    smooth = adaptation(log_of(wrong, [1000]), "error", 500, batch=100, every=1).drifts[0]
    assert 500 <= by_batch.drt <= 700
    assert 450 <= smooth.drt <= 700
    assert by_batch.dpd == pytest.approx(0.4, abs=0.05)


def test_a_real_loss_of_single_items_is_computed():
    schema = Schema((), drifts=(Drift(4, 4, 4),))
    log = from_columns(schema, np.zeros(8), np.array([1.0, 1, 1, 1, 3, 2, 1, 1]))
    (row,) = adaptation(log, "mae", 2, batch=1).drifts
    assert (row.before, row.dpd, row.drt) == (1.0, 1.5, 2.0)


def test_a_constant_series_is_restored_at_once():
    # G-02: the mean of ten times 0.3 is below 0.3 in floating point
    assert restoration([0.3] * 30, 10, 10) == 0
    assert restoration([0.3] * 30, 10, 10, better="high") == 0
    assert deterioration([0.3] * 30, 10, 10) == pytest.approx(0, abs=1e-15)


def test_never_restored_is_infinite_and_counted():
    wrong = [False] * 20 + [True] * 20
    found = adaptation(log_of(wrong, [20]), "error", 20, batch=10)
    (row,) = found.drifts
    assert (row.drt, row.outcome) == (math.inf, "not restored")
    assert (found.restored, found.defined, found.drt.mean) == (0, 1, math.inf)


def test_the_next_drift_does_not_stop_the_search_unless_requested():
    wrong = [False] * 20 + [True] * 20 + [False] * 20
    literal = adaptation(log_of(wrong, [20, 40]), "error", 10, batch=10)
    assert [row.drt for row in literal.drifts] == [20.0, 0.0]
    assert [row.outcome for row in literal.drifts] == ["restored after the next drift", "restored"]
    assert literal.restored == 1
    before = adaptation(log_of(wrong, [20, 40]), "error", 10, batch=10, until="next_drift")
    assert [row.drt for row in before.drifts] == [math.inf, 0.0]
    assert [row.outcome for row in before.drifts] == ["not restored", "restored"]


def test_windows_that_reach_another_drift_are_noted():
    wrong = [False] * 60
    assert not adaptation(log_of(wrong, [20, 40]), "error", 20, batch=10).notes
    found = adaptation(log_of(wrong, [20, 30]), "error", 20, batch=10)
    assert [row.overlaps for row in found.drifts] == [True, True]
    assert found.notes[0] == (
        "drift at item 20: a window of 20 items reaches another drift; use a smaller window"
    )


def test_steps_are_counted_from_each_drift():
    wrong = [False] * 23 + [True] * 7 + [False] * 40
    (row,) = adaptation(log_of(wrong, [23]), "error", 20, batch=10).drifts
    assert (row.before, row.drt, row.dpd) == (0.0, 10.0, 0.35)


def test_missing_labels_and_pretraining_do_not_move_the_drift():
    stream = sg.streams.drift(
        sg.streams.SEA(1, seed=1), sg.streams.SEA(3, seed=2), 1000, items=2000
    )
    late = sg.streams.delay(stream, "never(0.3, 50)")
    log = sg.run(late, "nb", "delayed")
    (row,) = adaptation(log, "error", 200, batch=50).drifts
    pairs = sorted(
        row
        for b in log.labelled_predictions()
        for row in zip(b.items, b.label, b.prediction, strict=True)
    )
    before = [y != p for i, y, p in pairs if i < 1000][-200:]
    after = [y != p for i, y, p in pairs if i >= 1000][:200]
    assert row.before == pytest.approx(np.mean(before))
    assert row.dpd == pytest.approx(np.mean(after) - np.mean(before))
    log = sg.run(stream, "nb", "prequential(pretrain=100)")
    (row,) = adaptation(log, "error", 200, batch=50).drifts
    wrong = np.concatenate([b.label != b.prediction for b in log.labelled_predictions()])
    assert row.dpd == pytest.approx(wrong[900:1100].mean() - wrong[700:900].mean())


def test_a_measure_of_the_previous_label_knows_the_one_before_each_step():
    rng = np.random.default_rng(1)
    label, prediction = rng.integers(0, 2, (2, 400)).astype(np.int32)
    log = from_columns(CLASSES, label, prediction)
    (row,) = adaptation(log, "kappa_temporal", 50, batch=50, drifts=[203]).drifts
    p = (label == prediction)[153:203].mean()
    p_per = (label[153:203] == label[152:202]).mean()
    assert row.before == pytest.approx((p - p_per) / (1 - p_per))


def test_repetitions_give_an_interval_and_bands():
    stream = sg.streams.drift(sg.streams.SEA(1), sg.streams.SEA(3), 500, items=1000)
    logs = [sg.run(stream, "nb", seed=seed) for seed in (1, 2, 3)]
    found = adaptation(logs, "error", 200, batch=50)
    each = [adaptation(log, "error", 200, batch=50) for log in logs]
    assert found.dpd.values == tuple(one.dpd.mean for one in each)
    assert found.dpd.low < found.dpd.mean < found.dpd.high
    assert [row.seed for row in found.of_drift(0)] == ["1", "2", "3"]
    curve = found.curves[0]
    values = np.stack([one.curves[0].mean for one in each])
    np.testing.assert_allclose(curve.mean, values.mean(axis=0))
    np.testing.assert_allclose(curve.high - curve.mean, values.std(axis=0, ddof=1))
    assert curve.offset.tolist() == list(range(-200, 400, 50))
    assert np.isnan(each[0].curves[0].low).all()
    assert curve.curves.tolist() == [3] * 12


def test_curves_over_drifts_have_the_steps_that_exist():
    found = adaptation(log_of([False] * 20 + [True] * 20, [10, 30]), "error", 10, batch=10)
    together, first, second = found.curves
    assert together.offset.tolist() == [-10, 0, 10]
    assert together.curves.tolist() == [2, 2, 1]
    assert first.mean.tolist() == [0, 0, 1]
    assert second.mean.tolist()[:2] == [1, 1]
    assert math.isnan(second.mean[2])
    assert together.mean.tolist() == [0.5, 0.5, 1.0]


def test_values_are_computed_for_each_fold_and_averaged():
    stream = sg.streams.drift(sg.streams.SEA(1), sg.streams.SEA(3), 500, items=1000)
    log = sg.run(stream, "nb", "delayed(folds=3)")
    found = adaptation(log, "error", 100, batch=50)
    assert [row.fold for row in found.drifts] == [0, 1, 2]
    for row in found.drifts:
        items = np.concatenate([b.items for b in log.labelled_predictions(row.fold)])
        wrong = np.concatenate(
            [b.label != b.prediction for b in log.labelled_predictions(row.fold)]
        )
        at = np.searchsorted(items, 500)
        change = wrong[at : at + 100].mean() - wrong[at - 100 : at].mean()
        assert row.dpd == pytest.approx(change)
        assert row == adaptation(log, "error", 100, batch=50, fold=row.fold).drifts[0]
    assert found.dpd.values == (pytest.approx(np.mean([row.dpd for row in found.drifts])),)
    assert found.over_folds(0, "drt") == found.drt.values
    curves = [adaptation(log, "error", 100, batch=50, fold=f).curves[0].mean for f in range(3)]
    whole = ~np.isnan(curves).any(axis=0)
    assert whole.sum() >= 4
    mean = np.mean(curves, axis=0)[whole]
    np.testing.assert_allclose(found.curves[0].mean[whole], mean)


def test_the_restoration_time_of_many_folds_is_that_of_one_learner():
    """Nine of ten folds predict each item, so a step of pooled predictions has few items."""
    stream = sg.streams.drift(
        "sea(1)", sg.streams.relabel(sg.streams.SEA(1), "invert"), 5000, items=10_000
    )
    log = sg.run(stream, "resetting(nb, ddm)", sg.protocols.KFold(10, split="split"))
    found = adaptation(log, "error", 1000, batch=100)
    each = [adaptation(log, "error", 1000, batch=100, fold=f).drifts[0].drt for f in range(10)]
    assert [row.drt for row in found.drifts] == each
    assert found.drt.mean == pytest.approx(np.mean(each))
    assert found.drt.mean > 300
    assert not found.notes


class _WrongInOneFold:
    """Wrong from item 20 on, in the fold that learns item 1 first."""

    def __init__(self):
        self.first = None

    def learn(self, x, y):
        self.first = x[0] if self.first is None else self.first

    def predict(self, x):
        return int(x[0] >= 20 and self.first == 1)


def test_a_fold_that_is_not_restored_makes_the_mean_time_infinite_and_is_counted():
    x, y = np.arange(40.0)[:, None], np.zeros(40, int)
    stream = sg.streams.from_arrays(x, y, classes=(0, 1), task="classification")
    log = sg.run(stream, _WrongInOneFold(), sg.protocols.KFold(2, variant="moa"))
    found = adaptation(log, "error", 20, batch=10, drifts=[20])
    assert [row.drt for row in found.drifts] in ([0.0, math.inf], [math.inf, 0.0])
    assert (found.restored, found.defined, found.drt.mean) == (1, 2, math.inf)


def test_the_window_of_a_fold_reaches_the_drifts_between_the_items_it_predicts():
    stream = sg.streams.drifts(["sea(1)", "sea(2)", "sea(3)"], at=[600, 900], items=1500)
    log = sg.run(stream, "nb", "k_fold(k=3)")
    assert [row.overlaps for row in adaptation(log, "error", 60, batch=20).drifts] == [False] * 6
    assert [row.overlaps for row in adaptation(log, "error", 120, batch=20).drifts] == [True] * 6


def test_a_drift_that_is_given_twice_counts_once():
    log = log_of([False] * 20 + [True] * 40 + [False] * 20, [20])
    once = adaptation(log, "error", 20, batch=10, drifts=[20, 60])
    twice = adaptation(log, "error", 20, batch=10, drifts=[20, 20, 60])
    assert twice.drifts == once.drifts
    assert (twice.drt.mean, len(twice.curves)) == (once.drt.mean, len(once.curves))


LOG = log_of([False] * 50, [20])

BAD = {
    "no known drifts": (
        lambda: adaptation(log_of([False] * 9)),
        "log must have known drifts, got none",
    ),
    "no drifts given": (lambda: adaptation(LOG, drifts=[]), "drifts must be at least one item"),
    "beyond the end": (
        lambda: adaptation(LOG, window=10, batch=5, drifts=[50]),
        "drifts must be items of the log, whose last one is 49, got 50",
    ),
    "negative drift": (lambda: adaptation(LOG, drifts=[-1]), "drifts must be at least 0, got -1"),
    "batch 0": (lambda: adaptation(LOG, batch=0), "batch must be at least 1, got 0"),
    "window 0": (lambda: adaptation(LOG, window=0), "window must be at least 1, got 0"),
    "window": (lambda: adaptation(LOG, window=150), "window must be a multiple of the batch, 100"),
    "every": (lambda: adaptation(LOG, every=3), "every must be a divisor of the batch, 100, got 3"),
    "position": (
        lambda: adaptation(LOG, position="middle"),
        "position must be 'start' or 'centre'",
    ),
    "until": (lambda: adaptation(LOG, until="never"), "until must be 'end' or 'next_drift'"),
    "baseline": (lambda: adaptation(LOG, "p_per"), "measure must be one with a best value"),
    "no log": (lambda: adaptation([]), "logs must be a log, or several, as returned by run"),
    "task": (lambda: adaptation(LOG, "mae"), "log must be of regression, got one of"),
    "two learners": (
        lambda: adaptation(
            [LOG, from_columns(CLASSES, np.zeros(1, np.int32), np.zeros(1, np.int32))]
        ),
        "logs must be repetitions, of one stream, got made, ; call it for each",
    ),
    "at": (lambda: deterioration([0.1], -1, 1), "deterioration: at must be at least 0, got -1"),
    "steps": (lambda: restoration([0.1], 0, 0), "restoration: window must be at least 1, got 0"),
    "better": (lambda: restoration([0.1], 0, 1, better="up"), "better must be 'low' or 'high'"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_sentence(name):
    call, sentence = BAD[name]
    with pytest.raises(ParameterError) as caught:
        call()
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_empty_log_has_undefined_values():
    found = adaptation(log_of([], [5]), "error", 10, batch=5)
    assert math.isnan(found.dpd.mean)
    assert math.isnan(found.drt.mean)
    assert np.isnan(found.curves[0].mean).all()


@pytest.mark.parametrize("protocol", ["holdout(size=50, every=50)", "periodic_holdout(50, 50, 4)"])
def test_the_tests_of_a_holdout_are_not_taken_for_a_stream(protocol, tmp_path):
    stream = "drift(sea(1), relabel(sea(1), 'invert'), at=200, items=400)"
    log = sg.run(stream, "nb", protocol)
    with pytest.raises(LogError, match="adaptation: log must be of a protocol that predicts each"):
        adaptation(log, window=50, batch=10)
    with pytest.raises(LogError, match="detect: log must be of a protocol that predicts each item"):
        sg.detect(log, "ddm")
    assert "test set" in sg.profile([log]).missing["adaptation to drifts"]
    sg.write_report(tmp_path / "report.md", [log])
    assert "Labels are delayed" not in (tmp_path / "report.md").read_text()

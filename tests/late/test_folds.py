"""Folds of a learner with late labels: every repeated prediction is counted and binned."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import streamgauge as sg
from oracles import reevaluation as oracle
from samples.examples import examples
from streamgauge import late, learners, streams
from streamgauge.engine import run
from streamgauge.errors import ParameterError
from streamgauge.late._bin_predictions import BinOptions, bin_predictions
from streamgauge.log import Log, folds_of, one_fold, read_log
from streamgauge.protocols import Delayed, KFold, OneFold, Reevaluating
from streamgauge.protocols._folds import POISSON
from streamgauge.protocols.timetable import expand
from streamgauge.seeds import child
from streamgauge.types import NEVER, Arrivals, Kind, Op


def stream(time, label_time):
    rows = len(time)
    x, y = np.arange(rows, dtype=float)[:, None], np.arange(rows) % 3
    out = np.where(np.array(label_time) == NEVER, np.nan, label_time)
    return streams.from_arrays(
        x, y, classes=(0, 1, 2), task="classification", time=np.array(time), label_time=out
    )


def orders(protocol, time, label_time, seed):
    arrivals = [Arrivals(0, len(time), np.array(time), np.array(label_time))]
    return [expand(chunk) for chunk in protocol.timetable(arrivals, seed)]


def made_after_labels(protocol, time, label_time, seed, copy=None) -> list[int]:
    """Predictions again up to each label: those the timetable orders (of one copy), counted."""
    made, counts = 0, []
    for chunk in orders(protocol, time, label_time, seed):
        columns = chunk.op.tolist(), chunk.kind.tolist(), chunk.fold.tolist()
        for op, kind, fold in zip(*columns, strict=True):
            own = copy is None or fold == copy
            made += own and op == Op.PREDICT and kind == Kind.PERIODIC
            if op == Op.REVEAL:
                counts.append(made)
    return counts


def program_rows(log: Log, protocol, time, label_time, seed, bins):
    """The bins of the authors' program, by item and fold, from every prediction ordered."""
    late_protocol = protocol, time, label_time, seed
    labelled = binned_labels(log, *late_protocol, bins, oracle.program_value)
    return [row for _, _, rows in labelled for row in rows]


def binned_labels(log: Log, protocol, time, label_time, seed, bins, value):
    """(item, time, bins of each fold) of each label with a prediction, in order of arrival."""
    made = {
        (int(i), int(f), int(t)): a
        for part in log.predictions()
        for i, f, t, a in zip(
            part.item, part.fold, part.turn, part.prediction.tolist(), strict=True
        )
    }
    labelled: dict[tuple[int, int], oracle.Labelled] = {}
    found = []
    for chunk in orders(protocol, time, label_time, seed):
        columns = (chunk.op, chunk.item, chunk.fold, chunk.turn, chunk.kind, chunk.time)
        for op, item, fold, turn, kind, now in zip(*(c.tolist() for c in columns), strict=True):
            if op == Op.PREDICT:
                one = labelled.setdefault((item, fold), oracle.Labelled(None, 0))
                last = one.predictions[-1][0] if one.predictions else None
                word = {Kind.FIRST: "first", Kind.PERIODIC: "again", Kind.FINAL: "last"}[kind]
                one.predictions.append((made.get((item, fold, turn), last), now, word))
            elif op == Op.REVEAL:
                own = [one for (k, _), one in sorted(labelled.items()) if k == item]
                for one in own:
                    one.until = now
                if own:
                    rows = [[value(one, bins, b) for b in range(bins + 2)] for one in own]
                    found.append((item, now, rows))
    return found


SEED = 1


def test_an_immediate_label_is_counted_though_no_fold_predicted_its_item():
    time, label_time = [0, 0], [9, 0]
    protocol = Reevaluating(1, folds=2, split="bootstrap")
    log = run(stream(time, label_time), learners.MajorityClass(), protocol, seed=SEED)
    assert {int(i) for part in log.predictions() for i in part.item} == {0}
    assert late.costs(log).repeated[-1] == 2


@st.composite
def times(draw):
    """Items and labels with many ties; some labels come at once, some never."""
    steps = draw(st.lists(st.sampled_from([0, 0, 1, 3]), min_size=1, max_size=12))
    time = np.cumsum(steps).tolist()
    delays = [draw(st.sampled_from([0, 0, 1, 2, 5, NEVER])) for _ in time]
    return time, [NEVER if w == NEVER else t + w for t, w in zip(time, delays, strict=True)]


@pytest.mark.parametrize("split", ["cross", "split", "bootstrap"])
@given(
    when=times(),
    folds=st.integers(1, 3),
    every=st.integers(1, 3),
    seed=st.integers(0, 5),
    ties=st.sampled_from(["labels_first", "items_first"]),
)
@settings(max_examples=examples(60), deadline=None)
def test_costs_and_program_bins_count_every_ordered_prediction(
    split, when, folds, every, seed, ties
):
    time, label_time = when
    if folds == 1 and split != "bootstrap":
        folds = 2
    protocol = Reevaluating(every, folds=folds, split=split, ties=ties)
    log = run(stream(time, label_time), learners.MajorityClass(), protocol, seed=seed)
    late_protocol = protocol, time, label_time, child(seed, "protocol", "arrays")
    found = late.costs(log)
    counted = found.repeated[np.diff(found.labels, prepend=0) > 0].tolist()
    assert counted == made_after_labels(*late_protocol)
    rows = [
        row.tolist() for _, table in bin_predictions(log, BinOptions(3, "grzenda")) for row in table
    ]
    assert rows == program_rows(log, *late_protocol, 3)
    for fold in range(folds):
        alone = late.costs(log, fold=fold)
        per_copy = alone.repeated[np.diff(alone.labels, prepend=0) > 0].tolist()
        assert per_copy == made_after_labels(*late_protocol, fold)
        assert late.costs(one_fold(log, fold)).repeated.tolist() == alone.repeated.tolist()
    with pytest.raises(ParameterError, match="costs: fold must be"):
        late.costs(log, fold=folds)


@pytest.mark.parametrize("binning", ["longest", "grzenda"])
@pytest.mark.parametrize("split", ["cross", "split", "bootstrap"])
@given(when=times(), folds=st.integers(2, 4), every=st.integers(1, 5), rows=st.integers(1, 9))
@settings(max_examples=examples(25), deadline=None)
def test_points_of_bins_count_labels_not_their_predictions(
    binning, split, when, folds, every, rows
):
    protocol = Reevaluating(1, folds=folds, split=split)
    log = run(stream(*when), learners.MajorityClass(), protocol, seed=SEED)
    seed = child(SEED, "protocol", "arrays")
    value = oracle.value if binning == "longest" else oracle.program_value
    labelled = binned_labels(log, protocol, *when, seed, 2, value)
    due = [n for n in range(1, len(labelled) + 1) if n % every == 0 or n == len(labelled)]
    with pytest.MonkeyPatch.context() as small:
        small.setattr("streamgauge.late._prediction_history.ROWS", rows)
        small.setattr("streamgauge.late._bin_predictions.REPEATED", rows)
        small.setattr("streamgauge.late._bins.ROWS", rows)
        found = late.bins(log, "accuracy", 2, binning=binning, every=every)
    assert found.at.tolist() == due
    assert found.time.tolist() == [labelled[n - 1][1] for n in due]
    for n, values in zip(due, found.value, strict=True):
        right = [[p == item % 3 for p in row] for item, _, all_ in labelled[:n] for row in all_]
        np.testing.assert_allclose(values, np.mean(right, axis=0))


def test_bins_over_folds_have_about_fifty_points_by_default():
    delayed = streams.delay(streams.take(streams.SEA(), 1000), 20)
    log = run(delayed, learners.MajorityClass(), Reevaluating(folds=4, split="split"))
    assert late.bins(log, n_bins=1).at.tolist() == list(range(20, 1001, 20))


@pytest.mark.parametrize("fold", [None, 1])
def test_a_tumbling_window_has_a_time_for_each_of_its_points(fold):
    delayed = streams.delay(streams.take(streams.SEA(), 300), 20)
    log = run(delayed, learners.NaiveBayes(), Reevaluating(folds=3, split="split"))
    found = late.bins(log, n_bins=1, window="tumbling(70)", every=1000, fold=fold)
    parts = list(one_fold(log, fold).labelled_predictions())
    pairs = [pair for p in parts for pair in zip(p.items, p.time, strict=True)]
    ends = [*range(70, len(pairs), 70), len(pairs)]
    assert found.at.tolist() == [len({item for item, _ in pairs[:n]}) for n in ends]
    assert found.time.tolist() == [pairs[n - 1][1] for n in ends]
    one = sg.measure(late.at_bin(log, 2, 1, fold=fold), "accuracy", "tumbling(70)")
    np.testing.assert_allclose(found.value[:, 2], one.value)


def test_a_fold_without_predictions_has_zero_costs():
    protocol = Reevaluating(1, folds=2, split="bootstrap")

    def only_fold_0_predicts(time, label_time):
        of = stream(time, label_time)
        logs = (run(of, learners.MajorityClass(), protocol, seed=seed) for seed in range(100))
        return next(log for log in logs if folds_of(log) == [0])

    nothing = only_fold_0_predicts([], [])
    unlabelled = only_fold_0_predicts([0, 1], [NEVER, NEVER])
    for log in (nothing, unlabelled):
        assert late.costs(log, fold=1).at.tolist() == []
    log = only_fold_0_predicts([0, 0], [9, 0])
    # a log of one of seven folds does not state how many there are
    one = run("sea(items=50)", learners.MajorityClass(), OneFold(KFold(7), 0))
    assert np.isnan(sg.measure(one, "accuracy", fold=7).final)
    found = late.costs(log, fold=1)
    assert (found.labels.tolist(), found.n_r[-1]) == ([1, 2], 0.0)
    assert np.isnan(late.bins(log, "accuracy", 2, fold=1).final).all()
    assert np.isnan(sg.measure(log, "accuracy", fold=1).final)


FUNCTIONS_OF_A_FOLD = {
    "measure": lambda log, fold: sg.measure(log, "accuracy", fold=fold),
    "compare": lambda log, fold: sg.compare(log, log, fold=fold),
    "bands": lambda log, fold: sg.comparisons.bands(log, "accuracy", "sliding(10)", fold=fold),
    "detect": lambda log, fold: sg.detect(log, "adwin", fold=fold),
    "adaptation": lambda log, fold: sg.adaptation(log, drifts=[5], fold=fold),
    "stability": lambda log, fold: sg.stability(log, fold=fold),
    "bins": lambda log, fold: late.bins(log, fold=fold),
    "at_bin": lambda log, fold: late.at_bin(log, 0, fold=fold),
    "costs": lambda log, fold: late.costs(log, fold=fold),
    "item_changes": lambda log, fold: late.item_changes(log, fold=fold),
    "change_summary": lambda log, fold: late.change_summary(log, fold=fold),
    "one_fold": one_fold,
    "confusion_matrix": lambda log, fold: sg.summaries.confusion_matrix(log, fold),
    "error_autocorrelation": lambda log, fold: sg.diagnosis.error_autocorrelation(log, fold=fold),
    "frequencies": lambda log, fold: sg.feature_selection.frequencies(log, fold=fold),
    "reduction_rate": lambda log, fold: sg.feature_selection.reduction_rate(log, fold=fold),
    "selected_features": lambda log, fold: sg.plots.selected_features.data(log, fold=fold),
}


@pytest.mark.parametrize("name", FUNCTIONS_OF_A_FOLD)
def test_a_fold_that_the_protocol_does_not_have_is_refused_by_every_function(name):
    two = run(stream([0] * 9, [5] * 9), learners.MajorityClass(), Reevaluating(1, folds=2))
    one = run(stream([0] * 9, [5] * 9), learners.MajorityClass(), Reevaluating(1))
    for log, must in ((two, "from 0 to 1, the folds"), (one, "0, the only fold")):
        with pytest.raises(ParameterError) as caught:
            FUNCTIONS_OF_A_FOLD[name](log, 2)
        assert str(caught.value) == f"{name}: fold must be {must} of the protocol, got 2"
    with pytest.raises(ParameterError, match=rf"^{name}: fold must be at least 0, got -1$"):
        FUNCTIONS_OF_A_FOLD[name](two, -1)


def test_an_item_that_no_fold_predicted_keeps_its_arrival_time_in_a_folder(tmp_path):
    time, label_time = [0, 1, 1, 3], [9, 1, 3, 5]
    protocol = Reevaluating(1, folds=2, split="bootstrap", ties="items_first")
    for seed in range(40):
        late_protocol = protocol, time, label_time, child(seed, "protocol", "arrays")
        kept = tmp_path / str(seed)
        run(stream(time, label_time), learners.MajorityClass(), protocol, seed=seed, folder=kept)
        found = late.costs(read_log(kept))
        counted = found.repeated[np.diff(found.labels, prepend=0) > 0].tolist()
        assert counted == made_after_labels(*late_protocol)
    assert any((tmp_path / str(seed) / "unpredicted.parquet").is_file() for seed in range(40))


@pytest.mark.parametrize("protocol", [Delayed, Reevaluating])
def test_one_fold_cannot_be_split_or_crossed_but_may_have_drawn_weights(protocol):
    for split, word in (("cross", "never learn"), ("split", "never predict")):
        with pytest.raises(ParameterError, match=rf"{protocol.__name__}: folds .*{word}"):
            protocol(folds=1, split=split)
    drawn = protocol(folds=1, split="bootstrap")
    stream = streams.delay(streams.take(streams.SEA(), 300), 10)
    log = run(stream, learners.NaiveBayes(), drawn, seed=3)
    made = {int(i) for part in log.predictions() for i in part.item}
    learned = {
        int(i): float(w)
        for part in log.training()
        for i, w in zip(part.item, part.weight, strict=True)
    }
    assert made | set(learned) == set(range(300))
    assert not made & set(learned)
    assert max(learned.values()) > 1
    plain = run(stream, learners.NaiveBayes(), protocol(), seed=3)
    assert {int(i) for part in plain.predictions() for i in part.item} == set(range(300))


def test_weights_of_the_bootstrap_are_poisson_up_to_a_tail_that_no_stream_reaches():
    assert np.allclose(np.diff(POISSON, prepend=0.0), stats.poisson(1).pmf(np.arange(len(POISSON))))
    assert 0 < 1 - POISSON[-1] < 1e-9

"""Detection on a log, and the errors for invalid input."""

from __future__ import annotations

import numpy as np
import pytest
from river import drift

import streamgauge as sg
from oracles import detectors as twins
from streamgauge import detectors
from streamgauge.detectors._checked_detector import CheckedDetector
from streamgauge.detectors.external import adapt
from streamgauge.errors import LogError, ParameterError
from streamgauge.log import from_columns, one_fold
from streamgauge.log.rows import Labels, Predictions, TableRows, Training
from streamgauge.log.table import InMemory, Log
from streamgauge.names import known, make
from streamgauge.types import Schema

CLASSES = Schema((), classes=("no", "yes"))
REALS = Schema(())


def a_log(rows=1200, schema=CLASSES, seed=0):
    rng = np.random.default_rng(seed)
    rate = np.where(np.arange(rows) < rows // 2, 0.1, 0.6)
    if schema.classes is None:
        label = rng.normal(size=rows)
        return from_columns(schema, label, label + rate * rng.normal(size=rows))
    label = rng.integers(0, 2, rows).astype(np.int32)
    wrong = (rng.random(rows) < rate).astype(np.int32)
    return from_columns(schema, label, label ^ wrong)


def column(log):
    return np.concatenate([p.label for p in log.labelled_predictions()]), np.concatenate(
        [p.prediction for p in log.labelled_predictions()]
    )


@pytest.mark.parametrize("of", [None, sg.Whole(), sg.Sliding(50), sg.Fading(0.95)], ids=str)
def test_alarms_are_those_of_the_twin_on_the_losses(of):
    log = a_log()
    label, prediction = column(log)
    losses = (label != prediction).astype(float)
    seen = losses if of is None else list(twins.estimates(losses, *of.spec))
    spec = detectors.PageHinkley(delta=0.01, threshold=10.0123, after_alarm="reset")
    states = twins.page_hinkley(seen, 0.01, 10.0123, anew=True)
    detected = sg.detect(log, spec, of)
    assert detected.alarms.tolist() == [i for i, state in enumerate(states) if state == 2]
    assert len(detected)
    assert not len(detected.warnings)
    assert set(detected.detector) == {
        "page_hinkley(delta=0.01, threshold=10.0123, after_alarm='reset')"
        + ("" if of is None else f" of {of}")
    }


def test_in_regression_the_loss_is_the_absolute_error():
    log = a_log(schema=REALS)
    label, prediction = column(log)
    states = twins.adwin(np.abs(label - prediction), 0.002, 32, 5, 5, 10, anew=False)
    found = sg.detect(log, "adwin").alarms.tolist()
    assert found == [i for i, state in enumerate(states) if state == 2]
    assert found


def test_a_detector_of_errors_says_that_it_cannot_take_real_losses():
    with pytest.raises(
        LogError, match=r"DDM: a loss must be from 0 to 1, got [\d.]+ at item \d+; use a detector"
    ):
        sg.detect(a_log(schema=REALS), "ddm")


@pytest.mark.parametrize("policy", ["count_wrong", "skip"])
def test_an_item_without_prediction_counts_as_wrong_or_is_skipped(policy):
    label = np.zeros(400, np.int32)
    prediction = np.repeat(np.array([0, -1], np.int32), [300, 100])
    found = sg.detect(from_columns(CLASSES, label, prediction), "ddm", cold_start=policy).alarms
    assert bool(len(found)) == (policy == "count_wrong")


def test_labels_that_never_came_are_no_losses_and_items_keep_their_numbers():
    label = np.repeat(np.array([0, -1, 0], np.int32), [300, 1000, 100])
    prediction = np.repeat(np.array([0, 1, 1], np.int32), [300, 1000, 100])
    (found,) = sg.detect(
        from_columns(CLASSES, label, prediction), detectors.HDDMA()
    ).alarms.tolist()
    assert 1300 <= found < 1320


def test_each_fold_is_watched_by_itself():
    n = 600
    item = np.repeat(np.arange(n, dtype=np.uint64), 2)
    fold = np.tile(np.array([0, 1], np.uint16), n)
    prediction = np.zeros(2 * n, np.int32)
    prediction[(fold == 1) & (item >= 300)] = 1  # only the second copy goes wrong
    time = item.astype(np.int64)
    none = np.zeros(2 * n, np.uint32), np.zeros(2 * n, np.uint8)
    predictions = Predictions(item, fold, *none, time, prediction)
    true = Labels(item[::2], time[::2], np.zeros(n, np.int32))
    empty = Training(item[:0], fold[:0], np.empty(0))
    log = Log(CLASSES, InMemory((TableRows(predictions, true, empty),)))
    assert not len(sg.detect(log, "ddm", fold=0))
    second = sg.detect(log, "ddm", fold=1)
    assert (second.alarms >= 300).all()
    assert len(second.alarms)
    assert (second.fold == 1).all()
    assert (sg.detect(one_fold(log, 1), "ddm").fold == 1).all()
    assert sg.detect(one_fold(log, 1), "ddm").alarms.tolist() == second.alarms.tolist()
    with pytest.raises(ParameterError, match="fold must be a fold of the log, got 3"):
        sg.detect(a_log(), "ddm", fold=3)


def test_a_log_with_several_folds_needs_the_fold():
    log = sg.run(sg.streams.SEA(items=300), "naive_bayes", sg.protocols.Delayed(folds=3))
    with pytest.raises(ParameterError, match="fold must be given for a log with several folds"):
        sg.detect(log, "ddm")


def test_a_log_on_disk_gives_the_alarms_of_the_one_in_memory(tmp_path):
    stream = sg.streams.SEA(items=3000, noise=0.3)
    held = sg.run(stream, sg.learners.NaiveBayes(), seed=4)
    sg.run(stream, sg.learners.NaiveBayes(), seed=4, folder=tmp_path / "log")
    for name in (
        "kswin(alpha=0.05)",
        "random_alarms",
        "hddm_a(warning_confidence=0.5, drift_confidence=0.4)",
    ):
        one, two = sg.detect(held, name), sg.detect(sg.read_log(tmp_path / "log"), name)
        assert one.item.tolist() == two.item.tolist()
        assert len(one)


def test_an_empty_log_raises_no_alarm():
    assert not len(sg.detect(a_log(0), "ddm"))


def test_detectors_of_river_find_what_ours_find():
    log = a_log()
    assert (
        sg.detect(log, drift.ADWIN(delta=0.01)).item.tolist()
        == sg.detect(log, "adwin(delta=0.01, after_alarm='reset')").item.tolist()
        == sg.detect(log, "river:drift.ADWIN(delta=0.01)").item.tolist()
    )
    ours = sg.detect(log, "page_hinkley(0.005, 9.0123, 'reset')", "fading(0.9)")
    options = {"min_instances": 1, "delta": 0.005, "alpha": 1, "mode": "up", "threshold": 9.0123}
    theirs = sg.detect(log, drift.PageHinkley(**options), sg.Fading(0.9))
    assert ours.item.tolist() == theirs.item.tolist()
    assert len(ours)


def test_your_own_detector_is_never_shown_anything():
    mine = drift.ADWIN()
    sg.detect(a_log(), mine)
    assert mine.width == 0


def test_a_detector_of_river_that_draws_is_seeded():
    log = a_log(400)
    watch = adapt(drift.KSWIN(), seed=5)
    assert watch.model.seed == 5
    one, two = (sg.detect(log, drift.KSWIN(alpha=0.05), seed=s).item.tolist() for s in (5, 5))
    assert one == two


@pytest.mark.capymoa
def test_detectors_of_capymoa_start_anew_and_stop():
    made = pytest.importorskip("capymoa.drift.detectors")
    losses = np.repeat([0.0, 1.0], [300, 60])
    watch = adapt(made.DDM(min_n_instances=40))
    taken, rows, kinds = watch.observe_many(losses, stop=True)
    assert kinds[-1] == 2
    assert taken == rows[-1] + 1
    watch.reset()
    assert watch.observe_many(losses, stop=True)[0] == taken
    assert watch.clone(1).observe_many(losses, stop=True)[0] == taken
    assert not watch.model.data
    assert len(sg.detect(a_log(), made.ADWIN()).alarms)


Ratio = detectors.PageHinkleyRatio
SAME_KIND = "short must be the same kind of window as `long`"
WRONG = [
    (lambda: detectors.PageHinkley(delta=-1), "PageHinkley: delta must be a number, at least 0"),
    (lambda: detectors.PageHinkley(threshold=0), "PageHinkley: threshold must be a number above 0"),
    (lambda: detectors.PageHinkley(threshold="x"), "threshold must be a number, got 'x'"),
    (lambda: detectors.PageHinkley(after_alarm="go"), "after_alarm must be 'keep' or 'reset'"),
    (
        lambda: Ratio(sg.Fading(0.9), sg.Fading(0.9)),
        SAME_KIND,
    ),
    (
        lambda: Ratio(sg.Sliding(9), sg.Sliding(5)),
        SAME_KIND,
    ),
    (
        lambda: Ratio(sg.Sliding(9), sg.Fading(0.9)),
        SAME_KIND,
    ),
    (
        lambda: Ratio(sg.Whole(), sg.Whole()),
        r"short must be `Sliding`, or `Fading` with a factor below 1, if .* got 'whole'",
    ),
    (
        lambda: Ratio(sg.Fading(1.0), sg.Whole()),
        r"short must be `Sliding`, or `Fading` with a factor below 1, if `long` is `Whole\(\)`",
    ),
    (
        lambda: Ratio(sg.Sliding(5), sg.Tumbling(9)),
        r"long must be `Fading`, `Sliding` or `Whole`, got 'tumbling\(9\)'",
    ),
    (
        lambda: Ratio(threshold=-3),
        "PageHinkleyRatio: threshold must be",
    ),
    (
        lambda: detectors.DDM(warning_threshold=3, drift_threshold=2),
        r"drift_threshold must be at least warning_threshold \(3\), got 2",
    ),
    (
        lambda: detectors.DDM(warm_start=-1),
        r"DDM: warm_start must be a whole number from 0 to 2\*\*40 - 1, got -1",
    ),
    (lambda: detectors.DDM(warm_start=2.5), "DDM: warm_start must be a whole number from 0 to"),
    (lambda: detectors.ADWIN(clock=2**40), r"clock must be a whole number from .* to 2\*\*40 - 1"),
    (
        lambda: detectors.EDDM(drift_threshold=1.0),
        "EDDM: drift_threshold must be above 0 and below 1",
    ),
    (
        lambda: detectors.EDDM(warning_threshold=0.5),
        r"EDDM: warning_threshold must be from drift_threshold \(0.9\) to 1",
    ),
    (
        lambda: detectors.HDDMA(drift_confidence=0),
        "HDDMA: drift_confidence must be above 0 and below 1",
    ),
    (
        lambda: detectors.HDDMA(two_sided_test=1),
        "HDDMA: two_sided_test must be True or False, got 1",
    ),
    (lambda: detectors.HDDMW(lambda_value=1), "HDDMW: lambda_value must be above 0 and below 1"),
    (
        lambda: detectors.RDDM(min_size_stable_concept=0),
        "RDDM: min_size_stable_concept must be a whole number, at least 1, got 0",
    ),
    (lambda: detectors.ADWIN(delta=0), "ADWIN: delta must be above 0 and below 1, got 0"),
    (
        lambda: detectors.ADWIN(clock=0),
        r"ADWIN: clock must be a whole number from 1 to 2\*\*40 - 1, got 0",
    ),
    (lambda: detectors.KSWIN(alpha=2), "KSWIN: alpha must be above 0 and below 1, got 2"),
    (
        lambda: detectors.KSWIN(stat_size=80),
        r"from 1 to half the window_size \(50\), got 80",
    ),
    (lambda: detectors.RandomAlarms(p=1.5), "RandomAlarms: p must be from 0 to 1, got 1.5"),
    (lambda: detectors.EDDM().bind(window=sg.Fading(0.9)), "EDDM: window must be None: it counts"),
    (
        lambda: detectors.DDM().bind(window=sg.Tumbling(9)),
        "window must be whole, sliding or fading",
    ),
    (lambda: sg.detect(a_log(), "ddm", cold_start="no"), "cold_start must be 'count_wrong' or"),
    (
        lambda: sg.detect(a_log(), object()),
        "a detector must be one of streamgauge.detectors",
    ),
]


@pytest.mark.parametrize("case", range(len(WRONG)))
def test_what_cannot_be_is_refused_in_a_sentence(case):
    build, words = WRONG[case]
    with pytest.raises(ParameterError, match=words):
        build()


@pytest.mark.parametrize("name", known("detector"))
def test_losses_that_are_no_numbers_are_refused(name):
    watch = make("detector", name).bind()
    for bad in (np.nan, np.inf):
        with pytest.raises(ValueError, match=r"a loss must be .*, got (NaN|inf) at row 1"):
            watch.observe_many(np.array([0.0, bad]))


def test_an_infinite_loss_is_refused_without_bad_advice():
    label = np.zeros(5)
    prediction = np.array([0, 0, np.inf, 0, 0])
    log = from_columns(Schema(()), label, prediction)
    for name in ("adwin", "ddm"):
        with pytest.raises(LogError, match=r"^detect: .*got inf at item 2$"):
            sg.detect(log, name)


def test_rows_after_the_alarm_of_an_own_detector_are_refused():
    class Own:
        def observe_many(self, losses, stop=False):
            return 3, [2, 4], [2, 2]

    with pytest.raises(ParameterError, match=r"own: observe_many must return rows up to the alarm"):
        CheckedDetector(Own(), "own").observe_many(np.zeros(5), stop=True)

"""A learner that starts anew: against the obvious loop, beside `detect`, into the log and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from river import base, drift, naive_bayes

import streamgauge as sg
from samples.examples import examples
from streamgauge import detectors, learners
from streamgauge.errors import LearnerError, ParameterError
from streamgauge.log.about import name_of
from streamgauge.log.book import Book
from streamgauge.names import make
from streamgauge.seeds import child
from streamgauge.types import Feature, HasAlarms, Schema, TracksItems
from streamgauge.windows import Fading, Sliding

FEATURES = (Feature("a"), Feature("b"))
CLASSES = Schema(FEATURES, classes=("u", "v"))
REALS = Schema(FEATURES)
SPECS = [
    learners.Resetting(),
    learners.Resetting(learners.NaiveBayes(), detectors.HDDMW()),
    learners.Resetting(learners.PriorRandom(), detectors.RandomAlarms(0.3, warm_start=4)),
    learners.Resetting(learners.NaiveBayes(), detectors.PageHinkley(0.01, 5.0), window=Sliding(20)),
    learners.Resetting(
        learners.LinearRegression(), detectors.ADWIN(clock=4, delta=0.1, after_alarm="reset")
    ),
]


def items(seed: int, rows: int, real: bool):
    """A concept that turns round every 150 items; labels and weights missing here and there."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 2))
    sign = np.where(np.arange(rows) // 150 % 2, -1.0, 1.0)
    signal = sign * (x[:, 0] + 0.3 * x[:, 1])
    weight = rng.choice([0.0, 1.0, 2.0], rows, p=[0.1, 0.8, 0.1])
    unknown = rng.random(rows) < 0.1
    if real:
        return x, np.where(unknown, np.nan, 3 * signal), weight
    return x, np.where(unknown, -1, signal > 0).astype(np.int32), weight


def obvious(spec, schema, x, label, weight, seed):
    """One item after the other."""
    base = spec.learner.bind(schema, seed)
    watch = spec.detector.bind(child(seed, "detector"), spec.window)
    predictions, alarms, resets = [], [], 0
    for i in range(len(label)):
        row = x[i : i + 1]
        predicted = base.predict(row, i)[0]
        predictions.append(predicted)
        if (label[i] < 0 if schema.classes else np.isnan(label[i])) or weight[i] == 0:
            continue
        loss = float(predicted != label[i]) if schema.classes else abs(label[i] - predicted)
        if not np.isnan(loss) and watch.observe(loss) == 2:
            alarms.append(i)
            resets += 1
            base = base.fresh(child(seed, "reset", "", resets))
            watch.reset()
        base.learn(row, label[i : i + 1], weight[i : i + 1])
    return np.array(predictions), alarms


@pytest.mark.parametrize("spec", SPECS, ids=name_of)
@given(seed=st.integers(0, 1000), rows=st.integers(0, 700), size=st.sampled_from([1, 9, 1000]))
@settings(max_examples=examples(15))
def test_it_is_the_obvious_loop(spec, seed, rows, size):
    schema = REALS if spec.task == "regression" else CLASSES
    x, label, weight = items(seed, rows, spec.task == "regression")
    predictions, alarms = obvious(spec, schema, x, label, weight, seed)
    learner = spec.bind(schema, seed)
    parts = [
        learner.test_then_train(
            low, x[low : low + size], label[low : low + size], weight[low:][:size]
        )
        for low in range(0, rows, size)
    ]
    np.testing.assert_array_equal(np.concatenate([*parts, predictions[:0]]), predictions)
    assert [item for item, _, kind in learner.alarms() if kind == "alarm"] == alarms
    assert learner.resets == len(alarms)


def test_the_obvious_loop_does_reset():
    for spec in SPECS:
        real = spec.task == "regression"
        x, label, weight = items(3, 700, real)
        assert obvious(spec, REALS if real else CLASSES, x, label, weight, 3)[1], spec


def stream(seed=1, rows=1500):
    x, label, _ = items(seed, rows, real=False)
    return sg.streams.from_arrays(x, np.abs(label))


@pytest.mark.parametrize(
    "detector", [detectors.DDM(), detectors.ADWIN(after_alarm="reset"), detectors.HDDMA()]
)
def test_alarms_of_a_run_are_those_found_in_its_log(detector):
    log = sg.run(stream(), learners.Resetting(learners.NaiveBayes(), detector))
    live, later = log.alarms(), sg.detect(log, detector)
    assert len(live.alarms)
    np.testing.assert_array_equal(live.item, later.item)
    assert (live.kind, live.detector) == (later.kind, later.detector)


def test_every_30th_item_alarms_when_p_is_1():
    log = sg.run(stream(rows=100), learners.Resetting(detector=detectors.RandomAlarms(p=1.0)))
    assert log.alarms().alarms.tolist() == [29, 59, 89]


def test_the_item_of_an_alarm_is_the_first_that_is_learned():
    log = sg.run(
        sg.streams.from_arrays(np.zeros((4, 1)), np.array([0, 1, 1, 0])),
        learners.Resetting(learners.MajorityClass(), detectors.RandomAlarms(1.0, warm_start=2)),
    )
    assert np.concatenate([s.prediction for s in log.predictions()]).tolist() == [-1, 0, 1, 1]


@pytest.mark.parametrize("finished", [True, False])
def test_alarms_go_to_disk_and_come_back(tmp_path, finished):
    spec = learners.Resetting(detector=detectors.HDDMW())
    held = sg.run(stream(), spec).alarms()
    assert len(held.warnings)
    sg.run(stream(), spec, folder=tmp_path / "log")
    if finished:
        assert (tmp_path / "log" / "alarms.parquet").is_file()
    else:  # as a killed run leaves it
        book = Book(CLASSES, {}, folder=tmp_path / "open")
        book.write_side_table(held)
        book.close("incomplete")
    read = sg.read_log(tmp_path / ("log" if finished else "open")).alarms()
    np.testing.assert_array_equal(read.item, held.item)
    np.testing.assert_array_equal(read.fold, held.fold)
    assert (read.kind, read.detector) == (held.kind, held.detector)
    assert set(read.detector) == {"hddm_w"}


def test_a_log_that_spills_keeps_its_alarms():
    held = sg.run(stream(), learners.Resetting())
    book = Book(CLASSES, {}, spill_bytes=1)
    book.write_side_table(held.alarms())
    for rows in held.tables.rows:
        book.write(rows)
    book.write_side_table(held.alarms())
    assert book.close().alarms().item.tolist() == 2 * held.alarms().item.tolist()


def test_a_run_without_a_detector_has_no_such_table(tmp_path):
    log = sg.run(stream(rows=50), learners.NaiveBayes(), folder=tmp_path / "log")
    assert not len(log.alarms())
    assert not (tmp_path / "log" / "alarms.parquet").exists()


def test_it_takes_models_and_detectors_of_river():
    spec = learners.Resetting(naive_bayes.GaussianNB(), drift.binary.DDM())
    log = sg.run(stream(), spec)
    assert len(log.alarms().alarms)
    assert log.about["learner"] == "resetting(river:GaussianNB, river:DDM)"
    native = sg.run(stream(), learners.Resetting(naive_bayes.GaussianNB(), detectors.DDM()))
    np.testing.assert_array_equal(log.alarms().alarms, native.alarms().alarms)
    # how many predictions come at once depends on how fast the machine is
    one, other = (
        np.concatenate([part.prediction for part in each.labelled_predictions()])
        for each in (log, native)
    )
    np.testing.assert_array_equal(one, other)


class Frail:
    """Predicts the last label; fails after it has learned 40 items."""

    def __init__(self):
        self.prediction, self.learned = None, 0

    def predict(self, x):
        return self.prediction

    def learn(self, x, y):
        self.learned += 1
        if self.learned > 40:
            raise RuntimeError("tired")
        self.prediction = y


@pytest.mark.parametrize("protocol", [sg.protocols.Prequential(), sg.protocols.Chunks(size=70)])
def test_a_model_that_fails_is_reported_with_its_item(protocol):
    spec = learners.Resetting(Frail(), detectors.RandomAlarms(0.0))
    with pytest.raises(LearnerError, match=r"learn failed at item 40 .*tired") as failed:
        sg.run(stream(), spec, protocol)
    if protocol == sg.protocols.Prequential():
        assert sum(len(p) for p in failed.value.log.labelled_predictions()) == 41


def test_a_model_that_would_fail_later_is_reset_in_time():
    """It learns before its detector sees the losses; a failure after the alarm is discarded."""
    log = sg.run(stream(), learners.Resetting(Frail(), detectors.RandomAlarms(1.0)))
    assert len(log.alarms()) == 1500 // 30


def test_alarms_of_nested_detectors_are_all_logged():
    often, seldom = (
        detectors.RandomAlarms(1.0, warm_start=10),
        detectors.RandomAlarms(1.0, warm_start=35),
    )
    spec = learners.Resetting(learners.Resetting(learners.NaiveBayes(), often), seldom)
    alarms = sg.run(stream(rows=80), spec).alarms()
    assert alarms.item.tolist() == sorted(alarms.item.tolist())
    inner = [i for i, d in zip(alarms.item.tolist(), alarms.detector, strict=True) if "10" in d]
    outer = [i for i, d in zip(alarms.item.tolist(), alarms.detector, strict=True) if "35" in d]
    assert outer == [34, 69]
    assert inner == [9, 19, 29, 43, 53, 63, 78]


def test_it_has_a_name_that_makes_it_again():
    spec = learners.Resetting(
        learners.Perceptron(learning_rate=0.5),
        detectors.PageHinkley(threshold=50.0),
        window=Fading(0.99),
    )
    name = name_of(spec)
    assert name == (
        "resetting(perceptron(learning_rate=0.5), page_hinkley(threshold=50.0), "
        "window=fading(0.99))"
    )
    assert make("learner", name) == spec
    assert make("learner", "resetting(nb, ddm)") == learners.Resetting()
    assert learners.Resetting(window="fading(0.9)") == learners.Resetting(window=Fading(0.9))
    by_name = learners.Resetting("linear_regression", "adwin")
    assert by_name.task == "regression"
    assert by_name.bind(REALS).detector_name == "adwin"


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: learners.Resetting(detector=3), "a detector must be one of streamgauge.detectors"),
        (
            lambda: learners.Resetting(detector=detectors.EDDM(), window=Fading(0.9)),
            "EDDM: window must be None: it counts single errors",
        ),
        (lambda: make("learner", "resetting(nb, dmd)"), "parameters must be literals, got dmd"),
        (lambda: learners.Resetting(window=0.5), "Resetting: window must be a window or None"),
        (lambda: make("learner", "resetting(window=[])"), "window must be a window or None, got"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(build, words):
    with pytest.raises(ParameterError, match=words):
        build()


def test_wrappers_have_the_hooks_that_the_types_name_and_plain_learners_have_not():
    for spec in (
        learners.Resetting(),
        learners.TemporallyAugmented(),
        learners.TemporalCorrection(),
    ):
        bound = spec.bind(CLASSES)
        assert isinstance(bound, TracksItems)
        assert isinstance(bound, HasAlarms)
    plain = learners.NaiveBayes().bind(CLASSES)
    assert not isinstance(plain, TracksItems)
    assert not isinstance(plain, HasAlarms)


class _FailsAt(base.DriftDetector):
    """A detector of river that fails at a loss."""

    def __init__(self, at=70):
        super().__init__()
        self.at = at
        self.seen = 0

    def update(self, x):
        if self.seen == self.at:
            raise ZeroDivisionError("no losses")
        self.seen += 1


@pytest.mark.parametrize("protocol", ["prequential", "delayed", "chunks(size=25)"])
@pytest.mark.parametrize("at", [0, 70, 199])
def test_an_error_of_the_detector_names_the_item_at_which_it_failed(protocol, at):
    with pytest.raises(LearnerError) as caught:
        sg.run("sea(items=300)", sg.learners.Resetting("nb", _FailsAt(at)), protocol)
    assert caught.value.item == at
    assert f"observing the loss failed at item {at} (fold 0): ZeroDivisionError: no losses" in str(
        caught.value
    )

"""Noise variability: perturbed copies of items, from the protocol to the measure."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import pytest

import streamgauge as sg
from oracles import stability as twin
from streamgauge.errors import LogError, ParameterError
from streamgauge.log._read_log import read_log
from streamgauge.log._verify_log import verify_log
from streamgauge.names import make
from streamgauge.properties import stability
from streamgauge.properties._stability import variability
from streamgauge.protocols import (
    Chunks,
    Delayed,
    Interleaved,
    KFold,
    PeriodicHoldout,
    Perturbed,
    Prequential,
    Reevaluating,
)
from streamgauge.protocols.timetable import walk
from streamgauge.testing import check_timetable
from streamgauge.types import Arrivals, Kind, Op

SEA = sg.streams.SEA(items=200, seed=3)
LATE = sg.streams.delay(SEA, 20)

PROTOCOLS = {
    "prequential": (SEA, Prequential()),
    "pretrain": (SEA, Prequential(pretrain=30)),
    "chunks": (SEA, Chunks(size=37)),
    "delayed": (LATE, Delayed()),
    "reevaluating": (LATE, Reevaluating(every=7)),
    "cross": (LATE, Delayed(folds=3)),
    "bootstrap": (LATE, Delayed(folds=2, split="bootstrap")),
    "k-fold": (SEA, KFold(k=3, split="bootstrap")),
    "folds of chunks": (SEA, Chunks(size=37, folds=2)),
    "holdout": (SEA, PeriodicHoldout(size=20, every=30, replace=2)),
    "interleaved": (SEA, Interleaved(train=30, test=20)),
}

LEARNERS = {
    "native": "hoeffding_tree",
    "wrapped": "temporally_augmented(nb)",
    "resetting": "resetting(nb, ddm)",
    "by item": "river:naive_bayes.GaussianNB()",
    "by batch": "sklearn:linear_model.SGDClassifier()",
    "no features": "persistent",
}


def columns(batches):
    parts = list(batches)
    whole = type(parts[0]).concatenate(parts)
    return {f.name: getattr(whole, f.name) for f in fields(whole)}


def same(a, b):
    assert a.keys() == b.keys()
    for name in a:
        if a[name] is None:
            assert b[name] is None, name
        else:
            np.testing.assert_array_equal(a[name], b[name], name)


CASES = [
    (protocol, learner)
    for protocol in PROTOCOLS
    for learner in LEARNERS
    if (learner != "by item" or protocol not in ("bootstrap", "k-fold"))  # it takes no weights
    and (learner != "by batch" or protocol in ("chunks", "delayed", "reevaluating"))  # slow
]


@pytest.mark.parametrize(("protocol", "name"), CASES)
def test_copies_change_nothing_else_and_without_noise_are_predicted_alike(protocol, name):
    (stream, inner), learner = PROTOCOLS[protocol], LEARNERS[name]
    plain = sg.run(stream, learner, inner)
    noisy = sg.run(stream, learner, Perturbed(inner, copies=2, scale=3.0, share=0.6))
    silent = sg.run(stream, learner, Perturbed(inner, copies=2, scale=0))
    for log in (noisy, silent):
        for table in ("predictions", "labels", "training"):
            same(columns(getattr(plain, table)()), columns(getattr(log, table)()))
        same(columns(plain.tables.arrivals()), columns(log.tables.arrivals()))
        np.testing.assert_array_equal(plain.alarms().item, log.alarms().item)
    first = columns(rows.take(rows.turn == 0) for rows in silent.predictions())
    copies = columns(silent.perturbed())
    for name in ("item", "fold", "prediction"):
        np.testing.assert_array_equal(copies[name], np.repeat(first[name], 2), name)
    assert copies["copy"].tolist() == [0, 1] * len(first["item"])
    some = columns(noisy.perturbed())
    assert 0 < len(some["item"]) < 2 * len(first["item"])
    if learner != "persistent":
        assert stability(noisy).changes.mean > 0


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_no_timetable_with_copies_peeks_or_depends_on_batches(protocol):
    delay = 20 if PROTOCOLS[protocol][0] is LATE else 0
    check_timetable(
        Perturbed(PROTOCOLS[protocol][1], copies=2, share=0.5), np.arange(90), np.arange(90) + delay
    )


def test_scores_of_copies_are_recorded():
    for learner in ("nb", "sklearn:linear_model.SGDClassifier(loss='log_loss')"):
        log = sg.run(SEA, learner, Perturbed(copies=2, scale=0), scores=True)
        first, copies = columns(log.predictions()), columns(log.perturbed())
        # of an array learner, two copies are one call, which may round otherwise than a single row
        expected = np.repeat(first["scores"], 2, axis=0)
        np.testing.assert_allclose(copies["scores"], expected, rtol=0 if learner == "nb" else 1e-9)
        noisy = sg.run(SEA, learner, Perturbed(copies=2, scale=2.0), scores=True)
        assert stability(noisy, "auc").variability.mean < 0


@pytest.mark.parametrize("relative", [False, True])
def test_noise_does_not_depend_on_batches(relative):
    """The batch size of the engine follows the number of features; here the stream's own varies."""
    x = np.random.default_rng(0).normal(size=(300, 2)) * [1, 50]
    y = (x[:, 0] > 0).astype(int)

    class Cut:
        def __init__(self, size):
            self.inner = sg.streams.from_arrays(x, y)
            self.name, self.schema, self.length = "cut", self.inner.schema, 300
            self.size = size

        def batches(self, size=8192, seed=0):
            return self.inner.batches(self.size, seed)

    logs = [
        sg.run(Cut(size), "nb", Perturbed(copies=3, scale=0.7, relative=relative))
        for size in (1, 7, 300)
    ]
    for log in logs[1:]:
        same(columns(logs[0].perturbed()), columns(log.perturbed()))
    other = sg.run(Cut(300), "nb", Perturbed(copies=3, scale=0.7, relative=relative), seed=1)
    assert not np.array_equal(
        columns(other.perturbed())["prediction"], columns(logs[0].perturbed())["prediction"]
    )


class Echo:
    """Predicts its feature."""

    task = "regression"

    def predict(self, x):
        return float(x[0])

    def learn(self, x, y, weight=1.0):
        pass


def test_relative_noise_has_the_scale_of_the_items_that_have_arrived():
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.normal(size=2000), 100 * rng.normal(size=2000)])[:, None]
    log = sg.run(
        sg.streams.from_arrays(x, x[:, 0]), Echo(), Perturbed(copies=4, scale=0.5, relative=True)
    )
    change = columns(log.perturbed())["prediction"].reshape(-1, 4) - x
    assert (change[0] == 0).all()  # one value has no standard deviation
    deviations = np.array([x[: i + 1].std(ddof=1) if i else 0.0 for i in range(4000)])
    ratio = change[1:] / deviations[1:, None]
    assert ratio.std() == pytest.approx(0.5, abs=0.02)
    assert ratio.mean() == pytest.approx(0, abs=0.02)
    found = stability(log)
    assert found.changed == "mean absolute change of predictions"
    assert found.changes.mean == pytest.approx(np.abs(change).mean())


def test_relative_noise_counts_the_items_that_were_only_learned():
    x = np.array([0.0, 0, 10, 10])[:, None]
    protocol = PeriodicHoldout(size=1, every=3, replace=0)
    tested = [Perturbed(protocol, copies=1, scale=s, relative=s != 5.0) for s in (1.0, 5.0)]
    stream = sg.streams.from_arrays(x, x[:, 0] + [0.5, 0, 0, 0])  # four values would be classes
    logs = [sg.run(stream, Echo(), p) for p in tested]
    by_deviation, by_five = (columns(log.perturbed())["prediction"] for log in logs)
    # item 0 is tested after items 1, 2 and 3 were learned: the same draw, times their deviation
    np.testing.assert_allclose(by_deviation, by_five / 5 * x.std(ddof=1))
    cut = sg.run(stream, Echo(), tested[0], vitals_every=2)
    same(columns(logs[0].perturbed()), columns(cut.perturbed()))


@pytest.mark.parametrize("relative", [False, True])
@pytest.mark.parametrize("form", ["normal", "uniform"])
def test_copies_of_finite_values_are_finite(form, relative):
    x = np.array([[1.7e308], [-1.7e308], [1.0]] * 20)
    noise = {"scale": 1e308, "relative": relative, "form": form}
    stream = sg.streams.from_arrays(x, np.zeros(len(x)), task="regression")
    log = sg.run(stream, Echo(), Perturbed(copies=5, **noise))
    copies = columns(log.perturbed())["prediction"]
    assert np.isfinite(copies).all()
    assert relative or (np.abs(copies) == np.finfo(np.float64).max).any()


def test_nominal_features_are_replaced_on_request():
    rng = np.random.default_rng(2)
    colour = rng.integers(0, 3, 2000)
    stream = sg.streams.from_arrays(
        np.column_stack([colour, rng.normal(size=2000)]).astype(float),
        colour % 2,
        names=["colour", "x"],
        nominal={"colour": (0.0, 1.0, 2.0)},
    )
    kept = sg.run(stream, "nb", Perturbed(copies=3, scale=0))
    assert stability(kept).changes.mean == 0
    log = sg.run(stream, "nb", Perturbed(copies=3, scale=0, nominal=0.9))
    # replaced with probability 0.9 by any of 3 values, of which 0 and 2 have the same label
    expected = 0.9 * (2 / 3 * 1 / 3 + 1 / 3 * 2 / 3)
    assert stability(log).changes.mean == pytest.approx(expected, abs=0.03)


def listed(log):
    """Labels, predictions and copies of a log with one fold, by plain Python."""
    label = {i: y for b in log.labels() for i, y in zip(b.item.tolist(), b.label, strict=True)}
    prediction, copies = {}, {}
    for b in log.predictions():
        for i, turn, p in zip(b.item.tolist(), b.turn.tolist(), b.prediction, strict=True):
            if turn == 0:
                prediction[i] = p
    for b in log.perturbed():
        for i, c, p in zip(b.item.tolist(), b.copy.tolist(), b.prediction, strict=True):
            copies.setdefault(i, {})[c] = p
    items = sorted(copies)
    return (
        [label[i] for i in items],
        [prediction[i] for i in items],
        [[copies[i][c] for i in items] for c in range(len(copies[items[0]]))],
    )


@pytest.mark.parametrize("share", [1.0, 0.3])
@pytest.mark.parametrize("stream", [SEA, LATE], ids=["at once", "late"])
def test_variability_and_flips_equal_the_slow_definition(stream, share):
    log = sg.run(stream, "nb", Perturbed(Delayed(), copies=3, scale=2.0, share=share))
    labels, predictions, copies = listed(log)
    found = stability(log, "error", "tumbling(50)")
    (run,) = found.runs
    assert run.items == len(labels)
    assert run.copies == 3
    assert found.variability.mean == pytest.approx(
        twin.noise_variability(twin.error, labels, predictions, copies)
    )
    assert found.changes.mean == pytest.approx(twin.flips(predictions, copies))
    for nth, value in enumerate(found.curve.value[: len(labels) // 50]):
        rows = slice(50 * nth, 50 * nth + 50)
        part = [copy[rows] for copy in copies]
        expected = twin.noise_variability(twin.error, labels[rows], predictions[rows], part)
        assert value == pytest.approx(expected)
        assert found.change_curve.value[nth] == pytest.approx(twin.flips(predictions[rows], part))
    score = stability(log, "accuracy")
    assert score.variability.mean == pytest.approx(-found.variability.mean)


def test_no_copies_are_nan():
    assert math.isnan(variability(0.3, ()))
    assert math.isnan(twin.noise_variability(twin.error, [1], [1], []))


def test_repetitions_have_an_interval_and_a_band():
    logs = [sg.run("sea(items=300)", "nb", Perturbed(copies=2, scale=2.0), seed=s) for s in (1, 2)]
    found = stability(logs, window="tumbling(100)")
    each = [stability(log, window="tumbling(100)") for log in logs]
    assert found.variability.values == tuple(one.variability.mean for one in each)
    np.testing.assert_allclose(found.curve.value, np.mean([o.curve.value for o in each], axis=0))
    assert found.curve.low is not None


def test_a_log_on_disk_gives_the_same_numbers(tmp_path):
    protocol = Perturbed(Delayed(folds=2), copies=2, scale=2.0)
    inside = sg.run(LATE, "nb", protocol, scores=True)
    written = sg.run(LATE, "nb", protocol, scores=True, folder=tmp_path / "log")
    again = read_log(tmp_path / "log")
    for log in (written, again):
        same(columns(inside.perturbed()), columns(log.perturbed()))
        assert stability(log).variability.values == stability(inside).variability.values
        found = stability(log, fold=1).changes.values
        assert found == stability(inside, fold=1).changes.values
    verified = verify_log(tmp_path / "log", "log")
    assert verified.verdict == "whole"
    assert verified.rows["perturbed"] == 2 * 200
    (tmp_path / "log" / "perturbed.parquet").write_bytes(b"no")
    with pytest.raises(LogError, match="perturbed"):
        list(read_log(tmp_path / "log").perturbed())


def test_the_timetable_has_copies_right_after_first_predictions():
    late = Arrivals(0, 2, label_time=np.array([2, 2]))
    orders = walk(Perturbed(Reevaluating(every=1), copies=2).timetable([late]))
    copied = orders.kind == Kind.PERTURBED
    assert orders.item[copied].tolist() == [0, 0, 1, 1]
    assert orders.turn[copied].tolist() == [0, 1, 0, 1]
    assert (orders.op[copied] == Op.PREDICT).all()
    first = np.flatnonzero((orders.op == Op.PREDICT) & (orders.kind == Kind.FIRST))
    assert copied[first + 1].all()
    assert copied[first + 2].all()


def test_the_name_makes_an_equal_protocol():
    for protocol in (
        Perturbed(),
        Perturbed(copies=2, relative=True),
        Perturbed(Chunks(size=5), scale=1.0, form="uniform"),
        Perturbed("delayed(folds=2)", nominal=0.5, share=0.25),
    ):
        assert make("protocol", protocol.name) == protocol
        assert sg.run(SEA, "nb", protocol).about["protocol"] == protocol.name


BAD = {
    "copies": (lambda: Perturbed(copies=0), "Perturbed: copies must be at least 1, got 0"),
    "scale": (lambda: Perturbed(scale=-0.1), "scale must be a finite number, at least 0, got -0.1"),
    "endless scale": (lambda: Perturbed(scale=math.inf), "scale must be a finite number"),
    "nominal": (lambda: Perturbed(nominal=2), "nominal must be from 0 to 1, got 2"),
    "share": (lambda: Perturbed(share=0), "share must be above 0 and at most 1, got 0"),
    "form": (lambda: Perturbed(form="cauchy"), "form must be 'normal' or 'uniform', got 'cauchy'"),
    "protocol": (lambda: Perturbed(7), "protocol must be a protocol like Prequential(), got 7"),
    "twice": (lambda: Perturbed(Perturbed()), "protocol must be one without copies"),
    "no copies": (
        lambda: stability(sg.run(SEA, "nb")),
        "stability: log must have predictions of perturbed copies, got none; run it with",
    ),
    "ewma": (
        lambda: stability(sg.run(SEA, "nb", "perturbed"), "accuracy", "ewma(0.01)"),
        "stability: window must be whole, sliding, tumbling or fading",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_sentence(name):
    call, sentence = BAD[name]
    with pytest.raises(ParameterError) as caught:
        call()
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)

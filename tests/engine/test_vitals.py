"""Vitals and timing during a run: sampled at intervals, by reading only."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from river import forest, linear_model, tree
from sklearn.linear_model import SGDClassifier

import streamgauge as sg
from streamgauge.engine.timing import CopyTimer
from streamgauge.engine.vitals import default_interval
from streamgauge.errors import LearnerError, ParameterError
from streamgauge.log import Log, Vitals

LATE = "delay(sea(items=600), 7)"


def rows(log: Log) -> list[Any]:
    """Every column of every table but the vitals."""
    tables = {
        log.predictions: ("item", "fold", "turn", "kind", "time", "prediction"),
        log.labels: ("item", "time", "label"),
        log.training: ("item", "fold", "weight"),
    }
    return [
        np.concatenate([getattr(part, column) for part in read()])
        for read, columns in tables.items()
        for column in columns
    ]


def assert_same(one: Log, other: Log) -> None:
    for a, b in zip(rows(one), rows(other), strict=True):
        np.testing.assert_array_equal(a, b)


def listed(vitals: Vitals) -> list[tuple[Any, ...]]:
    columns = vitals.item.tolist(), vitals.fold.tolist(), vitals.name, vitals.value.tolist()
    return list(zip(*columns, strict=True))


@pytest.mark.parametrize(
    ("stream", "protocol"),
    [
        ("sea(items=600)", "prequential"),
        ("sea(items=600)", "prequential(pretrain=250)"),
        ("sea(items=600)", "chunks(size=70)"),
        (LATE, "delayed"),
        (LATE, "delayed(folds=3)"),
        (LATE, "reevaluating(every=50)"),
    ],
)
@pytest.mark.parametrize("learner", ["ht(grace_period=50)", "resetting(nb, ddm)"])
def test_no_interval_changes_the_log(stream, protocol, learner):
    without = sg.run(stream, learner, protocol, vitals_every=0)
    assert len(without.vitals()) == 0
    for every in (7, 200, 10_000):
        log = sg.run(stream, learner, protocol, vitals_every=every)
        assert_same(log, without)
        expected = [*range(every - 1, 599, every), 599]
        for fold in set(log.vitals().fold.tolist()):
            assert log.vitals().series("bytes", fold)[0].tolist() == expected


MODELS = {
    "tree": tree.HoeffdingTreeClassifier(grace_period=50, delta=0.1),
    "forest": forest.ARFClassifier(n_models=2),
    "linear": linear_model.LogisticRegression(),
    "sgd": SGDClassifier(),
}


@pytest.mark.parametrize("name", MODELS)
def test_models_of_other_libraries_are_not_disturbed(name):
    stream = "sea(items=300)"
    without = sg.run(stream, MODELS[name], vitals_every=0)
    log = sg.run(stream, MODELS[name], vitals_every=100)
    assert_same(log, without)
    assert log.vitals().series("bytes")[0].tolist() == [99, 199, 299]
    assert (log.vitals().series("bytes")[1] > 500).all()
    assert log.resources["predict_seconds_per_item"] > 0
    assert log.resources["learn_seconds_per_item"] > 0


def test_the_facts_are_those_of_the_learner_at_that_item():
    log = sg.run("sea(items=2000)", "ht(grace_period=50, tau=0.9)", vitals_every=500)
    for item in (499, 1499):
        short = f"sea(items={item + 1})"
        _, learner = sg.run(short, "ht(grace_period=50, tau=0.9)", keep_learner=True)
        stated = {name: value for at, _, name, value in listed(log.vitals()) if at == item}
        assert stated == {"bytes": learner.memory(), **learner.vitals()}
    assert log.vitals().series("leaves")[1][-1] > 1


def test_orders_events_and_patterns_have_the_same_vitals():
    stream = "sea(items=600)"
    as_pattern = sg.run(stream, "ht(grace_period=50)", "prequential", vitals_every=90)
    as_events = sg.run(f"delay({stream}, 0)", "ht(grace_period=50)", "delayed", vitals_every=90)
    assert listed(as_pattern.vitals()) == listed(as_events.vitals())


def test_the_global_generators_are_as_they_were():
    class Drawing:
        """A model that draws from the global generators when it learns."""

        def predict(self, x):
            return int(np.random.random() < 0.5)  # noqa: NPY002

        def learn(self, x, y):
            random.random()

        def vitals(self):
            return {"nodes": 1.0}

    log = {}
    for every in (0, 50):
        random.seed(1)
        np.random.seed(1)  # noqa: NPY002
        log[every] = sg.run("sea(items=200)", Drawing(), vitals_every=every)
    assert_same(log[0], log[50])
    assert log[50].vitals().names == ("nodes",)


def test_a_learner_that_cannot_be_copied_is_not_timed():
    class Open:
        def __init__(self):
            self.file = lambda: None

        def fresh(self, seed):
            return Open()

        def predict(self, x):
            return 0

        def learn(self, x, y):
            pass

        def vitals(self):
            return {"bytes": 8.0}

    log = sg.run("sea(items=200)", Open(), vitals_every=50)
    assert log.vitals().series("bytes")[1].tolist() == [8.0] * 4
    assert "predict_seconds_per_item" not in log.resources


def test_vitals_that_fail_are_an_error_of_the_learner():
    class Failing:
        def predict(self, x):
            return 0

        def learn(self, x, y):
            pass

        def vitals(self):
            raise ValueError("no idea")

    with pytest.raises(LearnerError, match=r"vitals failed at item 49 .*no idea"):
        sg.run("sea(items=200)", Failing(), vitals_every=50)


def test_an_interval_must_not_be_negative():
    with pytest.raises(ParameterError, match="vitals_every must be at least 0, got -1"):
        sg.run("sea(items=20)", "nb", vitals_every=-1)


def test_by_default_there_are_about_twenty_five_samples():
    assert [default_interval(n) for n in (0, 1_000, 50_001, 2_000_000, None)] == [
        1_000, 1_000, 2_001, 80_000, 10_000,
    ]  # fmt: skip
    log = sg.run("sea(items=2001)", "nb")
    assert log.vitals().series("bytes")[0].tolist() == [999, 1999, 2000]


def test_a_timer_that_took_too_long_makes_no_copy():
    timer = CopyTimer()
    timer.spent = 10.0
    called = []
    timer.time(object(), 1000, lambda count: called.append(count))
    assert called == []
    assert timer.resources() == {}


def test_parts_of_the_time_are_separate():
    costs = sg.run("sea(items=3000)", "ht", vitals_every=1000).resources
    assert 0 < costs["read_seconds"] < costs["seconds"]
    assert 0 < costs["log_seconds"] < costs["seconds"]


class FailsLate:
    """Its 1,201st call of `learn` fails."""

    def __init__(self):
        self.learned = 0

    def predict(self, x):
        return 0

    def learn(self, x, y):
        self.learned += 1
        if self.learned > 1200:
            raise ValueError("no more")

    def vitals(self):
        return {"learned": float(self.learned)}


def test_an_error_of_a_timed_copy_is_not_one_of_the_run():
    with pytest.raises(LearnerError, match=r"learn failed at item 1,?200 .*no more") as found:
        sg.run("sea(items=3000)", FailsLate())
    assert found.value.log.label_count() >= 1200


def test_samples_do_not_divide_the_blocks_of_the_log():
    blocks = {
        every: len(sg.run("sea(items=5000)", "nb", vitals_every=every).tables.rows)
        for every in (0, 100)
    }
    assert blocks[0] == blocks[100]


@pytest.mark.parametrize("every", [1, 7, 1200, 1201])
def test_what_was_done_before_a_failure_is_logged_at_every_interval(every):
    logs = []
    for interval in (0, every):
        with pytest.raises(LearnerError, match=r"learn failed at item 1,?200 ") as found:
            sg.run("sea(items=3000)", FailsLate(), vitals_every=interval)
        logs.append(found.value.log)
    assert_same(*logs)
    assert logs[0].label_count() == 1201


class FailsToTell(FailsLate):
    """Its vitals fail at the fourth sample."""

    def vitals(self):
        if self.learned >= 400:
            raise ValueError("no idea")
        return {"learned": float(self.learned)}


def test_what_was_done_before_vitals_fail_is_logged():
    with pytest.raises(LearnerError, match="vitals failed at item 399 ") as found:
        sg.run("sea(items=3000)", FailsToTell(), vitals_every=100)
    assert found.value.log.label_count() == 400
    assert found.value.log.vitals().series("learned")[0].tolist() == [99, 199, 299]


@pytest.mark.parametrize(("seconds", "expected"), [(0.1, 500), (10.0, 200), (1e4, 50)])
def test_a_copy_gets_items_by_the_speed_of_the_run(monkeypatch, seconds, expected):
    timer = CopyTimer()
    now = timer._began + seconds
    monkeypatch.setattr("streamgauge.engine.timing.time.perf_counter", lambda: now)
    called = []
    timer.time(object(), 1_000_000, lambda count: called.append(count))
    assert called == [expected]

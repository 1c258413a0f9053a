"""Shedding: a simulation of a learner that is too slow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from oracles import resources as slow
from samples.examples import examples
from streamgauge.errors import ParameterError
from streamgauge.protocols import Shedding
from streamgauge.protocols.timetable import arrivals, walk
from streamgauge.report.baselines import baselines
from streamgauge.resources import dropped, load_sweep, memory_sweep
from streamgauge.types import Op


@given(
    count=st.integers(0, 60),
    size=st.integers(1, 20),
    rate=st.integers(1, 8),
    service=st.integers(1, 8),
    buffer=st.integers(0, 3),
)
@settings(max_examples=examples(80), deadline=None)
def test_the_items_that_are_served_are_those_of_the_slow_simulation(
    count, size, rate, service, buffer
):
    protocol = Shedding(rate=float(rate), service=service / 4, buffer=buffer)
    found = walk(protocol.timetable(arrivals(count, size)))
    # In quarters of 1/rate seconds all numbers are whole.
    expected = slow.served([4 * i for i in range(count)], service * rate, buffer)
    assert found.item[found.op == Op.PREDICT].tolist() == expected
    assert found.item[found.op == Op.LEARN].tolist() == expected


def rows(log: sg.log.Log) -> list[list[float]]:
    return [
        np.concatenate([getattr(part, column) for part in log.predictions()]).tolist()
        for column in ("item", "time", "prediction")
    ]


def test_a_learner_that_is_fast_enough_has_the_log_of_prequential():
    shed = sg.run("sea(items=500)", "ht(grace_period=50)", Shedding(rate=1000.0, service=0.001))
    plain = sg.run("sea(items=500)", "ht(grace_period=50)")
    assert rows(shed) == rows(plain)
    assert len(dropped(shed)) == 0


def test_dropped_items_are_neither_predicted_nor_learned():
    log = sg.run("sea(items=101)", "nb", Shedding(rate=4.0, service=1.0))
    kept = list(range(0, 101, 4))
    assert np.concatenate([p.item for p in log.predictions()]).tolist() == kept
    assert np.concatenate([t.item for t in log.training()]).tolist() == kept
    assert dropped(log).tolist() == [i for i in range(101) if i % 4]
    assert log.resources["items"] == 101


def test_dropped_items_are_logged_once_at_every_interval_of_samples(tmp_path):
    for every in (0, 7):
        folder = tmp_path / str(every)
        log = sg.run(
            "sea(items=101)", "nb", Shedding(rate=4.0, service=1.0), folder=folder,
            vitals_every=every,
        )  # fmt: skip
        arrived = np.concatenate([part.item for part in log.tables.arrivals()])
        assert sorted(arrived.tolist()) == list(range(101))
        assert sg.verify(folder)[0].rows["unpredicted"] == len(dropped(log)) == 75


def test_random_arrivals_depend_on_the_seed_and_not_on_the_batches():
    made = Shedding(rate=2.0, service=0.5, arrivals="poisson")
    one, other = (walk(made.timetable(arrivals(200, n), 3)).item for n in (7, 200))
    assert one.tolist() == other.tolist()
    assert walk(made.timetable(arrivals(200), 4)).item.tolist() != one.tolist()
    assert 0.3 < len(one) / 3 / 200 < 0.7  # without a buffer the share that is served is 1/2


def test_baselines_are_those_of_a_run():
    protocol = Shedding(rate=3.0, service=1.0)
    log = sg.run("sea(items=200)", "nb", protocol)
    ran = sg.run("sea(items=200)", "persistent", protocol)
    assert rows(baselines(log)["persistent"])[2] == rows(ran)[2]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"rate": 0.0, "service": 1.0}, "rate must be above 0 and finite, got 0.0"),
        ({"rate": 1.0, "service": float("inf")}, "service must be above 0 and finite, got inf"),
        ({"rate": 1.0, "service": 1.0, "buffer": -1}, "buffer must be at least 0, got -1"),
        ({"rate": 1.0, "service": 1.0, "arrivals": "odd"}, "arrivals must be"),
    ],
)
def test_impossible_parameters_are_refused(given, words):
    with pytest.raises(ParameterError, match=words):
        Shedding(**given)


def test_accuracy_by_rate():
    learners = {"nb": "nb", "last": "persistent"}
    found = load_sweep("sea(items=400)", learners, [100, 1000], service=0.005)
    assert [(p.learner, p.rate, p.served) for p in found.points] == [
        ("nb", 100.0, 1.0),
        ("nb", 1000.0, 0.2),
        ("last", 100.0, 1.0),
        ("last", 1000.0, 0.2),
    ]
    assert found.points[0].value == sg.measure(sg.run("sea(items=400)", "nb"), "accuracy").final
    measured = load_sweep("sea(items=2000)", "nb", [1.0])
    assert measured.points[0].served == 1.0
    assert 0 < measured.points[0].service < 1
    lines = sg.plots.trade_off.data(found.points, "rate")
    assert lines[0].value.tolist() == [p.value for p in found.points[:2]]
    assert sg.plots.trade_off.draw(lines, "items per second", "accuracy").axes


def test_accuracy_by_memory():
    learners = {"tree": "ht(grace_period=20, tau=0.9)", "nb": "nb"}
    found = memory_sweep("sea(items=600)", learners, [3_000, 10**6])
    tree, free, small, large = found.points
    assert (tree.limited, small.limited) == (True, False)
    assert tree.largest < free.largest
    assert (small.largest, small.value) == (large.largest, large.value)
    assert all(point.fits == (point.largest <= point.limit) for point in found.points)
    with pytest.raises(ParameterError, match="limits must be at least 1, got 0"):
        memory_sweep("sea(items=10)", "nb", [0])
    windows = memory_sweep("sea(items=300)", "knn", [10, 100], parameter="window_size")
    assert windows.points[0].largest < windows.points[1].largest
    with pytest.raises(ParameterError, match="must not be empty"):
        memory_sweep("sea(items=10)", "nb", [])
    with pytest.raises(ParameterError, match="must not be empty"):
        load_sweep("sea(items=10)", "nb", [])

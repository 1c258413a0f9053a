"""Costs of a run: recomputed, stated with their method, and left out where unknown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from oracles import resources as slow
from samples.examples import examples
from streamgauge.errors import ParameterError
from streamgauge.log import Log, Vitals
from streamgauge.log.table import InMemory
from streamgauge.resources import complexity_curves, ram_hours, resources, vital_curves
from streamgauge.types import Schema


def log_of(samples: list[tuple[int, int, float]], items: int, seconds: float) -> Log:
    """A log with sizes (item, fold, bytes)."""
    sides = [Vitals.of(item, {"bytes": size}, fold) for item, fold, size in samples]
    costs = {"items": float(items), "seconds": seconds}
    return Log(Schema((), classes=(0,)), InMemory((), True, sides), {}, True, costs)


@given(
    steps=st.lists(st.integers(1, 50), min_size=1, max_size=8),
    sizes=st.lists(st.floats(1, 1e12), min_size=16, max_size=16),
    folds=st.integers(1, 2),
    seconds=st.floats(1e-3, 1e6),
)
@settings(max_examples=examples(50), deadline=None)
def test_ram_hours_are_those_of_a_recount(steps, sizes, folds, seconds):
    ends = np.cumsum(steps).tolist()
    rows = [(e - 1, f, sizes[2 * i + f]) for i, e in enumerate(ends) for f in range(folds)]
    found = ram_hours(log_of(rows, ends[-1], seconds))
    expected = slow.ram_hours([(item, size) for item, _, size in rows], seconds, ends[-1])
    assert found == pytest.approx(expected, rel=1e-12)


def test_one_gibibyte_for_one_hour_is_one_ram_hour():
    assert ram_hours(log_of([(9, 0, 2.0**30)], 10, 3600.0)) == 1.0
    assert ram_hours(log_of([(4, 0, 2.0**30), (9, 0, 2.0**31)], 10, 3600.0)) == 1.5


def test_without_sizes_there_are_no_ram_hours():
    assert np.isnan(ram_hours(log_of([], 10, 1.0)))
    assert np.isnan(ram_hours(log_of([], 0, 1.0)))
    assert [cost.name for cost in resources(log_of([], 10, 2.0))] == ["items_per_second", "seconds"]


def test_each_cost_says_how_it_was_obtained():
    log = sg.run("sea(items=3000)", "ht", vitals_every=1000)
    costs = {cost.name: cost for cost in resources(log)}
    assert all(cost.how and cost.unit for cost in costs.values())
    per_item = [costs[f"{verb}_seconds_per_item"].value for verb in ("predict", "learn")]
    assert costs["fastest_rate"].value == pytest.approx(1 / sum(per_item))
    assert costs["items_per_second"].value == 3000 / log.resources["seconds"]
    assert costs["largest_bytes"].value == log.vitals().series("bytes")[1].max()
    assert costs["ram_hours"].value == ram_hours(log)
    assert costs["final_bytes"].how == "memory it allocated"
    assert "peak_bytes" not in costs


def test_the_size_of_a_model_in_python_states_another_method():
    log = replace(log_of([(9, 0, 8.0)], 10, 1.0), about={"river": "0.26"})
    costs = {cost.name: cost.how for cost in resources(log)}
    assert costs["final_bytes"].startswith("Python objects")


def test_curves_of_folds_add_sizes_and_average_the_rest():
    rows = [Vitals.of(9, {"bytes": 8.0, "depth": d}, fold) for fold, d in ((0, 2.0), (1, 4.0))]
    log = Log(Schema((), classes=(0,)), InMemory((), True, rows))
    curves = vital_curves(log)
    assert (curves["bytes"].final, curves["depth"].final) == (16.0, 3.0)
    assert curves["bytes"].at.tolist() == [10]


def test_complexity_is_what_the_learner_tells_of_it():
    tree = sg.run("sea(items=1000)", "ht(grace_period=50, tau=0.9)")
    found = complexity_curves(tree)
    assert list(found) == ["splits", "depth", "leaves", "parameters"]
    assert found["leaves"].final == found["splits"].final + 1 > 1
    assert complexity_curves(sg.run("sea(items=100)", "persistent")) == {}


def test_an_unknown_fact_is_refused_with_those_there_are():
    log = sg.run("sea(items=100)", "perceptron")
    with pytest.raises(ParameterError, match="which has bytes, parameters"):
        vital_curves(log, ["nodes"])

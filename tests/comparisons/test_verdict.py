"""The properties of a verdict follow from its fields."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from streamgauge.comparisons import compare
from streamgauge.log import from_columns
from streamgauge.types import Schema

LABEL = np.tile(np.array([0, 1], np.int32), 60)
SCHEMA = Schema((), classes=("no", "yes"))
VERDICT = compare(
    from_columns(SCHEMA, LABEL, LABEL), from_columns(SCHEMA, LABEL, 1 - LABEL), spell=10
)


@pytest.mark.parametrize("side", ["a", "b", "either"])
@pytest.mark.parametrize("log_a", [-5.0, 0.0, 2.5, 699.0, 701.0])
@pytest.mark.parametrize("log_b", [-3.0, 1.5, 10_000.0])
def test_e_values_and_p_follow_from_their_logarithms(side, log_a, log_b):
    so_far = replace(VERDICT.so_far, side=side, log_e_value_a=log_a, log_e_value_b=log_b)
    log = {"a": log_a, "b": log_b, "either": max(log_a, log_b) - math.log(2)}[side]
    assert so_far.log_e_value == pytest.approx(log)
    assert so_far.e_value == pytest.approx(math.exp(min(log, 700)))
    assert so_far.p == pytest.approx(1.0 if log <= 0 else math.exp(-log))


def test_a_verdict_is_that_of_the_long_run():
    assert VERDICT.decided
    for name in ("winner", "status", "since", "first", "difference", "low", "high", "p", "spell"):
        assert getattr(VERDICT, name) == getattr(VERDICT.long_run, name)
    undecided = replace(VERDICT, long_run=replace(VERDICT.long_run, winner=None))
    assert not undecided.decided


def test_a_statistic_is_found_by_the_beginning_of_its_name_and_its_window():
    for one in VERDICT.statistics:
        assert VERDICT[one.name, one.window] is one
        with pytest.raises(KeyError):
            VERDICT[one.name, "sliding(3)"]
    with pytest.raises(KeyError):
        VERDICT["no such statistic", VERDICT.statistics[0].window]

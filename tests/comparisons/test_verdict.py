"""The properties of a verdict follow from its fields."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from streamgauge.comparisons import compare
from streamgauge.log import from_columns
from streamgauge.types import Schema

LABEL = np.tile(np.array([0, 1], np.int32), 30)
SCHEMA = Schema((), classes=("no", "yes"))
VERDICT = compare(from_columns(SCHEMA, LABEL, LABEL), from_columns(SCHEMA, LABEL, 1 - LABEL))


@pytest.mark.parametrize("side", ["a", "b", "either"])
@pytest.mark.parametrize("log_a", [-5.0, 0.0, 2.5, 699.0, 701.0, math.nan])
@pytest.mark.parametrize("log_b", [-3.0, 1.5, 10_000.0])
def test_e_values_and_p_follow_from_their_logarithms(side, log_a, log_b):
    verdict = replace(VERDICT, side=side, log_e_value_a=log_a, log_e_value_b=log_b)
    if math.isnan(log_a) and side != "b":
        log_b = math.nan
    log = {"a": log_a, "b": log_b, "either": max(log_a, log_b) - math.log(2)}[side]
    assert verdict.log_e_value == pytest.approx(log, nan_ok=True)
    assert verdict.e_value == pytest.approx(math.exp(min(log, 700)), nan_ok=True)
    p = 1.0 if log <= 0 else math.exp(-log)
    assert verdict.p == pytest.approx(math.nan if math.isnan(log) else p, nan_ok=True)


def test_a_verdict_is_decided_if_it_has_a_winner():
    assert VERDICT.decided
    assert not replace(VERDICT, winner=None).decided


def test_a_statistic_is_found_by_the_beginning_of_its_name_and_its_window():
    for one in VERDICT.statistics:
        assert VERDICT[one.name, one.window] is one
        with pytest.raises(KeyError):
            VERDICT[one.name, "sliding(3)"]
    with pytest.raises(KeyError):
        VERDICT["no such statistic", VERDICT.statistics[0].window]

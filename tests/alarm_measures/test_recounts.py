"""Every measure of alarms equals its slow recount, in every option, on any alarms and drifts."""

from __future__ import annotations

import math
from dataclasses import fields
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import alarms as slow
from samples.examples import examples
from streamgauge.alarm_measures import match_alarms
from streamgauge.names import known, make
from streamgauge.types import Drift

RECOUNTS = {
    "dcr": slow.dcr,
    "dcr(exclusive=True)": partial(slow.dcr, exclusive=True),
    "fdr": slow.fdr,
    "mtfa": slow.mtfa,
    "mean_delay": slow.mean_delay,
    "mean_delay(until_next=True)": partial(slow.mean_delay, until=True),
    "mtr": slow.mtr,
    "mtr(exclusive=True)": partial(slow.mtr, exclusive=True),
    "mtr(until_next=True)": partial(slow.mtr, until=True),
    "bifet_mtfa": slow.bifet_mtfa,
    "bifet_mtd": slow.bifet_mtd,
    "bifet_mdr": slow.bifet_mdr,
    "bifet_mtr": slow.bifet_mtr,
    "gama_delay": slow.gama_delay,
    "mtfa_exposure": slow.mtfa_exposure,
    "mtfa_exposure(none='censored')": partial(slow.mtfa_exposure, censored=True),
    "fdp_matched": slow.fdp_matched,
    "precision": slow.precision,
    "precision(repeated_alarms='ignore')": partial(slow.precision, ignore=True),
    "recall": slow.recall,
    "f1": slow.f1,
    "f1(repeated_alarms='ignore')": partial(slow.f1, ignore=True),
    "alarm_count": lambda alarms, drifts, n, w: float(len(set(alarms))),
    "false_alarms": lambda *given: float(slow.counts(*given)[1]),
    "repeated_alarms": lambda *given: float(slow.counts(*given)[2]),
    "missed_drifts": slow.missed_drifts,
    "false_alarm_rate": slow.false_alarm_rate,
    "false_alarm_rate(per=7, of='all')": partial(slow.false_alarm_rate, per=7, everywhere=True),
    "restricted_mean_delay": slow.restricted_mean_delay,
    "restricted_mean_delay(horizon=3)": partial(slow.restricted_mean_delay, horizon=3),
    "lift": slow.lift,
    "lift(of='alarms')": slow.alarm_lift,
}


@st.composite
def cases(draw):
    """Alarms, drifts (start, end), number of items and tolerance; windows may overlap."""
    n = draw(st.integers(1, 40))
    starts = draw(st.lists(st.integers(0, n - 1), max_size=4, unique=True))
    lengths = draw(st.sampled_from([(0,), (0, 3), (12, 0, 1)]))
    drifts = [(s, s + lengths[i % len(lengths)]) for i, s in enumerate(starts)]
    some = st.lists(st.integers(0, n - 1), max_size=12)
    alarms = draw(st.one_of(some, st.just([]), st.just(list(range(n)))))
    return alarms, drifts, n, draw(st.sampled_from([0, 1, 3, 8, 50]))


def matched(alarms, drifts, n, w):
    known_drifts = [Drift(start, (start + end) // 2, end) for start, end in drifts]
    return match_alarms(np.array(alarms, np.int64), known_drifts, n, w)


@settings(deadline=None, max_examples=examples(60))
@given(cases())
def test_every_measure_equals_its_recount(case):
    found = matched(*case)
    for name, recount in RECOUNTS.items():
        value, expected = make("alarm_measure", name).value(found), recount(*case)
        assert type(value) is float, name
        same = math.isnan(value) if math.isnan(expected) else math.isclose(value, expected)
        assert same, (name, value, expected)


@settings(deadline=None, max_examples=examples(60))
@given(cases())
def test_the_matching_equals_its_recount_and_matches_as_many_drifts_as_possible(case):
    _, drifts, n, w = case
    found = matched(*case)
    taken = [int(found.alarms[i]) if i >= 0 else None for i in found.matched]
    assert taken == slow.match(*case)
    assert found.found.sum() == slow.most_matched(*case)
    assert found.false_alarms.tolist() == slow.false_alarms(*case)
    assert found.drift_free == slow.free_items(drifts, n, w)


@settings(deadline=None, max_examples=examples(20))
@given(cases(), st.randoms(use_true_random=False))
def test_order_and_duplicates_of_alarms_do_not_matter(case, random):
    alarms, drifts, n, w = case
    again = [*alarms, *alarms[:3]]
    random.shuffle(again)
    one, other = matched(alarms, drifts, n, w), matched(again, drifts[::-1], n, w)
    assert one.matched.tolist() == other.matched.tolist()
    assert one.alarms.tolist() == other.alarms.tolist()


@pytest.mark.parametrize("name", sorted(known("alarm_measure")))
def test_every_measure_has_a_recount(name):
    assert name in RECOUNTS, "a new measure needs its recount in RECOUNTS"
    usual = make("alarm_measure", name)
    recounted = [
        made for text in RECOUNTS if type(made := make("alarm_measure", text)) is type(usual)
    ]
    for field in fields(usual):
        changed = {getattr(made, field.name) for made in recounted} - {field.default}
        assert changed, f"no recount of {name} with another {field.name}"


@pytest.mark.parametrize("name", sorted(known("alarm_measure")))
def test_a_measure_states_its_best_value_and_formula(name):
    measure = make("alarm_measure", name)
    assert isinstance(measure.best, float)
    assert measure.formula
    assert str(measure) == name
    assert measure.better() in ("high", "low", None)
    # undefined without drifts exactly if it says so
    stationary = [matched([], [], 10, 2), matched([4, 5], [], 10, 2)]
    undefined = all(math.isnan(measure.value(one)) for one in stationary)
    assert undefined == measure.needs_drifts

"""Orders, log and reading against the printed algorithm, on random event streams."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import reevaluation as oracle
from samples.examples import examples
from streamgauge import late
from streamgauge.engine import run
from streamgauge.late._bin_predictions import BinOptions, bin_predictions
from streamgauge.learners import LastValue, MajorityClass, Persistent, TargetMean
from streamgauge.log import Log
from streamgauge.protocols import Delayed, Reevaluating
from streamgauge.testing import check_timetable
from streamgauge.types import NEVER, NONE, Batch, Feature, Schema, Updates

CLASSES = ("a", "b", "c")


@dataclass(frozen=True)
class Given:
    """A stream of items (t, x, y, label time or None, updates), cut into batches."""

    items: list
    reals: bool = False
    by: int = 10**6
    name: str = "given"

    @property
    def schema(self):
        return Schema((Feature("x"),), classes=None if self.reals else CLASSES)

    @property
    def length(self):
        return len(self.items)

    def batches(self, size=8192, seed=0):
        for low in range(0, len(self.items), self.by):
            part = self.items[low : low + self.by]
            kind = np.float64 if self.reals else np.int32
            changes = sorted((t, low + i, x) for i, item in enumerate(part) for t, x in item[4])
            yield Batch(
                low,
                np.array([[float(item[1])] for item in part]),
                np.array([item[2] for item in part], kind),
                np.array([item[0] for item in part], np.int64),
                np.array([NEVER if item[3] is None else item[3] for item in part], np.int64),
                updates=Updates(
                    np.array([c[1] for c in changes], np.uint64),
                    np.array([c[0] for c in changes], np.int64),
                    np.array([[float(c[2])] for c in changes]).reshape(len(changes), 1),
                ),
            )


class Threshold:
    """Predicts whether x is above the mean of the labels so far: changes often, and uses x."""

    def __init__(self):
        self.total, self.count = 0, 0

    def predict(self, k, x):
        if not self.count:
            return NONE
        return int(x > self.total / self.count) + int(self.count % 5 == 3)

    def learn(self, x, y):
        self.total, self.count = self.total + y, self.count + 1


@dataclass
class ThresholdLearner:
    """The same for the engine."""

    model: Threshold = field(default_factory=Threshold)
    takes_missing: bool = True
    has_scores: bool = False
    numbered = False
    tracks_items = has_alarms = has_selections = measured = False
    one_by_one = None
    about: ClassVar = {}
    calls: list = field(default_factory=list)

    def predict(self, rows, first=0):
        self.calls.append(len(rows))
        return np.array([self.model.predict(0, x[0]) for x in rows], np.int32)

    def learn(self, rows, labels, weights=None):
        for x, y in zip(rows, labels, strict=True):
            self.model.learn(x[0], int(y))

    def test_then_train(self, *columns):
        raise NotImplementedError  # protocols of late labels do not call it

    def fresh(self, seed):
        return ThresholdLearner(calls=self.calls)


class Counting:
    """The twin of MajorityClass and Persistent, TargetMean and LastValue."""

    def __init__(self, what):
        self.what, self.seen = what, []

    def predict(self, k, x):
        if self.what == "mean":
            return sum(self.seen) / len(self.seen) if self.seen else float("nan")
        if not self.seen:
            return float("nan") if self.what == "value" else NONE
        if self.what in ("last", "value"):
            return self.seen[-1]
        return max(sorted(set(self.seen)), key=self.seen.count)

    def learn(self, x, y):
        self.seen.append(y)


@st.composite
def streams(draw, reals=False, evolving=False):
    n = draw(st.integers(0, 40))
    steps = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    longest = draw(st.sampled_from([0, 1, 3, 10, 60]))
    burst = draw(st.booleans())
    items, t = [], 0
    for step in steps:
        t += step
        delay = draw(st.one_of(st.none(), st.integers(0, longest)))
        until = None if delay is None else t + delay
        if until is not None and burst and delay:
            until = max(t, -(-until // 7) * 7)  # many labels at one instant
        y = draw(st.integers(0, 2)) if not reals else draw(st.integers(-8, 8)) / 4
        changes = []
        if evolving:
            at = draw(st.lists(st.integers(t + 1, t + 20), max_size=3, unique=True))
            changes = [(when, draw(st.integers(-3, 3))) for when in sorted(at)]
        items.append((t, draw(st.integers(-3, 3)), y, until, changes))
    return items


def labelled(log: Log):
    return {int(i): r for r in late.prediction_history(log) for i in r.item}


def bins_of(log, bins, binning, fill=None):
    cut = BinOptions(bins, binning, fill)
    parts = [(p.item.tolist(), p.label.tolist(), table) for p, table in bin_predictions(log, cut)]
    items = [i for part in parts for i in part[0]]
    labels = [y for part in parts for y in part[1]]
    return items, labels, [row.tolist() for part in parts for row in part[2]]


SETTINGS = settings(max_examples=examples(400), deadline=None)
KNOBS = {
    "every": st.sampled_from([1, 2, 3, 10, 1000]),
    "at_zero": st.booleans(),
    "labels_first": st.booleans(),
    "bins": st.sampled_from([0, 1, 2, 7, 50, 100]),
    "by": st.sampled_from([1, 3, 1000]),
}


def protocol(every, at_zero, labels_first):
    ties = "labels_first" if labels_first else "items_first"
    return Reevaluating(every, first_at_zero=at_zero, ties=ties)


def check_classes(log, twin, bins, at_zero):
    items, labels, rows = bins_of(log, bins, "longest")
    assert items == [k for k, _ in twin.labelled]
    assert labels == [t.label for _, t in twin.labelled]
    wide = range(bins + 2)
    assert rows == [[oracle.value(t, bins, b) for b in wide] for _, t in twin.labelled]
    if bins:
        _, _, rows = bins_of(log, bins, "grzenda")
        assert rows == [[oracle.program_value(t, bins, b) for b in wide] for _, t in twin.labelled]
    found = late.bins(log, "error", bins, every=10**6)
    if twin.labelled:
        expected = [oracle.zero_one(twin, bins, b) for b in wide]
        np.testing.assert_allclose(found.final, expected, rtol=0, atol=1e-12)
    else:
        assert np.isnan(found.final).all()


def check_costs(log, twin):
    found = late.costs(log)
    assert found.repeated.tolist() == twin.made
    assert found.repeated_labelled.tolist() == twin.over
    assert found.n_b.tolist() == twin.buffered
    assert (found.repeated == found.repeated_labelled + found.n_b).all()
    assert found.n_c.tolist() == oracle.n_c(twin)
    np.testing.assert_array_equal(found.n_r, oracle.n_r(twin))
    few = late.costs(log, every=3)
    at = [n for n in range(1, len(twin.made) + 1) if n % 3 == 0 or n == len(twin.made)]
    assert few.at.tolist() == at
    assert few.n_c.tolist() == [oracle.n_c(twin)[n - 1] for n in at]
    assert few.most_pending == found.pending.max(initial=0)


def check_changes(log, twin, tolerance=None):
    found = late.item_changes(log, tolerance)
    assert found.changes.tolist() == [oracle.changes(t) for _, t in twin.labelled]
    differ = [oracle.different(t.predictions[0][0], t.predictions[-1][0]) for _, t in twin.labelled]
    assert found.differs.tolist() == differ
    after = [oracle.time_to_correct(t, tolerance or 0) for _, t in twin.labelled]
    np.testing.assert_array_equal(
        found.time_to_correct, [np.nan if a is None else a for a in after]
    )
    pending = [max(t.until - t.predictions[0][1], 1) for _, t in twin.labelled]
    share = [np.nan if a is None else a / w for a, w in zip(after, pending, strict=True)]
    np.testing.assert_allclose(found.time_to_correct_share, share, rtol=1e-12)
    together = late.change_summary(log, tolerance)
    assert together.items == len(twin.labelled)
    for name in ("mean_changes", "share_changed", "share_correct", "median_time_to_correct"):
        np.testing.assert_equal(getattr(together, name), getattr(found, name))
    np.testing.assert_allclose(
        together.mean_time_to_correct_share, found.mean_time_to_correct_share, rtol=1e-12
    )


@pytest.mark.parametrize("what", ["last", "most"])
@given(items=streams(), **KNOBS)
@SETTINGS
def test_native_learners_follow_the_printed_algorithm(
    what, items, every, at_zero, labels_first, bins, by
):
    learner = Persistent() if what == "last" else MajorityClass()
    log = run(Given(items, by=by), learner, protocol(every, at_zero, labels_first))
    events = oracle.in_order(items, labels_first)
    twin = oracle.algorithm_1(events, Counting(what), every, at_zero)
    check_classes(log, twin, bins, at_zero)
    check_costs(log, twin)
    check_changes(log, twin)


@given(items=streams(evolving=True), **KNOBS)
@SETTINGS
def test_python_learners_and_new_features_follow_the_printed_algorithm(
    items, every, at_zero, labels_first, bins, by
):
    log = run(Given(items, by=by), ThresholdLearner(), protocol(every, at_zero, labels_first))
    events = oracle.in_order(items, labels_first)
    twin = oracle.algorithm_1(events, Threshold(), every, at_zero)
    check_classes(log, twin, bins, at_zero)
    check_changes(log, twin)


@pytest.mark.parametrize("what", ["mean", "value"])
@given(items=streams(reals=True), **KNOBS)
@SETTINGS
def test_regression_follows_the_printed_algorithm(
    what, items, every, at_zero, labels_first, bins, by
):
    learner = TargetMean() if what == "mean" else LastValue()
    log = run(Given(items, True, by), learner, protocol(every, at_zero, labels_first))
    events = oracle.in_order(items, labels_first)
    twin = oracle.algorithm_1(events, Counting(what), every, at_zero)
    names, _, rows = bins_of(log, bins, "longest")
    assert names == [k for k, _ in twin.labelled]
    wide = range(bins + 2)
    expected = [[float(oracle.value(t, bins, b, True)) for b in wide] for _, t in twin.labelled]
    shape = (len(twin.labelled), bins + 2)
    np.testing.assert_allclose(
        np.reshape(rows, shape), np.reshape(expected, shape), rtol=1e-12, atol=1e-12
    )
    if bins:
        _, _, rows = bins_of(log, bins, "grzenda")
        expected = [
            [float(oracle.program_value(t, bins, b, True)) for b in wide] for _, t in twin.labelled
        ]
        np.testing.assert_allclose(
            np.reshape(rows, shape), np.reshape(expected, shape), rtol=1e-12, atol=1e-12
        )
    check_costs(log, twin)
    if what == "value":  # labels themselves: quarters, so that limits are met exactly
        check_changes(log, twin, tolerance=0.25)
    assert np.isnan(late.item_changes(log).time_to_correct).all()


@given(
    items=streams(evolving=True),
    every=KNOBS["every"],
    at_zero=st.booleans(),
    labels_first=st.booleans(),
)
@settings(max_examples=examples(100), deadline=None)
def test_no_order_peeks_and_batches_do_not_matter(items, every, at_zero, labels_first):
    time = np.array([i[0] for i in items], np.int64)
    out = np.array([NEVER if i[3] is None else i[3] for i in items], np.int64)
    ties = "labels_first" if labels_first else "items_first"
    for one in (protocol(every, at_zero, labels_first), Delayed(ties), Delayed(ties, "drop")):
        check_timetable(one, time, out)
